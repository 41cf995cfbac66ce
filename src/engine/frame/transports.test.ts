/** Each transport on conversations written here byte by byte: what it makes of them, and what of a broken one. */
import { deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../bytes/source.ts';
import { sumLayers } from '../capture/packets-layers.ts';
import { type Saying, writeConversation } from '../capture/packets-writer.ts';
import { type CaptureOptions, readCapture } from './read-capture.ts';

type Part = string | readonly number[] | Uint8Array;

const bytes = (...parts: readonly Part[]): Uint8Array =>
  new Uint8Array(parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : [...part])));

const says = (side: 0 | 1, ...parts: readonly Part[]): Saying => ({ side, bytes: bytes(...parts) });
const loses = (side: 0 | 1, size: number): Saying => ({ side, bytes: new Uint8Array(size), lost: true });

/** Messages as `direction method status type: payload`, codes of the findings, and the layers that hold bytes. */
async function read(
  sayings: readonly Saying[],
  options: CaptureOptions & { readonly whole?: boolean; readonly segment?: number } = {},
) {
  const file = writeConversation(sayings, options);
  const messages: string[] = [];
  const facts = await readCapture(
    bytesSource('made', file),
    ({ direction, method, status, typeHint, transport }, payload) => {
      const title = [transport, direction, method, status, typeHint].filter((part) => part !== null).join(' ');
      messages.push(`${title}: ${Buffer.from(payload).toString('latin1')}`);
    },
    options,
  );
  expect(sumLayers(facts.layers)).toBe(file.length);
  const codes = facts.diagnostics.map(({ code }) => code);
  return { messages, codes, layers: facts.layers };
}

const int = (value: number): number[] => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
const short = (text: string): number[] => [text.length, ...Buffer.from(text)];

