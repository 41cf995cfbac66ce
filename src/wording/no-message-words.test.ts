import { describe, expect, test } from 'vitest';
import { TRANSPORTS } from '#engine/frame/transport/transports.ts';
import { emptyCaptureWords, lossWords, noMessageWords } from './no-message-words.ts';
import { TERMS } from './terms.ts';

const plain = (text: string | undefined): string | undefined => text?.replaceAll('\u00a0', ' ');

test.each([
  ['empty', 'empty', 'a.bin is empty: it has 0 bytes.'],
  ['log', 'a text log', 'a.bin is a text log; it contains no message.'],
  ['json', 'JSON', 'a.bin is JSON; it contains no message.'],
  ['compressed', 'gzip', 'a.bin is gzip; no message is read from it.'],
  ['media', 'a PNG picture', 'a.bin is a PNG picture; it contains no message.'],
  ['curl', 'a trace by curl without its bytes', 'a.bin is a trace by curl without its bytes; it contains no message.'],
  ['captured', 'a snoop capture', 'a.bin is a snoop capture; no message is read from it.'],
  ['recorded', 'an MCAP recording', 'a.bin is an MCAP recording; no message is read from it.'],
] as const)('%s', (kind, what, says) => {
  const words = noMessageWords('a.bin', { kind, what }, []);
  expect(words.says).toBe(says);
  expect(words.next).toMatch(/^[A-Z].+/);
});

const cutWords = (cut: Parameters<typeof lossWords>[0]['cut'], packets: number) =>
  lossWords({ packets, cut, missing: null })[0];

describe('packets cut by a snap length', () => {
  test('number, length, and the option that keeps them complete', () => {
    const words = cutWords({ count: 29, bytes: 914_390, kept: 600, first: 7, last: 67 }, 263);
    expect(plain(words?.says)).toBe(
      '29 of 263 packets are cut (packets 7 to 67): the capture kept at most 600 bytes of a packet, and 914,390 bytes are missing.',
    );
    expect(words?.next).toContain('tcpdump -s 0');
  });

  test.each([
    [1, 9, '1 of 9 packets is cut (packet 3)'],
    [9, 9, 'All 9 packets are cut (packets 3 to 9)'],
    [1, 1, 'The only packet is cut (packet 3)'],
  ])('%s of %s', (count, packets, says) =>
    expect(cutWords({ count, bytes: 1, kept: 96, first: 3, last: 9 }, packets)?.says).toContain(says),
  );

  test('none', () => expect(cutWords(null, 9)).toBeUndefined());
});

test.each([
  [
    { gaps: 1, bytes: 1, connections: 1, flow: 'a → b' },
    'Packets are missing: 1 byte that was sent is not in the capture (a gap of one connection, a → b).',
  ],
  [
    { gaps: 3, bytes: 2896, connections: 1, flow: 'a → b' },
    'Packets are missing: 2,896 bytes that were sent are not in the capture (3 gaps of one connection, a → b).',
  ],
  [
    { gaps: 3, bytes: 2896, connections: 2, flow: 'a → b' },
    'Packets are missing: 2,896 bytes that were sent are not in the capture (3 gaps of 2 connections, first a → b).',
  ],
  [
    { gaps: 1, bytes: 9, connections: 1, flow: '' },
    'Packets are missing: 9 bytes that were sent are not in the capture (a gap of one connection).',
  ],
  [
    { gaps: 3, bytes: 9, connections: 2, flow: '' },
    'Packets are missing: 9 bytes that were sent are not in the capture (3 gaps of 2 connections).',
  ],
])('packets missing from the capture: %o', (missing, says) => {
  const [cut, words] = lossWords({ packets: 9, cut: { count: 1, bytes: 1, kept: 96, first: 3, last: 3 }, missing });
  expect(cut?.says).toContain('1 of 9 packets is cut');
  expect(plain(words?.says)).toBe(says);
  expect(words?.next).toContain('tcpdump -B');
});

