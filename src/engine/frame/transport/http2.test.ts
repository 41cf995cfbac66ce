import { readFileSync } from 'node:fs';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Saying } from '../../capture/containers/packets-writer.testing.ts';
import { decoders } from '../../compression/kernel.ts';
import { bytes, int, loses, read, says, short } from '../conversation.testing.ts';

/** A stream of one chunk that is not compressed. */
function snappyFramed(plain: Uint8Array): Uint8Array {
  const sum = decoders.sum('crc32c', plain);
  const masked = ((((sum >>> 15) | (sum << 17)) >>> 0) + 0xa282ead8) >>> 0;
  const size = plain.length + 4;
  const head = [1, size & 255, size >> 8, 0, ...int(masked).reverse()];
  return bytes([0xff, 6, 0, 0], 'sNaPpY', head, plain);
}

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
  /** Records 1: text, 2: varint. */
  const record = (text: string): Uint8Array => bytes([10, text.length], text, [16, 7]);
  const [DATA, HEADERS, RST_STREAM, PUSH_PROMISE, PING, CONTINUATION] = [0, 1, 3, 5, 6, 9];
  const [END_STREAM, END_HEADERS] = [1, 4];
  const opens = says(0, PREFACE, settings, frame(HEADERS, END_HEADERS, 1, ask('/p.S/M')));

  test.each([
    ['whole', [], true],
    ['captured from its middle', [says(1, frame(PING, 0, 0, new Uint8Array(8)))], false],
  ])('a pushed response has the method of its promise, and a status of its own: %s', async (_, first, whole) => {
    const asks = [0x82, ...literal(':path', '/main')];
    const promise = bytes(int(2), [0x82, ...literal(':path', '/pushed')]);
    const type = literal('content-type', 'application/x-protobuf');
    const { messages, codes } = await read(
      [
        ...first,
        says(0, ...(whole ? [PREFACE, settings] : []), frame(HEADERS, END_HEADERS | END_STREAM, 1, asks)),
        says(
          1,
          settings,
          frame(PUSH_PROMISE, 0, 1, promise.subarray(0, 9)),
          frame(CONTINUATION, END_HEADERS, 1, promise.subarray(9)),
          frame(HEADERS, END_HEADERS, 2, [0x8d, ...type, ...literal('content-encoding', 'gzip')]),
          frame(DATA, END_STREAM, 2, gzipSync(record('pushed'))),
          frame(HEADERS, END_HEADERS, 1, [0x88, ...type]),
          frame(DATA, END_STREAM, 1, record('main')),
        ),
      ],
      { whole },
    );
    const text = (of: string) => Buffer.from(record(of)).toString('latin1');
    expect(messages).toEqual([
      `http2 response GET /pushed 404: ${text('pushed')}`,
      `http2 response GET /main 200: ${text('main')}`,
    ]);
    expect(codes).toEqual([]);
  });

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
      'a response of which the client reads a part before it sends more',
      [
        opens,
        says(0, frame(DATA, 0, 1, message('one'))),
        says(1, settings, frame(HEADERS, END_HEADERS, 1, [0x88, ...GRPC]), frame(DATA, 0, 1, message('a'))),
        says(0, frame(DATA, 0, 1, message('two'))),
        says(1, frame(DATA, 0, 1, message('b'))),
        says(0, frame(DATA, END_STREAM, 1, [])),
        says(1, frame(HEADERS, END_HEADERS | END_STREAM, 1, literal('grpc-status', '0'))),
      ],
      ['request /p.S/M: one', 'response /p.S/M: a', 'request /p.S/M: two', 'response /p.S/M 0: b'],
    ],
    [
      'messages in JSON',
      [
        says(
          0,
          PREFACE,
          frame(HEADERS, END_HEADERS, 1, [
            0x83,
            ...literal(':path', '/p.S/M'),
            ...literal('content-type', 'application/grpc+json'),
          ]),
          frame(DATA, END_STREAM, 1, message('{"a":1}')),
        ),
      ],
      ['request /p.S/M: {"a":1}'],
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

  const answers = says(1, settings, frame(HEADERS, END_HEADERS, 1, [0x88, ...GRPC]), frame(DATA, 0, 1, message('a')));
  const endsWell = says(1, frame(HEADERS, END_HEADERS | END_STREAM, 1, literal('grpc-status', '0')));
  const asks = (text: string) => says(0, frame(DATA, 0, 1, message(text)));
  const many = Array.from({ length: 65 }, () => '.'.repeat(65_000));
  test.each([
    [
      'the rest of a request behind it leaves it its status',
      [
        opens,
        says(0, frame(DATA, 0, 1, message('ask').subarray(0, 6))),
        answers,
        says(0, frame(DATA, 0, 1, message('ask').subarray(6))),
        endsWell,
      ],
      ['request: ask', 'response 0: a'],
    ],
    [
      'a whole first request behind it leaves it its status',
      [opens, answers, asks('ask'), endsWell],
      ['request: ask', 'response 0: a'],
    ],
    [
      'other requests behind it leave it its status, and come behind it',
      [
        ...[opens, asks('one'), answers, asks('two')],
        says(0, frame(DATA, 0, 1, message('three').subarray(0, 6))),
        says(0, frame(DATA, 0, 1, message('three').subarray(6))),
        endsWell,
      ],
      ['request: one', 'response 0: a', 'request: two', 'request: three'],
    ],
    [
      'requests behind it wait up to 4 MiB',
      [opens, asks('one'), answers, ...many.map(asks), endsWell],
      ['request: one', 'response: a', ...many.map((text) => `request: ${text}`)],
    ],
  ])('gRPC: a response waits for its status: %s', async (_name, sayings, expected) => {
    const { messages } = await read(sayings);
    expect(messages.map((line) => line.replace('grpc ', '').replace(' /p.S/M', ''))).toEqual(expected);
  });

  const ended = (...fields: readonly (readonly [string, string])[]) =>
    frame(HEADERS, END_HEADERS | END_STREAM, 1, [
      0x88,
      ...GRPC,
      ...fields.flatMap(([name, value]) => literal(name, value)),
    ]);
  const trailers = (status: string) => frame(HEADERS, END_HEADERS | END_STREAM, 1, literal('grpc-status', status));
  const opensResponse = frame(HEADERS, END_HEADERS, 1, [0x88, ...GRPC]);

  test.each<[string, readonly Uint8Array[], string | null]>([
    ['in the only headers', [ended(['grpc-status', '5'], ['grpc-message', 'no'])], '5 (NOT_FOUND)'],
    ['in trailers', [opensResponse, trailers('14')], '14 (UNAVAILABLE)'],
    ['that has no name', [opensResponse, trailers('99')], '99'],
    ['in trailers, of which the headers were not captured', [trailers('5')], null],
    ['OK, of a stream without messages', [opensResponse, trailers('0')], null],
    ['behind a message, which has it', [opensResponse, frame(DATA, 0, 1, message('a')), trailers('5')], null],
  ])('gRPC: the status of a call without a response is a finding: %s', async (_name, answer, status) => {
    const asks = says(0, frame(DATA, END_STREAM, 1, message('ask')));
    const { diagnostics, layers } = await read([opens, asks, says(1, settings, ...answer)]);
    const text = `The call /p.S/M ended with grpc-status ${status} and without a response.`;
    expect(diagnostics.map(({ severity, message: said }) => `${severity}: ${said}`)).toEqual(
      status === null ? [] : [`info: ${text}`],
    );
    expect(layers.unattributed + layers.incomplete).toBe(0);
  });

  test('after an upgrade from HTTP/1.1 the request and its response are stream 1', async () => {
    const asked =
      'POST /p.S/One HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n' +
      'Content-Type: application/x-protobuf\r\nContent-Length: 3\r\n\r\nask';
    const switched = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
    const typed = literal('content-type', 'application/x-protobuf');
    const sayings = [
      says(0, asked),
      says(1, switched, settings),
      says(
        0,
        PREFACE,
        settings,
        frame(HEADERS, END_HEADERS, 3, ask('/p.S/Two')),
        frame(DATA, END_STREAM, 3, message('two')),
      ),
      says(1, frame(HEADERS, END_HEADERS, 1, [0x88, ...typed]), frame(DATA, END_STREAM, 1, bytes('answer'))),
      says(1, frame(HEADERS, END_HEADERS, 3, [0x88, ...GRPC]), frame(DATA, 0, 3, message('second'))),
      says(1, frame(HEADERS, END_HEADERS | END_STREAM, 3, literal('grpc-status', '0'))),
    ];
    for (const segment of [1, 7, 1460]) {
      const { messages, codes, layers } = await read(sayings, { segment });
      expect(messages).toEqual([
        'http1 request POST /p.S/One: ask',
        'grpc request /p.S/Two: two',
        'http2 response POST /p.S/One 200: answer',
        'grpc response /p.S/Two 0: second',
      ]);
      expect(codes).toEqual([]);
      expect(layers.unattributed + layers.incomplete).toBe(0);
    }
  });

  test('the request of gRPC that asks for the upgrade is read like any of gRPC', async () => {
    const head =
      'POST /p.S/One HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n' +
      'Content-Type: application/grpc\r\nTransfer-Encoding: chunked\r\n\r\n';
    const sayings = [
      says(0, head, '8\r\n', message('ask'), '\r\n0\r\n\r\n'),
      says(1, 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n', settings),
      says(0, PREFACE, settings),
      says(1, frame(HEADERS, END_HEADERS, 1, [0x88, ...GRPC]), frame(DATA, 0, 1, message('answer'))),
      says(1, frame(HEADERS, END_HEADERS | END_STREAM, 1, literal('grpc-status', '0'))),
    ];
    for (const segment of [1, 7, 1460]) {
      const { messages, codes, layers } = await read(sayings, { segment });
      expect(messages).toEqual(['grpc request /p.S/One: ask', 'grpc response /p.S/One 0: answer']);
      expect([codes, layers.grpc, layers['other-bodies']]).toEqual([[], 10, 0]);
    }
  });

  test('an upgrade that the server refuses leaves HTTP/1.1', async () => {
    const asked = 'GET /a HTTP/1.1\r\nUpgrade: h2c\r\n\r\n';
    const { messages, codes } = await read([
      says(0, asked),
      says(1, 'HTTP/1.1 200 OK\r\nContent-Type: application/x-protobuf\r\nContent-Length: 2\r\n\r\nno'),
      says(0, asked),
      says(1, 'HTTP/1.1 200 OK\r\nContent-Type: application/x-protobuf\r\nContent-Length: 3\r\n\r\nnor'),
    ]);
    expect(messages).toEqual(['http1 response GET /a 200: no', 'http1 response GET /a 200: nor']);
    expect(codes).toEqual([]);
  });

  const PAYLOAD = readFileSync(new URL('../../../../fixtures/input/codecfixture.rw1.binpb', import.meta.url));
  const ZSTD = readFileSync(new URL('../../../../fixtures/compression/codecfixture.rw1.binpb.zst', import.meta.url));

  test.each([
    ['gzip', new Uint8Array(gzipSync(PAYLOAD))],
    ['deflate', new Uint8Array(deflateSync(PAYLOAD))],
    ['snappy', snappyFramed(new Uint8Array(PAYLOAD))],
    ['zstd', new Uint8Array(ZSTD)],
  ])('gRPC: messages compressed by %s, named or not, among plain ones', async (name, packed) => {
    const body = bytes(message(packed, 1), message('plain'), message(packed, 1));
    for (const named of [literal('grpc-encoding', name), []]) {
      const { messages, codes, layers } = await read([
        says(0, PREFACE, frame(HEADERS, END_HEADERS, 1, [...ask('/p.S/M'), ...named])),
        says(0, frame(DATA, 0, 1, body.subarray(0, 50)), frame(DATA, END_STREAM, 1, body.subarray(50))),
      ]);
      const text = PAYLOAD.toString('latin1');
      expect(messages).toEqual([text, 'plain', text].map((plain) => `grpc request /p.S/M: ${plain}`));
      expect([codes, layers.compressed, layers.message]).toEqual([[], 2 * packed.length, 5]);
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

  test.each([
    ['gzip', gzipSync('hi'), 'hi'],
    ['a snappy block', bytes([14, 13 << 2, 10, 12], 'hello, world'), '\n\fhello, world'],
  ])('a body that shows a coding that no header names: %s', async (_name, body, plain) => {
    const head = [0x83, ...literal(':path', '/a'), ...literal('content-type', 'application/x-protobuf')];
    const { messages, codes } = await read([
      says(0, PREFACE, frame(HEADERS, END_HEADERS, 1, head), frame(DATA, END_STREAM, 1, body)),
    ]);
    expect([messages, codes]).toEqual([[`http2 request POST /a: ${plain}`], ['http/other-coding']]);
  });

  test("AWS's name of the operation is the method", async () => {
    const typed = literal('content-type', 'application/x-amz-json-1.1');
    const target = literal('x-amz-target', 'AmazonSSM.GetParameter');
    const { messages } = await read([
      says(0, PREFACE, frame(HEADERS, END_HEADERS, 1, [0x83, ...literal(':path', '/'), ...target, ...typed])),
      says(0, frame(DATA, END_STREAM, 1, bytes('{"Name":"a"}'))),
    ]);
    expect(messages).toEqual(['http2 request AmazonSSM.GetParameter: {"Name":"a"}']);
  });

  test('an empty body is a message with a time, where there may be a body', async () => {
    const typed = literal('content-type', 'application/x-protobuf');
    const ends = END_HEADERS | END_STREAM;
    const { messages, times } = await read([
      says(0, PREFACE, frame(HEADERS, ends, 1, [0x83, ...literal(':path', '/a'), ...typed])),
      says(0, frame(HEADERS, ends, 3, [...literal(':method', 'HEAD'), ...literal(':path', '/a'), ...typed])),
      says(1, settings, frame(HEADERS, ends, 3, [0x88, ...typed]), frame(HEADERS, ends, 1, [0x89, ...typed])),
    ]);
    expect(messages).toEqual(['http2 request POST /a: ']);
    expect(times).toEqual([expect.any(Number)]);
  });

  test('captured from its middle: headers are unknown, messages are found', async () => {
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

  test('a gap inside DATA loses that message; the next is read', async () => {
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

  test('a message of a stream of Connect has the time at which it began, and is given when it is whole', async () => {
    const head = [0x83, ...literal(':path', '/p.S/M'), ...literal('content-type', 'application/connect+proto')];
    const three = message('three');
    const { messages, times } = await read([
      says(0, PREFACE, frame(HEADERS, END_HEADERS, 1, head)),
      says(0, frame(DATA, 0, 1, message('one'))),
      says(0, frame(DATA, 0, 1, bytes(message('two'), three.subarray(0, 7)))),
      says(0, frame(DATA, 0, 1, three.subarray(7))),
    ]);
    expect(messages).toEqual(['one', 'two', 'three'].map((text) => `connect request POST /p.S/M: ${text}`));
    expect(times.map((time) => time! - times[0]!)).toEqual([0, 1, 1]);
  });

  test.each([
    ['inside a message', 20, ['one', 'three', 'four']],
    ['over the prefix of a message', 58, ['one', 'four']],
  ])(
    'a gap %s of a stream of Connect is one loss; reading continues at the next message',
    async (_, size, expected) => {
      const typed = literal('content-type', 'application/connect+proto');
      const [one, two, three, four] = [record('one'), record('x'.repeat(100)), record('three'), record('four')];
      const data = frame(DATA, 0, 1, bytes(...[one, two, three].map((each) => message(each))));
      const { messages, codes, layers } = await read([
        says(0, PREFACE, frame(HEADERS, END_HEADERS, 1, [0x83, ...literal(':path', '/p.S/M'), ...typed])),
        says(0, data.subarray(0, 75)),
        loses(0, size),
        says(0, data.subarray(75 + size), frame(DATA, END_STREAM, 1, bytes(message(four), message('{}', 2)))),
      ]);
      expect(messages).toEqual(
        expected.map((text) => `connect request POST /p.S/M: ${Buffer.from(record(text)).toString('latin1')}`),
      );
      expect(codes).toEqual(['stream/hole', 'grpc/incomplete']);
      const lost = expected.length === 2 ? [two, three] : [two];
      expect(layers.incomplete).toBe(lost.reduce((sum, { length }) => sum + 5 + length, -size));
      expect(layers.unattributed).toBe(0);
    },
  );

  test('after a gap over frames, reading continues, and headers do not refer to lost entries', async () => {
    const { messages, codes } = await read([
      opens,
      says(0, frame(DATA, 0, 1, message('one'))),
      loses(0, 60),
      says(0, [1, 2, 3], frame(HEADERS, END_HEADERS, 3, ask('/p.S/N')), frame(DATA, END_STREAM, 3, message('three'))),
    ]);
    expect(messages).toEqual(['grpc request /p.S/M: one', 'grpc request /p.S/N: three']);
    expect(codes).toEqual(['stream/hole', 'http2/resynchronised']);
  });

  describe('headers that are partly unknown', () => {
    /** Refers to an entry that no table here holds. */
    const UNKNOWN = 0xfe;
    const typed = (type: string): number[] => literal('content-type', type);
    const asks = (type: string) =>
      says(0, frame(HEADERS, END_HEADERS, 1, [0x83, ...literal(':path', '/p.S/M'), ...typed(type)]));
    const asksUntyped = (body: string) =>
      says(
        0,
        frame(HEADERS, END_HEADERS, 1, [0x83, ...literal(':path', '/p.S/M'), UNKNOWN]),
        frame(DATA, END_STREAM, 1, bytes(body)),
      );
    const answers = (headers: readonly number[], body: Uint8Array) =>
      says(1, frame(HEADERS, END_HEADERS, 1, [0x88, ...headers, UNKNOWN]), frame(DATA, END_STREAM, 1, body));

    test.each([
      [
        "a stream of Connect's is of the type that the other side names",
        [asks('application/connect+proto'), answers([], bytes(message('one'), message('{}', 2)))],
        ['connect response POST /p.S/M 200: one'],
      ],
      ['one body may be anything', [asks('application/proto'), answers([], bytes('one'))], []],
      [
        'one body is a message by its contents',
        [asks('application/proto'), answers([], bytes('\n\x03one'))],
        ['connect response POST /p.S/M 200: \n\x03one'],
      ],
      ['so is one whose type is on neither side', [asksUntyped('\b\x07')], ['http2 request POST /p.S/M: \b\x07']],
      [
        'so is one in a coding',
        [asksUntyped(gzipSync('\n\x03one').toString('latin1'))],
        ['http2 request POST /p.S/M: \n\x03one'],
      ],
      ['so is JSON', [asksUntyped('{"a":1}')], ['http2 request POST /p.S/M: {"a":1}']],
      [
        'the body shows its encoding',
        [asks('application/proto'), answers(typed('application/proto'), new Uint8Array(gzipSync('one')))],
        ['connect response POST /p.S/M 200: one'],
      ],
    ])('%s', async (_name, sayings, expected) => {
      const { messages, codes } = await read(sayings, { whole: false });
      expect(messages).toEqual(expected);
      expect(codes).toEqual(['http2/headers-unknown', ...(expected.length === 0 ? ['http2/no-headers'] : [])]);
    });

    test('without a body, nothing is lost', async () => {
      const { codes } = await read([asks('application/proto'), answers([], bytes())], { whole: false });
      expect(codes).toEqual(['http2/headers-unknown']);
    });

    test('an answer that begins behind a gap is read', async () => {
      const { messages, codes } = await read([
        says(0, PREFACE, frame(HEADERS, END_STREAM | END_HEADERS, 1, [0x83, ...literal(':path', '/p.S/M')])),
        says(0, frame(HEADERS, END_STREAM | END_HEADERS, 3, [0x83, ...literal(':path', '/p.S/N')])),
        says(1, frame(HEADERS, END_HEADERS, 1, [0x88, ...typed('application/proto')])),
        loses(1, 60),
        says(1, [1, 2, 3], frame(HEADERS, END_HEADERS, 3, [0x88, UNKNOWN]), frame(DATA, 0, 3, bytes('\n\x03one'))),
        says(1, frame(DATA, END_STREAM, 3, bytes('\x10\x07'))),
      ]);
      expect(messages).toEqual(['http2 response POST /p.S/N 200: \n\x03one\x10\x07']);
      expect(codes.toSorted()).toEqual(['http2/headers-unknown', 'http2/resynchronised', 'stream/hole']);
    });
  });

  test.each([
    ['a message', '\b\x07', ['http2 request POST /p.S/M: \b\x07'], []],
    ['not a message', '\x89PNG\r\n', [], ['http/unknown-body']],
  ])('a body of plain bytes whose contents are %s', async (_name, body, expected, reported) => {
    const asked = [0x83, ...literal(':path', '/p.S/M')];
    const { messages, codes, layers } = await read([
      says(0, PREFACE, settings, frame(HEADERS, END_HEADERS, 1, asked), frame(DATA, END_STREAM, 1, bytes(body))),
    ]);
    expect([messages, codes]).toEqual([expected, reported]);
    expect([layers.message, layers['other-bodies']]).toEqual(reported.length > 0 ? [0, body.length] : [body.length, 0]);
  });

  test.each([
    ['percent-encoded', '/p.S/M?encoding=proto&message=%08%07', '%08%07', '\b\x07'],
    ['base64', '/p.S/M?connect=v1&encoding=proto&base64=1&message=CAc', 'CAc', '\b\x07'],
    ['JSON', '/p.S/M?connect=v1&encoding=json&message=%7B%7D', '%7B%7D', '{}'],
  ])("Connect's GET, its message in the path: %s", async (_name, path, written, payload) => {
    const first = [0x82, ...literal(':path', path)];
    const again = [0x82, 0xbe];
    const ends = END_HEADERS | END_STREAM;
    const { messages, codes, layers } = await read([
      says(0, PREFACE, settings, frame(HEADERS, END_STREAM, 1, first.slice(0, 30))),
      says(0, frame(CONTINUATION, END_HEADERS, 1, first.slice(30)), frame(HEADERS, ends, 3, again)),
    ]);
    const message = `connect request GET /p.S/M: ${payload}`;
    expect([messages, codes]).toEqual([[message, message], []]);
    // A header that is sent once is entered once: the second request refers to the path of the first one.
    expect([layers.message, layers.hpack]).toEqual([written.length, first.length + again.length - written.length]);
  });

  test('frames in flight when the other side reset the h2 stream', async () => {
    const answer = frame(HEADERS, END_HEADERS, 1, [0x88, ...GRPC]);
    const two = message('two');
    const { messages, codes, layers } = await read([
      opens,
      says(0, frame(DATA, END_STREAM, 1, message('ask'))),
      says(1, settings, answer, frame(DATA, 0, 1, bytes(message('one'), two.subarray(0, 4)))),
      says(0, frame(RST_STREAM, 0, 1, int(8))),
      says(1, frame(DATA, 0, 1, two.subarray(4)), frame(DATA, 0, 1, message('three').subarray(0, 7))),
    ]);
    expect(messages.map((line) => line.replace(/^grpc /, ''))).toEqual([
      'request /p.S/M: ask',
      'response /p.S/M: one',
      'response /p.S/M: two',
    ]);
    expect([codes, layers.incomplete]).toEqual([['http2/incomplete'], 7]);
  });

  test('gRPC-web before RST_STREAM: whole messages are given, as plain gRPC gives them', async () => {
    const web = [0x83, ...literal(':path', '/p.S/M'), ...literal('content-type', 'application/grpc-web')];
    const cut = message('three').subarray(0, 7);
    const { messages, layers, codes } = await read([
      says(0, PREFACE, settings, frame(HEADERS, END_HEADERS, 1, web)),
      says(0, frame(DATA, 0, 1, bytes(message('one'), message('two'), cut)), frame(RST_STREAM, 0, 1, int(8))),
    ]);
    expect(messages).toEqual(['grpc-web request POST /p.S/M: one', 'grpc-web request POST /p.S/M: two']);
    expect([layers.incomplete, codes]).toEqual([cut.length, ['http2/incomplete', 'grpc/no-response']]);
  });

  describe('a call that was reset without a response is a finding', () => {
    const opened = (type: string) =>
      frame(HEADERS, END_HEADERS, 1, [0x83, ...literal(':path', '/p.S/M'), ...literal('content-type', type)]);
    const asked = says(0, frame(DATA, END_STREAM, 1, message('ask')));
    const resets = (side: 0 | 1, code: number) => says(side, frame(RST_STREAM, 0, 1, int(code)));
    const replies = says(1, settings, opensResponse);
    const answered = says(1, frame(DATA, 0, 1, message('a')));
    const ends = says(1, trailers('4'));

    test.each<[what: string, type: string, then: readonly Saying[], error: string | null]>([
      ['by the client', 'application/grpc', [asked, resets(0, 8)], 'RST_STREAM 8 (CANCEL)'],
      ['by the server', 'application/grpc', [asked, resets(1, 7)], 'RST_STREAM 7 (REFUSED_STREAM)'],
      ['by both', 'application/grpc', [resets(0, 8), resets(1, 5)], 'RST_STREAM 8 (CANCEL)'],
      ['with an unknown code', 'application/grpc', [asked, resets(0, 99)], 'RST_STREAM 99'],
      ['after the headers of a response', 'application/grpc', [asked, replies, resets(0, 8)], 'RST_STREAM 8 (CANCEL)'],
      ['gRPC-web', 'application/grpc-web', [asked, resets(0, 8)], 'RST_STREAM 8 (CANCEL)'],
      ['Connect', 'application/connect+proto', [asked, resets(0, 8)], 'RST_STREAM 8 (CANCEL)'],
      ['with NO_ERROR', 'application/grpc', [asked, resets(1, 0)], null],
      ['after a message', 'application/grpc', [replies, answered, resets(0, 8)], null],
      ['before a message in flight', 'application/grpc', [replies, resets(0, 8), answered], null],
      [
        'before a status in flight',
        'application/grpc',
        [replies, resets(0, 8), ends],
        'grpc-status 4 (DEADLINE_EXCEEDED)',
      ],
      ['after a status', 'application/grpc', [replies, ends, resets(0, 8)], 'grpc-status 4 (DEADLINE_EXCEEDED)'],
      ['not a call', 'text/plain', [resets(0, 8)], null],
    ])('%s', async (_, type, then, error) => {
      const { diagnostics } = await read([says(0, PREFACE, settings, opened(type)), ...then]);
      const text = `The call /p.S/M ended with ${error} and without a response.`;
      expect(diagnostics.map(({ message: said }) => said)).toEqual(error === null ? [] : [text]);
    });
  });

  test('the last 64 reset h2 streams are kept', async () => {
    const streams = Array.from({ length: 66 }, (_, at) => 2 * at + 1);
    const { messages, layers } = await read([
      says(0, PREFACE),
      ...streams.map((id) => says(0, frame(HEADERS, END_HEADERS, id, ask('/p.S/M')), frame(DATA, 0, id, [0, 0]))),
      says(1, ...streams.map((id) => frame(RST_STREAM, 0, id, int(8)))),
      says(0, ...streams.map((id) => frame(DATA, 0, id, [0, 0, 1, 65]))),
    ]);
    expect([messages.length, layers.incomplete, layers.unattributed]).toEqual([64, 4, 8]);
  });

  const packed = new Uint8Array(gzipSync(record('packed')));

  test.each([
    ['zeros, each five of which are an empty message', bytes(new Array(60).fill(0))],
    ['numbers of four bytes, little-endian', bytes(Array.from({ length: 60 }, (_, at) => (at % 4 === 0 ? at : 0)))],
    ['numbers of four bytes, big-endian', bytes(Array.from({ length: 60 }, (_, at) => (at % 4 === 3 ? at : 0)))],
    ['a prefix that ends with its frame, and no message', bytes([0, 0, 0, 0, 4, 0, 0, 0, 0])],
    ['a prefix and a tag of field 0', bytes([0, 0, 0, 1, 0, 0, 7])],
    ['a compressed flag before what nothing decodes', bytes([1, 0, 0, 0, 4, 8, 29, 1, 1])],
    ['fewer bytes than a prefix', bytes([0, 0])],
  ])(
    'captured inside a message of %s: reading begins where frame and message boundaries agree',
    async (_name, rest) => {
      const sayings = [
        says(0, frame(DATA, 0, 7, rest), frame(DATA, 0, 7, rest)),
        says(0, frame(DATA, 0, 7, bytes(message(record('one')), message(record('two')).subarray(0, 8)))),
        says(0, frame(DATA, 0, 7, message(record('two')).subarray(8))),
        says(0, frame(DATA, END_STREAM, 7, bytes(message(packed, 1), message('')))),
      ];
      for (const segment of [1, 7, 1460]) {
        const { messages, codes, layers } = await read(sayings, { segment, whole: false });
        const found = [record('one'), record('two'), record('packed'), bytes()];
        expect(messages).toEqual(found.map((each) => `grpc: ${Buffer.from(each).toString('latin1')}`));
        expect([codes, layers.unattributed, layers.grpc]).toEqual([['grpc/lost'], 2 * rest.length, 20]);
      }
    },
  );

  const asksAll = [
    settings,
    frame(HEADERS, END_HEADERS, 1, ask('/p.S/M')),
    frame(DATA, END_STREAM, 1, message(record('one'))),
  ];

  test.each([
    ['a preface with one flipped bit', bytes(PREFACE.replace('I', 'H')), true],
    ['the middle of a frame', bytes('the rest of a frame'), false],
    [
      'a large frame of which little is left',
      bytes(Array.from({ length: 3000 }, (_, at) => 0x80 + ((at * 7) % 100))),
      false,
    ],
  ])('%s: reading begins at the first consecutive frames', async (_name, before, whole) => {
    for (const segment of [10, 1460]) {
      const { messages, diagnostics, layers } = await read([says(0, before, ...asksAll)], { segment, whole });
      expect(messages).toEqual([`grpc request /p.S/M: ${Buffer.from(record('one')).toString('latin1')}`]);
      expect(layers.unattributed).toBe(before.length);
      expect(diagnostics.map(({ message: text }) => text.replace(/^.* Not/, 'Not'))).toEqual([
        `Not read: ${before.length.toLocaleString('en')} bytes of 10.0.0.1:1000 → 10.0.0.2:9300.`,
      ]);
    }
  });

  test.each([
    [
      'ended with an HTTP error',
      says(
        1,
        settings,
        frame(HEADERS, END_HEADERS, 1, [...literal(':status', '503'), ...literal('content-type', 'text/plain')]),
        frame(DATA, END_STREAM, 1, bytes('no upstream')),
      ),
      END_STREAM,
      message('one'),
      [['grpc/no-response', 'The call /p.S/M ended with HTTP status 503 and without a response.']],
    ],
    [
      'was reset by the server',
      says(1, settings, frame(RST_STREAM, 0, 1, int(8))),
      0,
      message('one').subarray(0, 6),
      [
        ['http2/incomplete', 'A message is not whole: its h2 stream was reset.'],
        ['grpc/no-response', 'The call /p.S/M ended with RST_STREAM 8 (CANCEL) and without a response.'],
      ],
    ],
  ])('a call that %s', async (_name, answered, flags, asked, expected) => {
    const { diagnostics } = await read([opens, says(0, frame(DATA, flags, 1, asked)), answered]);
    const found = diagnostics.map((one) => [one.code, one.message.split(' It is ')[0]]);
    expect(found).toEqual(expected);
  });

  const SOCKS_REPLY = [5, 0, 0, 1, 127, 0, 0, 1, 31, 175];
  const PROXIED = 'PROXY TCP4 10.0.0.1 10.0.0.2 1000 9300\r\n';

  test.each([
    [
      'of SOCKS',
      [says(0, [5, 1, 0]), says(1, [5, 0]), says(0, [5, 1, 0, 1, 127, 0, 0, 1, 31, 175]), says(1, SOCKS_REPLY)],
      [],
      25,
    ],
    ['of the PROXY protocol, in the segment of the preface', [], bytes(PROXIED), PROXIED.length],
  ])('the handshake %s before the preface is passed over', async (_name, handshake, before, size) => {
    const { messages, layers } = await read([
      ...handshake,
      says(0, before, PREFACE, ...asksAll),
      says(1, settings, frame(HEADERS, END_HEADERS, 1, [0x88, ...GRPC])),
      says(1, frame(DATA, END_STREAM, 1, message(record('two')))),
    ]);
    expect(messages.map((text) => text.slice(0, 13))).toEqual(['grpc request ', 'grpc response']);
    expect(layers.unattributed).toBe(size);
  });

  test.each([
    ['captured from its beginning', true, 0],
    ['captured from its middle', false, 1],
  ])('frames in a connection of another protocol, %s', async (_name, whole, expected) => {
    const said = [says(0, 'another protocol', [0, 1, 2]), says(0, ...asksAll.slice(1))];
    const { messages } = await read(said, { whole });
    expect(messages).toHaveLength(expected);
  });

  test.each([
    ['of one h2 stream', 1, 1, 1],
    ['of h2 streams that are far apart', 1, 2 ** 14 + 1, 0],
  ])('high stream ids from the middle of a connection, %s', async (_name, one, other, expected) => {
    const at = 2 ** 25;
    const { messages } = await read(
      [
        says(0, frame(HEADERS, END_HEADERS, at + one, ask('/p.S/M'))),
        says(0, frame(DATA, END_STREAM, at + other, message(record('one')))),
      ],
      { whole: false },
    );
    expect(messages).toHaveLength(expected);
  });

  test('a frame between two gaps', async () => {
    const { messages, diagnostics, layers } = await read([
      opens,
      says(1, settings),
      loses(1, 40),
      says(1, frame(DATA, 0, 1, message(record('one')))),
      loses(1, 40),
      says(1, frame(DATA, 0, 1, message(record('two')))),
      loses(1, 40),
      says(1, 'no frame'),
    ]);
    expect(messages.map((text) => text.slice(-5, -2))).toEqual(['one', 'two']);
    const lost = diagnostics.find(({ code }) => code === 'http2/resynchronised')!;
    expect([layers.unattributed, lost.end - lost.start]).toEqual([8, 8]);
  });

  test.each([
    ['one head of a frame', bytes('unknown', frame(HEADERS, END_HEADERS, 1, ask('/p.S/M')), 'unknown')],
    ['two heads, and bytes behind', bytes('unknown', settings, settings, 'unknown')],
  ])('%s in unknown bytes is not HTTP/2', async (_name, said) => {
    const { messages, codes } = await read([says(0, said)]);
    expect([messages, codes]).toEqual([[], ['frame/unread']]);
  });

  test('the rest of a body that is not gRPC is not a message', async () => {
    const head = [0x83, ...literal(':path', '/v1/logs'), ...literal('content-type', 'application/x-protobuf')];
    const { messages, layers } = await read([
      says(0, PREFACE, frame(HEADERS, END_HEADERS, 1, head), frame(DATA, END_STREAM, 1, record('ask'))),
      says(1, settings),
      loses(1, 80),
      says(1, frame(DATA, 0, 1, record('the rest')), frame(DATA, END_STREAM, 1, record('of an answer'))),
    ]);
    expect(messages).toHaveLength(1);
    expect(layers.unattributed).toBe(record('the rest').length + record('of an answer').length);
  });

  test('after a gap over frames, the h2 stream continues at its next message', async () => {
    const large = bytes([18, 100], 'x'.repeat(100));
    const { messages, codes } = await read([
      opens,
      says(0, frame(DATA, 0, 1, message(record('one'))), frame(DATA, 0, 1, message(large).subarray(0, 50))),
      loses(0, 60),
      says(0, frame(DATA, 0, 1, message(large).subarray(90))),
      says(0, frame(DATA, 0, 1, message(record('two'))), frame(DATA, END_STREAM, 1, message(record('three')))),
    ]);
    expect(messages).toEqual(
      ['one', 'two', 'three'].map(
        (text) => `grpc request /p.S/M: \n${String.fromCharCode(text.length)}${text}\x10\x07`,
      ),
    );
    expect(codes).toEqual(['stream/hole', 'grpc/incomplete']);
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
    ['an invalid prefix', [opens, says(0, frame(DATA, END_STREAM, 1, bytes([9], 'xxxxxxxx')))], 'grpc/prefix'],
    [
      'a capture that ends within an h2 frame',
      [opens, says(0, frame(DATA, 0, 1, message('one')).subarray(0, -1))],
      'http2/incomplete',
    ],
  ])('%s is reported, with its place', async (_name, sayings, code) => {
    const { diagnostics } = await read(sayings);
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual([code]);
    expect(diagnostics[0]!.start).toBeGreaterThan(0);
  });
});