describe('OpenSearch', () => {
  const frame = (id: number, status: number, header: readonly number[], body: Uint8Array | string): Uint8Array => {
    const content = typeof body === 'string' ? bytes(body) : body;
    return bytes(
      'ES',
      int(17 + header.length + content.length),
      int(0),
      int(id),
      [status],
      int(0x08216bdb),
      int(header.length),
      header,
      content,
    );
  };
  const request = (id: number, action: string, body: Uint8Array | string, status = 0): Uint8Array =>
    frame(id, status, [1, ...short('X-Opaque-Id'), ...short('me'), 0, 0, ...short(action)], body);
  const response = (id: number, body: Uint8Array | string, status = 1): Uint8Array => frame(id, status, [0, 0], body);
  const ping = bytes('ES', [255, 255, 255, 255]);
  const dfl = (text: string): Uint8Array => bytes('DFL\0', deflateRawSync(text));

  test.each([
    [
      'a request and its response',
      [says(0, request(7, 'a:b', 'ask')), says(1, response(7, 'answer'))],
      ['request a:b: ask', 'response a:b ok: answer'],
    ],
    [
      'pings between',
      [says(0, ping, request(7, 'a:b', 'ask'), ping), says(1, ping, response(7, ''))],
      ['request a:b: ask', 'response a:b ok: '],
    ],
    [
      'an error',
      [says(0, request(7, 'a:b', 'ask')), says(1, response(7, 'why', 3))],
      ['request a:b: ask', 'response a:b error: why'],
    ],
    [
      'compressed',
      [says(0, request(7, 'a:b', dfl('ask'), 4)), says(1, response(7, dfl('answer'), 5))],
      ['request a:b: ask', 'response a:b ok: answer'],
    ],
    [
      'both sides ask under the same id',
      [
        says(0, request(7, 'a', '1')),
        says(1, request(7, 'b', '2')),
        says(0, response(7, '3')),
        says(1, response(7, '4')),
      ],
      ['request a: 1', 'request b: 2', 'response b ok: 3', 'response a ok: 4'],
    ],
    ['a response whose request was never captured', [says(1, response(9, 'answer'))], ['response ok: answer']],
    [
      'a response captured before its request',
      [says(1, response(7, 'answer')), says(0, request(7, 'a:b', 'ask'))],
      ['request a:b: ask', 'response a:b ok: answer'],
    ],
  ])('%s', async (_name, sayings, expected) => {
    for (const segment of [1, 7, 1460]) {
      const { messages, codes, layers } = await read(sayings, { segment });
      expect(messages).toEqual(expected.map((line) => `opensearch ${line}`));
      expect(codes).toEqual([]);
      expect(layers.unattributed + layers.incomplete).toBe(0);
    }
  });

  test('a hole within a body: that frame is lost, the next is in step', async () => {
    const long = request(1, 'a:b', 'x'.repeat(100));
    const { messages, codes } = await read([
      says(0, long.subarray(0, 70)),
      loses(0, 20),
      says(0, long.subarray(90), request(2, 'c:d', 'next')),
      says(1, response(1, 'answer')),
    ]);
    expect(messages).toEqual(['opensearch response a:b ok: answer', 'opensearch request c:d: next']);
    expect(codes).toEqual(['stream/hole', 'opensearch/incomplete']);
  });

  test('a hole over the end of a frame: reading goes on at the next marker', async () => {
    const long = request(1, 'a:b', 'x'.repeat(100));
    const { messages, codes } = await read([
      says(0, long.subarray(0, 70)),
      loses(0, 200),
      says(0, 'yyyyES yyyy', request(2, 'c:d', 'next')),
    ]);
    expect(messages).toEqual(['opensearch request c:d: next']);
    expect(codes).toEqual(['stream/hole', 'opensearch/incomplete', 'opensearch/resynchronised']);
  });

  test('met within a frame', async () => {
    const { messages, layers } = await read([says(0, 'rest of a frame', request(2, 'c:d', 'next'))], { whole: false });
    expect(messages).toEqual(['opensearch request c:d: next']);
    expect(layers.unattributed).toBe(15);
  });

  test('a capture that ends within a frame', async () => {
    const { messages, codes } = await read([says(0, request(1, 'a', '1'), request(2, 'b', 'xxxx').subarray(0, -2))]);
    expect(messages).toEqual(['opensearch request a: 1']);
    expect(codes).toEqual(['opensearch/incomplete']);
  });

  test('before 7.6 there is no variable header', async () => {
    const old = bytes('ES', int(13 + 4), int(0), int(3), [0], int(7_050_099), 'body');
    expect((await read([says(0, old)])).messages).toEqual(['opensearch request: body']);
  });

  test.each([
    ['a body that is no deflate', [says(0, request(1, 'a', bytes('DFL\0', [7, 7, 7]), 4))], 'compression/malformed'],
    ['a body larger than the limit', [says(0, request(1, 'a', dfl('x'.repeat(10_000)), 4))], 'compression/limit'],
    ['a frame larger than the limit', [says(0, request(1, 'a', 'x'.repeat(2000)))], 'opensearch/too-large'],
    ['a header that is none', [says(0, frame(1, 0, [9, 9, 9], 'body'))], 'opensearch/header'],
  ])('%s is told', async (_name, sayings, code) => {
    expect((await read([...sayings, says(0, request(2, 'b', 'next'))], { limit: 1500 })).codes).toContain(code);
  });
});