describe('a capture without a message gives the reason once', () => {
  const cut = { count: 4, bytes: 2000, kept: 96, first: 4, last: 12 };
  const layers = { http1: 0, http2: 0, message: 0, compressed: 0, incomplete: 0, 'other-bodies': 0 };
  const none = { format: 'pcap', packets: 12, cut: null, missing: null, traffic: [], layers, diagnostics: [] };
  const missing = { gaps: 1, bytes: 2000, connections: 1, flow: 'a → b' };
  const of = (name: string, isEncrypted: boolean) =>
    ({ name, unit: 'connection', count: 2, bytes: 9, isEncrypted, start: 0, end: 9, streams: [] }) as const;
  const finding = (code: string, message = '') => ({ code, severity: 'warning', message }) as const;
  test.each([
    ['packets are cut', { ...none, cut }, 'No message of x is complete. 4 of 12 packets are cut', 'tcpdump -s 0'],
    [
      'packets are missing',
      { ...none, missing },
      'No message of x is complete. Packets are missing: 2,000',
      'tcpdump -B',
    ],
    ['no packet', { ...none, packets: 0 }, 'x is a pcap capture without packets.', 'Capture again'],
    [
      'packets that cannot be read',
      { ...none, packets: 0, diagnostics: [{ code: 'capture/x', severity: 'error', message: 'A reason.' } as const] },
      'No packet of x can be read. A reason.',
      'Capture again',
    ],
    ['no body', { ...none, format: 'har', packets: 0 }, 'x holds no request or response', 'HAR with content'],
    [
      'no body through mitmproxy',
      { ...none, format: 'mitmproxy', packets: 0 },
      'x holds no request or response',
      'store_streamed_bodies',
    ],
    [
      'no message in gRPC’s binary log',
      { ...none, format: 'grpc-log', packets: 0 },
      'x holds no request or response',
      'GRPC_BINARY_LOG_FILTER',
    ],
    [
      'bodies that Envoy’s tap cut',
      { ...none, format: 'envoy-tap', packets: 0 },
      'x holds no request or response',
      'max_buffered_rx_bytes',
    ],
    [
      'a connection through mitmproxy',
      { ...none, format: 'mitmproxy', packets: 0, traffic: [of('Redis', false)] },
      'x holds no message that can be read. It holds 2 connections of Redis.',
      'Messages are read from',
    ],
    [
      'other bodies',
      { ...none, format: 'har', packets: 0, layers: { ...layers, 'other-bodies': 9 } },
      'x holds no request or response',
      'Capture the calls',
    ],
    [
      'other bodies, and some without contents',
      {
        ...{ ...none, format: 'har', packets: 0, layers: { ...layers, 'other-bodies': 9 } },
        diagnostics: [finding('http/no-contents')],
      },
      'x holds no request or response',
      'HAR with content',
    ],
    [
      'encrypted',
      { ...none, traffic: [of('TLS', true), of('Redis', false)], diagnostics: [finding('tls/no-key')] },
      'x holds no message that can be read. It holds 2 connections of TLS, encrypted; 2 connections of Redis.',
      'TLS is read with its keys: drop or paste a key log (SSLKEYLOGFILE), or give it with --keys on the command line. Or capture where',
    ],
    [
      'encrypted, the keys do not fit',
      { ...none, traffic: [of('TLS', true)], diagnostics: [finding('tls/wrong-key')] },
      'It holds 2 connections of TLS, encrypted.',
      'TLS is read with its keys',
    ],
    [
      'encrypted, with a suite that keys do not help',
      { ...none, traffic: [of('TLS', true)], diagnostics: [finding('tls/not-read')] },
      'It holds 2 connections of TLS, encrypted.',
      /^Capture where it is not encrypted/,
    ],
    [
      'encrypted, without the beginning of the connection',
      { ...none, traffic: [of('TLS', true)] },
      'It holds 2 connections of TLS, encrypted.',
      'TLS is read with its keys',
    ],
    [
      'encrypted, but not TLS',
      { ...none, traffic: [of('SSH', true)] },
      'It holds 2 connections of SSH, encrypted.',
      /^Capture where it is not encrypted/,
    ],
    [
      'connections in a tunnel, beside encrypted ones',
      { ...none, traffic: [of('VXLAN', false), of('SSH', true)] },
      'It holds 2 connections of VXLAN; 2 connections of SSH, encrypted.',
      /^Connections inside VXLAN are not read\. Capture inside the tunnel: /,
    ],
    [
      'fewer bytes in a tunnel than beside it',
      { ...none, traffic: [of('Redis', false), of('GRE', false)] },
      'It holds 2 connections of Redis; 2 connections of GRE.',
      'Capture from the start of the connections',
    ],
    [
      'four kinds of traffic, the first three named',
      { ...none, traffic: ['Redis', 'MySQL', 'SMTP', 'FTP'].map((name) => of(name, false)) },
      'It holds 2 connections of Redis; 2 connections of MySQL; 2 connections of SMTP and others.',
      'Messages are read from',
    ],
    [
      'three kinds of traffic',
      { ...none, traffic: ['Redis', 'MySQL', 'SMTP'].map((name) => of(name, false)) },
      'It holds 2 connections of Redis; 2 connections of MySQL; 2 connections of SMTP.',
      'Messages are read from',
    ],
    [
      'other traffic beside bodies of another kind',
      { ...none, traffic: [of('Redis', false)], layers: { ...layers, http1: 90, 'other-bodies': 720 } },
      'It holds 2 connections of Redis; 720\u00a0bytes of other HTTP bodies',
      'Messages are read from',
    ],
    [
      'HTTP/2 with a message that is not complete',
      { ...none, layers: { ...layers, http2: 90, incomplete: 4 } },
      'x holds no message that can be read.',
      'Messages are read from',
    ],
    [
      'bodies of another kind',
      { ...none, layers: { ...layers, http1: 90, 'other-bodies': 720 } },
      'It holds 720\u00a0bytes of other HTTP bodies',
      'whose requests or responses are messages',
    ],
    [
      'HTTP without a body',
      { ...none, layers: { ...layers, http1: 90 } },
      'x holds HTTP without a message. No request or response in it has a body.',
      'whose requests or responses are messages',
    ],
    [
      'HTTP with a fault',
      {
        ...none,
        layers: { ...layers, http1: 90 },
        diagnostics: [
          finding('frame/cut', 'It ends early.'),
          {
            ...finding('http1/bad-length'),
            severity: 'error',
            message: 'Content-Length “two” is not a length: the end of the body is unknown.',
          },
        ] as const,
      },
      'x holds HTTP without a message. Content-Length “two” is not a length',
      'whose requests or responses are messages',
    ],
    [
      'HTTP with a body whose first chunk has no size',
      {
        ...none,
        layers: { ...layers, http1: 90 },
        diagnostics: [finding('http1/incomplete', 'The body of POST /a has a chunk without a size.')] as const,
      },
      'x holds HTTP without a message. The body of POST /a has a chunk without a size.',
      'whose requests or responses are messages',
    ],
    ['nothing that is known', none, 'x holds no message that can be read.', 'A framing of your own can be described'],
  ])('%s', (_, facts, says, next) => {
    const words = emptyCaptureWords('x', facts);
    expect(words.says).toContain(says);
    expect(words.next).toMatch(next);
  });

  test.each(TRANSPORTS.map(({ label }) => label))('%s is among the transports that are named', (label) => {
    const name = /gRPC|^[\w-]+(?: protobuf)?/.exec(label)![0].toLowerCase();
    for (const words of [emptyCaptureWords('x', none).next, TERMS['column-transport'].says])
      expect(words.toLowerCase()).toContain(name);
  });
});

test('the reason that a file was not unpacked comes first', () => {
  const large = {
    code: 'compression/limit',
    message: 'The file cannot be unwrapped (gzip): more than 9 bytes come out.',
  };
  const words = noMessageWords('a.tgz', { kind: 'compressed', what: 'gzip' }, [large]);
  expect(words.next).toBe(`${large.message} Unpack it, and open what comes out.`);
});
