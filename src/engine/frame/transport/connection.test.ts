import { describe, expect, test } from 'vitest';
import { bytes, loses, read, says } from '../conversation.testing.ts';
import type { Transport } from './transport.ts';

const UNKNOWN = 'no known transport';

test.each([
  ['TLS', bytes([0x16, 3, 1, 0, 5], 'hello'), ['frame/encrypted'], 'TLS'],
  ['TLS, captured from its middle', bytes([0x17, 3, 3, 0, 5], 'hello'), ['frame/encrypted'], 'TLS'],
  ['a record of TLS that is too long', bytes([0x17, 3, 3, 0xff, 0xff], 'hello'), ['frame/unread'], UNKNOWN],
  ['SSH', bytes('SSH-2.0-OpenSSH_9.2\r\n'), ['frame/encrypted'], 'SSH'],
  ['an answer of Redis', bytes('+PONG\r\n'), ['frame/unread'], 'Redis'],
  ['a command of Redis', bytes('*2\r\n$3\r\nGET\r\n$1\r\na\r\n'), ['frame/unread'], 'Redis'],
  ['OK of Redis', bytes('+OK\r\n'), ['frame/unread'], 'Redis'],
  ['a greeting of POP3', bytes('+OK POP3 server ready\r\n'), ['frame/unread'], UNKNOWN],
  ['MQTT', bytes([16, 16, 0, 4], 'MQTT', [4, 2, 0, 60, 0, 4], 'name'), ['frame/unread'], 'MQTT'],
  ['AMQP', bytes('AMQP', [0, 0, 9, 1]), ['frame/unread'], 'AMQP'],
  ['PostgreSQL', bytes([0, 0, 0, 14, 0, 3, 0, 0], 'user\0a'), ['frame/unread'], 'PostgreSQL'],
  ['PostgreSQL, asked for TLS', bytes([0, 0, 0, 8, 4, 210, 22, 47]), ['frame/unread'], 'PostgreSQL'],
  ['MySQL', bytes([74, 0, 0, 0, 10], '11.4.2-MariaDB\0'), ['frame/unread'], 'MySQL'],
  ['an unknown protocol', bytes('hello, world\r\n'), ['frame/unread'], UNKNOWN],
])('%s is unattributed, and named', async (_name, said, expected, name) => {
  const { messages, codes, layers, traffic } = await read([says(0, said)]);
  expect(messages).toEqual([]);
  expect(codes).toEqual(expected);
  expect(layers.unattributed).toBe(said.length);
  const of = { name, unit: 'connection', count: 1, bytes: said.length, isEncrypted: expected[0] === 'frame/encrypted' };
  expect(traffic).toEqual([expect.objectContaining(of)]);
});

test.each([
  [
    1,
    '1 byte that was not captured',
    '1 byte of 10.0.0.1:1000 → 10.0.0.2:9300 was not captured; reading continues after it.',
  ],
  [
    9,
    '9 bytes that were not captured',
    '9 bytes of 10.0.0.1:1000 → 10.0.0.2:9300 were not captured; reading continues after them.',
  ],
])('a gap of %i is counted in words', async (size, missed, gap) => {
  const head = 'POST /a HTTP/1.1\r\nContent-Type: application/x-protobuf\r\nContent-Length: 20\r\n\r\n';
  const { diagnostics } = await read([says(0, head, 'ab'), loses(0, size), says(0, 'x'.repeat(18 - size))]);
  const messages = diagnostics.map(({ message }) => message);
  expect(messages).toEqual([gap, expect.stringContaining(missed)]);
});

test.each([
  ['that may be of a transport', 'more'],
  ['of no transport', 'no'],
] as const)('bytes %s, in many small segments, are examined a few times each', async (_name, verdict) => {
  let examined = 0;
  const examine = (seen: Uint8Array) => {
    examined += seen.length;
  };
  const undecided: Transport = {
    id: 'undecided',
    label: 'undecided',
    sniff: (seen) => {
      examine(seen);
      return verdict;
    },
    seek: (seen) => {
      examine(seen);
      return { at: 0, isSure: false };
    },
    open: () => {
      throw new Error('It is never opened.');
    },
  };
  const said = bytes('?'.repeat(200_000));
  const { layers } = await read([says(0, said)], { transports: [undecided], segment: 27 });
  expect(layers.unattributed).toBe(said.length);
  expect(examined / said.length).toBeLessThan(30);
});

test('text is not offered to a transport that is never text, and no place is searched twice', async () => {
  let offered = 0;
  let searched = 0;
  const binary: Transport = {
    id: 'binary',
    label: 'binary',
    isNeverText: true,
    sniff: () => {
      offered++;
      return 'no';
    },
    seek: (seen, from) => {
      searched += seen.length - from;
      return null;
    },
    open: () => {
      throw new Error('It is never opened.');
    },
  };
  const text = bytes('?'.repeat(20_000));
  await read([says(0, text)], { transports: [binary], segment: 1000 });
  expect([offered, searched]).toEqual([0, text.length]);
  await read([says(0, bytes(text, [0]))], { transports: [binary], segment: 1000 });
  expect(offered).toBeGreaterThan(0);
});