describe('HTTP/1.1', () => {
  const post = (path: string, body: Uint8Array | string, ...headers: readonly string[]): Uint8Array => {
    const content = typeof body === 'string' ? bytes(body) : body;
    return bytes(
      `POST ${path} HTTP/1.1\r\nContent-Length: ${content.length}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`,
      content,
    );
  };
  const ok = bytes('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  const PROTOBUF = 'Content-Type: application/x-protobuf';

  test.each([
    [
      'remote write 1',
      [says(0, post('/api/v1/write', bytes([2, 4], 'hi'), PROTOBUF, 'Content-Encoding: snappy')), says(1, ok)],
      ['http1 request POST /api/v1/write prometheus.WriteRequest: hi'],
    ],
    [
      'remote write 2',
      [says(0, post('/w', 'v2', `${PROTOBUF};proto=io.prometheus.write.v2.Request`)), says(1, ok)],
      ['http1 request POST /w io.prometheus.write.v2.Request: v2'],
    ],
    [
      'pipelined',
      [
        says(0, post('/a', '1', PROTOBUF), post('/b', '2', PROTOBUF)),
        says(1, 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n3HTTP/1.1 201 OK\r\nContent-Length: 1\r\n\r\n4'),
      ],
      [
        'http1 request POST /a: 1',
        'http1 request POST /b: 2',
        'http1 response POST /a 200: 3',
        'http1 response POST /b 201: 4',
      ],
    ],
    [
      'chunked',
      [
        says(
          0,
          `POST /a HTTP/1.1\r\n${PROTOBUF}\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nTrailer: t\r\n\r\n`,
          post('/b', 'next', PROTOBUF),
        ),
      ],
      ['http1 request POST /a: abcde', 'http1 request POST /b: next'],
    ],
    [
      'gzip',
      [says(0, post('/v1/traces', gzipSync('spans'), PROTOBUF, 'Content-Encoding: gzip'))],
      ['http1 request POST /v1/traces opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest: spans'],
    ],
    [
      'to the end of the connection',
      [says(0, 'GET /x HTTP/1.0\r\n\r\n'), says(1, `HTTP/1.0 200 OK\r\n${PROTOBUF}\r\n\r\nall`, 'of it')],
      ['http1 response GET /x 200: allof it'],
    ],
    [
      'HEAD, 100, 204 and 304 have no body',
      [
        says(0, 'HEAD /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\nGET /c HTTP/1.1\r\n\r\nGET /d HTTP/1.1\r\n\r\n'),
        says(
          1,
          'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No\r\n\r\nHTTP/1.1 304 Not\r\nContent-Length: 9\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nd',
        ),
      ],
      ['http1 response GET /d 200: d'],
    ],
    [
      'text is no message',
      [
        says(0, 'GET /metrics HTTP/1.1\r\n\r\n'),
        says(1, 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nup'),
      ],
      [],
    ],
    [
      'a response captured before its request',
      [says(1, 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n!'), says(0, post('/a', '1', PROTOBUF))],
      ['http1 response 200: !', 'http1 request POST /a: 1'],
    ],
    [
      'gRPC-web',
      [
        says(
          0,
          post(
            '/p.S/M',
            bytes([0, 0, 0, 0, 2], 'hi', [0, 0, 0, 0, 1], '!'),
            'Content-Type: application/grpc-web+proto',
          ),
        ),
        says(
          1,
          'HTTP/1.1 200 OK\r\nContent-Type: application/grpc-web-text\r\nContent-Length: 36\r\n\r\n',
          Buffer.from(bytes([0, 0, 0, 0, 2], 'ok', [128, 0, 0, 0, 13], 'grpc-status:0')).toString('base64'),
        ),
      ],
      ['grpc-web request POST /p.S/M: hi', 'grpc-web request POST /p.S/M: !', 'grpc-web response POST /p.S/M 200: ok'],
    ],
    [
      'Connect',
      [
        says(
          0,
          post('/p.S/M', 'hi', 'Content-Type: application/proto'),
          post(
            '/p.S/N',
            bytes([1, 0, 0, 0, 24], gzipSync('four'), [2, 0, 0, 0, 2], '{}'),
            'Content-Type: application/connect+proto',
            'Connect-Content-Encoding: gzip',
          ),
        ),
      ],
      ['connect request POST /p.S/M: hi', 'connect request POST /p.S/N: four'],
    ],
  ])('%s', async (_name, sayings, expected) => {
    for (const segment of [1, 7, 1460]) {
      const { messages, codes, layers } = await read(sayings, { segment });
      expect(messages.toSorted()).toEqual([...expected].sort());
      expect(codes).toEqual([]);
      expect(layers.unattributed + layers.incomplete).toBe(0);
    }
  });

  test('a hole within a body: that message is lost, the next is in step', async () => {
    const first = post('/a', 'x'.repeat(100), PROTOBUF);
    const { messages, codes } = await read([
      says(0, first.subarray(0, -60)),
      loses(0, 30),
      says(0, first.subarray(-30), post('/b', 'next', PROTOBUF)),
    ]);
    expect(messages).toEqual(['http1 request POST /b: next']);
    expect(codes).toEqual(['stream/hole', 'http1/incomplete']);
  });

  test('a hole over a head: reading goes on at the next one', async () => {
    const { messages, codes } = await read([
      says(0, post('/a', '1', PROTOBUF)),
      loses(0, 30),
      says(0, 'rest', post('/b', 'next', PROTOBUF)),
    ]);
    expect(messages).toEqual(['http1 request POST /a: 1', 'http1 request POST /b: next']);
    expect(codes).toEqual(['stream/hole', 'http1/resynchronised']);
  });

  test('zstd waits for its decoder, and the order stays', async () => {
    const sayings = [says(0, post('/a', 'zipped', PROTOBUF, 'Content-Encoding: zstd'), post('/b', 'next', PROTOBUF))];
    expect((await read(sayings)).codes).toEqual(['compression/missing']);
    const loaded = await read(sayings, {
      loadCodec: async (id) => (wire) => ({ ok: true, bytes: bytes(`${id} of `, wire) }),
    });
    expect(loaded.messages).toEqual(['http1 request POST /a: zstd of zipped', 'http1 request POST /b: next']);
    expect((await read(sayings, { loadCodec: async () => null })).messages).toEqual(['http1 request POST /b: next']);
  });
});

describe('HTTP/2', () => {
  const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
  const frame = (type: number, flags: number, stream: number, payload: Uint8Array | readonly number[]): Uint8Array =>
    bytes([0, payload.length >> 8, payload.length & 255, type, flags], int(stream), payload);
  const settings = frame(4, 0, 0, []);
  const literal = (name: string, value: string, enters = true): number[] => [
    enters ? 0x40 : 0,
    ...short(name),
    ...short(value),
  ];
  const GRPC = literal('content-type', 'application/grpc');
  const ask = (path: string): number[] => [0x83, ...literal(':path', path), ...GRPC];
  const message = (text: string | Uint8Array, flag = 0): Uint8Array => bytes([flag], int(text.length), text);
  const [DATA, HEADERS, CONTINUATION] = [0, 1, 9];
  const [END_STREAM, END_HEADERS] = [1, 4];
  const opens = says(0, PREFACE, settings, frame(HEADERS, END_HEADERS, 1, ask('/p.S/M')));

  test.each([
    [
      'several messages, across DATA frames',
      [
        opens,
        says(
          0,
          frame(DATA, 0, 1, bytes(message('one'), message('two').subarray(0, 3))),
          frame(DATA, END_STREAM, 1, message('two').subarray(3)),
        ),
      ],
      ['request /p.S/M: one', 'request /p.S/M: two'],
    ],
    [
      'a response with its status from the trailers',
      [
        opens,
        says(0, frame(DATA, END_STREAM, 1, message('ask'))),
        says(
          1,
          settings,
          frame(HEADERS, END_HEADERS, 1, [0x88, ...GRPC]),
          frame(DATA, 0, 1, bytes(message('a'), message('b'))),
          frame(HEADERS, END_HEADERS | END_STREAM, 1, literal('grpc-status', '5')),
        ),
      ],
      ['request /p.S/M: ask', 'response /p.S/M: a', 'response /p.S/M 5: b'],
    ],
    [
      'a header block in pieces',
      [
        says(
          0,
          PREFACE,
          frame(HEADERS, 0, 1, ask('/p.S/M').slice(0, 5)),
          frame(CONTINUATION, 0, 1, ask('/p.S/M').slice(5, 9)),
          frame(CONTINUATION, END_HEADERS, 1, ask('/p.S/M').slice(9)),
          frame(DATA, 1, 1, message('one')),
        ),
      ],
      ['request /p.S/M: one'],
    ],
    [
      'padding and priority',
      [
        says(
          0,
          PREFACE,
          frame(HEADERS, END_HEADERS | 8 | 32, 1, [3, 0, 0, 0, 0, 9, ...ask('/p.S/M'), 0, 0, 0]),
          frame(DATA, 8 | END_STREAM, 1, bytes([2], message('one'), [0, 0])),
        ),
      ],
      ['request /p.S/M: one'],
    ],
    [
      'interleaved h2 streams, the second by the dynamic table',
      [
        opens,
        says(
          0,
          frame(HEADERS, END_HEADERS, 3, [0x83, 0xbf, 0xbe]),
          frame(DATA, 0, 1, message('one').subarray(0, 6)),
          frame(DATA, END_STREAM, 3, message('three')),
          frame(DATA, END_STREAM, 1, message('one').subarray(6)),
        ),
      ],
      ['request /p.S/M: three', 'request /p.S/M: one'],
    ],
    ['an empty message', [opens, says(0, frame(DATA, END_STREAM, 1, message('')))], ['request /p.S/M: ']],
    [
      'gzip by flag',
      [
        says(
          0,
          PREFACE,
          frame(HEADERS, END_HEADERS, 1, [...ask('/p.S/M'), ...literal('grpc-encoding', 'gzip')]),
          frame(DATA, END_STREAM, 1, bytes(message(gzipSync('one'), 1), message('two'))),
        ),
      ],
      ['request /p.S/M: one', 'request /p.S/M: two'],
    ],
  ])('gRPC: %s', async (_name, sayings, expected) => {
    for (const segment of [1, 7, 1460]) {
      const { messages, codes, layers } = await read(sayings, { segment });
      expect(messages).toEqual(expected.map((line) => `grpc ${line}`));
      expect(codes).toEqual([]);
      expect(layers.unattributed + layers.incomplete).toBe(0);
    }
  });

  test('a body that is not gRPC', async () => {
    const head = [0x83, ...literal(':path', '/v1/logs'), ...literal('content-type', 'application/x-protobuf')];
    const { messages } = await read([
      says(
        0,
        PREFACE,
        frame(HEADERS, END_HEADERS, 1, head),
        frame(DATA, 0, 1, bytes('lo')),
        frame(DATA, END_STREAM, 1, bytes('gs')),
      ),
    ]);
    expect(messages).toEqual([
      'http2 request POST /v1/logs opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest: logs',
    ]);
  });

  test('met in its middle: headers unknown, messages found', async () => {
    const { messages, codes } = await read(
      [
        says(
          0,
          frame(HEADERS, END_HEADERS, 7, [0x83, 0xbf, 0xbe]),
          frame(DATA, END_STREAM, 7, message(gzipSync('one'), 1)),
        ),
        says(1, frame(HEADERS, END_HEADERS, 7, [0x88, 0xc0]), frame(DATA, 0, 7, message('two'))),
      ],
      { whole: false },
    );
    expect(messages).toEqual(['grpc request: one', 'grpc response: two']);
    expect(codes).toEqual(['http2/headers-unknown']);
  });

  test('a hole within DATA: that message is lost, the next is in step', async () => {
    const data = frame(DATA, 0, 1, bytes(message('x'.repeat(100)), message('two')));
    const { messages, codes } = await read([
      opens,
      says(0, data.subarray(0, 50)),
      loses(0, 20),
      says(0, data.subarray(70), frame(DATA, 1, 1, message('three'))),
    ]);
    expect(messages).toEqual(['grpc request /p.S/M: two', 'grpc request /p.S/M: three']);
    expect(codes).toEqual(['stream/hole', 'grpc/incomplete']);
  });

  test('a hole over frames: reading goes on, headers no longer refer to what was lost', async () => {
    const { messages, codes } = await read([
      opens,
      says(0, frame(DATA, 0, 1, message('one'))),
      loses(0, 60),
      says(0, [1, 2, 3], frame(HEADERS, END_HEADERS, 3, ask('/p.S/N')), frame(DATA, END_STREAM, 3, message('three'))),
    ]);
    expect(messages).toEqual(['grpc request /p.S/M: one', 'grpc request /p.S/N: three']);
    expect(codes).toEqual(['stream/hole', 'http2/resynchronised']);
  });

  test.each([
    [
      'a message that claims 3 GB',
      [opens, says(0, frame(DATA, 0, 1, bytes([0, 0xc0, 0, 0, 0], 'x')))],
      'grpc/too-large',
    ],
    [
      'an h2 stream that ends within a message',
      [opens, says(0, frame(DATA, END_STREAM, 1, message('one').subarray(0, -1)))],
      'grpc/incomplete',
    ],
    ['a prefix that is none', [opens, says(0, frame(DATA, END_STREAM, 1, bytes([9], 'xxxxxxxx')))], 'grpc/prefix'],
    [
      'a capture that ends within an h2 frame',
      [opens, says(0, frame(DATA, 0, 1, message('one')).subarray(0, -1))],
      'http2/incomplete',
    ],
  ])('%s is told', async (_name, sayings, code) => {
    expect((await read(sayings)).codes).toContain(code);
  });
});

describe('size-prefixed protobuf', () => {
  /** Field 1 a varint, field 2 text. */
  const message = (text: string): Uint8Array => bytes([8, text.length, 0x12], short(text));
  const texts = ['first', 'the second one', 'third', 'fourth'];
  const behind = (prefix: (size: number) => readonly number[]): Uint8Array =>
    bytes(...texts.flatMap((text) => [prefix(message(text).length), message(text)]));
  const expected = (id: string): string[] =>
    texts.map((text) => `${id}: ${Buffer.from(message(text)).toString('latin1')}`);

  test.each<[string, (size: number) => readonly number[]]>([
    ['tcp-varint', (size) => [size]],
    ['tcp-4be', (size) => int(size)],
    ['tcp-4le', (size) => int(size).reverse()],
    ['tcp-2be', (size) => [0, size]],
    ['tcp-2le', (size) => [size, 0]],
  ])('%s', async (id, prefix) => {
    for (const segment of [1, 7, 1460]) {
      const { messages, layers } = await read([says(0, behind(prefix)), says(1, behind(prefix))], { segment });
      expect(messages.toSorted()).toEqual([...expected(id), ...expected(id)].sort());
      expect(layers.unattributed).toBe(0);
    }
  });

  test('a hole within a message: that one is lost, the next is in step', async () => {
    const said = bytes(
      behind((size) => [size]),
      [101],
      message('x'.repeat(97)).subarray(0, 50),
    );
    const after = bytes(message('x'.repeat(97)).subarray(60), [message('next').length], message('next'));
    const { messages, codes } = await read([says(0, said), loses(0, 10), says(0, after)]);
    expect(messages.at(-1)).toContain('next');
    expect(messages.length).toBe(texts.length + 1);
    expect(codes).toEqual(['stream/hole']);
  });

  test('a side that stops looking like messages is not read on', async () => {
    const { messages, codes, layers } = await read([
      says(
        0,
        behind((size) => [size]),
        [4, 0, 0, 0, 0],
        'more',
      ),
    ]);
    expect(messages.length).toBe(texts.length);
    expect([codes, layers.unattributed]).toEqual([['size-prefix/lost'], 9]);
  });
});

test.each([
  ['TLS', bytes([0x16, 3, 1, 0, 5], 'hello'), ['frame/encrypted']],
  ['an unknown protocol', bytes('+PONG\r\n'), []],
])('%s is unattributed', async (_name, said, expected) => {
  const { messages, codes, layers } = await read([says(0, said)]);
  expect(messages).toEqual([]);
  expect(codes).toEqual(expected);
  expect(layers.unattributed).toBe(said.length);
});