test('bytes that were captured too late are said to be in the capture', async () => {
  const head = 'POST /a HTTP/1.1\r\nContent-Type: application/x-protobuf\r\nContent-Length: 300\r\n\r\n';
  const late = { ...says(0, 'late'), late: true };
  const { messages, codes, diagnostics, layers } = await read(
    [says(0, head), late, says(0, 'x'.repeat(296)), says(0, head), says(0, 'y'.repeat(300))],
    { segment: 2 },
  );
  expect(messages).toEqual([`http1 request POST /a: ${'y'.repeat(300)}`]);
  expect(codes).toEqual(['stream/hole', 'http1/incomplete', 'stream/late']);
  expect(diagnostics.at(-1)!.message).toContain('4 bytes of 10.0.0.1:1000 → 10.0.0.2:9300 were captured after');
  expect(layers.retransmitted).toBe(4);
});

test('connections of one kind are reported together', async () => {
  const { diagnostics } = await read([says(0, '+PONG\r\n'), says(1, '+OK\r\n')]);
  expect(diagnostics.map(({ message }) => message)).toEqual([
    '1 connection of Redis: no messages are read from it. Not read: 12 bytes of 10.0.0.1:1000 ↔ 10.0.0.2:9300.',
  ]);
});

describe('the protocol after an upgrade is not read as HTTP', () => {
  const changed = 'HTTP/1.1 101 Go\r\nUpgrade: websocket\r\nSec-WebSocket-Extensions: x-webkit-deflate-frame\r\n\r\n';
  const frames = 'GET /a HTTP/1.1\r\nContent-Type: application/proto\r\nContent-Length: 1\r\n\r\n1';

  test.each([
    ['WebSocket', 'GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n', changed],
    ['an HTTP upgrade', 'GET / HTTP/1.1\r\nUpgrade: other\r\n\r\n', 'HTTP/1.1 101 Go\r\nUpgrade: other\r\n\r\n'],
  ])('%s', async (name, asked, answered) => {
    const { messages, layers, traffic } = await read([
      says(0, asked),
      says(1, answered, frames),
      says(0, frames),
      loses(1, 30),
      says(1, frames),
    ]);
    expect(messages).toEqual([]);
    expect([layers.http1, layers.unattributed]).toEqual([asked.length + answered.length, 3 * frames.length]);
    expect(traffic).toEqual([expect.objectContaining({ name, count: 1, bytes: 3 * frames.length })]);
  });
});

describe('a tunnel through an HTTP proxy is read as a connection of its own', () => {
  const asked = 'CONNECT a:443 HTTP/1.1\r\n\r\n';
  const refused = 'HTTP/1.1 407 Who\r\nContent-Length: 2\r\n\r\nno';
  const answered = 'HTTP/1.1 200 OK\r\n\r\n';
  const request = 'POST /a HTTP/1.1\r\nContent-Type: application/proto\r\nContent-Length: 1\r\n\r\n1';
  const response = 'HTTP/1.1 200 OK\r\nContent-Type: application/proto\r\nContent-Length: 1\r\n\r\n2';
  const found = ['connect request POST /a: 1', 'connect response POST /a 200: 2'];

  test.each([
    ['HTTP', [says(0, asked), says(1, answered), says(0, request), says(1, response)]],
    ['its bytes are with the heads', [says(0, asked, request), says(1, answered, response)]],
    [
      'behind a refusal',
      [says(0, asked), says(1, refused), says(0, asked), says(1, answered), says(0, request), says(1, response)],
    ],
    [
      'in another tunnel',
      [says(0, asked), says(1, answered), says(0, asked), says(1, answered), says(0, request), says(1, response)],
    ],
  ])('%s', async (_name, sayings) => {
    for (const segment of [1000, 7]) {
      const { messages, codes, layers } = await read(sayings, { segment });
      expect(messages).toEqual(found);
      expect(codes).toEqual([]);
      expect([layers.message, layers.unattributed]).toEqual([2, 0]);
    }
  });

  test('a gap in it is followed by the next message', async () => {
    const { messages, codes } = await read([says(0, asked), says(1, answered), loses(0, 90), says(0, request)]);
    expect(messages).toEqual(found.slice(0, 1));
    expect(codes).toEqual(['stream/hole']);
  });

  test('an unread one has the name of its contents', async () => {
    const hello = bytes([0x16, 3, 1, 0, 5], 'hello');
    const { traffic, layers } = await read([says(0, asked), says(1, answered), says(0, hello), says(1, hello)]);
    expect(traffic).toEqual([expect.objectContaining({ name: 'TLS', isEncrypted: true, bytes: 20 })]);
    expect(layers.http1).toBe(asked.length + answered.length);
  });

  test('many tunnels in one another are not all entered', async () => {
    const tunnels = Array.from({ length: 50 }, () => [says(0, asked), says(1, answered)]).flat();
    const { messages, traffic } = await read([...tunnels, says(0, request)]);
    expect(messages).toEqual([]);
    expect(traffic).toEqual([expect.objectContaining({ name: 'an HTTP tunnel' })]);
  });
});
