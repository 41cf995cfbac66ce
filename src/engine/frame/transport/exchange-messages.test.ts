import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesSource, type Source } from '../../bytes/source.ts';
import { openCapture } from '../../capture/containers/gzip-source.ts';
import { sumLayers } from '../../capture/containers/packets-layers.ts';
import type { CaptureOptions } from '../capture-facts.ts';
import type { Message } from '../message.ts';
import { readBody } from '../read-body.ts';
import { readCapture } from '../read-capture.ts';

async function messagesOf(source: Source, options: CaptureOptions = {}) {
  const messages: { readonly message: Message; readonly payload: string }[] = [];
  const facts = await readCapture(
    source,
    (message, payload) => messages.push({ message, payload: Buffer.from(payload).toString('latin1') }),
    options,
  );
  expect(sumLayers(facts.layers)).toBe(source.size);
  for (const { message, payload } of messages) {
    const again = await readBody(source, message.body);
    expect(again.ok && Buffer.from(again.value).toString('latin1')).toBe(payload);
  }
  return { facts, messages };
}

type Body = readonly number[] | string | Uint8Array;
const base64 = (bytes: Body): string => Buffer.from(bytes as string).toString('base64');
const sourceOf = (text: string): Source => bytesSource('x.har', new TextEncoder().encode(text));
const logOf = (...entries: readonly unknown[]): string => JSON.stringify({ log: { version: '1.2', entries } });

const ENTRIES = [
  {
    startedDateTime: '2026-01-02T03:04:05.678Z',
    request: {
      method: 'POST',
      url: 'https://api.example/p.S/M',
      headers: [{ name: 'Content-Type', value: 'application/grpc-web+proto' }],
      postData: { mimeType: 'application/grpc-web+proto', encoding: 'base64', text: base64([0, 0, 0, 0, 2, 104, 105]) },
    },
    response: {
      status: 200,
      headers: [{ name: 'content-encoding', value: 'gzip' }],
      content: { mimeType: 'application/x-protobuf', encoding: 'base64', text: base64('there') },
    },
  },
  {
    request: { method: 'GET', url: 'https://api.example/x?q', headers: [] },
    response: { status: 404, headers: [], content: { mimeType: 'text/html', text: '<"html">' } },
  },
  {
    request: {
      method: 'POST',
      url: 'https://api.example/v1/logs',
      headers: [],
      postData: { mimeType: 'application/x-protobuf', text: 'a"é\n' },
    },
    response: { status: 204, headers: [], content: {} },
  },
];
const HAR = logOf(...ENTRIES);

test('the bodies of a HAR, with their positions', async () => {
  const { facts, messages } = await messagesOf(sourceOf(HAR));
  expect(
    messages.map(({ message: { transport, direction, method, typeHint, time }, payload }) => [
      transport,
      direction,
      method,
      typeHint,
      time,
      payload,
    ]),
  ).toEqual([
    ['grpc-web', 'request', 'POST /p.S/M', null, 1767323045678, 'hi'],
    ['har', 'response', 'POST /p.S/M', null, 1767323045678, 'there'],
    [
      'har',
      'request',
      'POST /v1/logs',
      'opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest',
      null,
      Buffer.from('a"é\n').toString('latin1'),
    ],
  ]);
  expect(facts.layers['other-bodies']).toBe('<\\"html\\">'.length);
  expect(facts.diagnostics).toEqual([]);
});

test('chunks of any size, and gzip around it, give the same', async () => {
  const whole = await messagesOf(sourceOf(HAR));
  for (const chunkBytes of [1, 2, 7, 100]) expect(await messagesOf(sourceOf(HAR), { chunkBytes })).toEqual(whole);
  const zipped = bytesSource('x.har.gz', new Uint8Array(gzipSync(HAR)));
  expect(await messagesOf(await openCapture(zipped))).toEqual(whole);
});

describe('the kind of a body', () => {
  const RW1 = readFileSync(new URL('../../../../fixtures/input/codecfixture.rw1.binpb', import.meta.url));
  const PACKED = readFileSync(new URL('../../../../fixtures/compression/codecfixture.rw1.binpb.zst', import.meta.url));
  const prefixed = (text: string, flag = 0): number[] => [flag, 0, 0, 0, text.length, ...Buffer.from(text, 'latin1')];
  const asks = (mimeType: string, body: Body, headers: Readonly<Record<string, string>> = {}) => ({
    request: {
      method: 'POST',
      url: 'https://x/p.S/M',
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      postData: { mimeType, encoding: 'base64', text: base64(body) },
    },
  });
  const answers = (mimeType: string, body: Body) => ({
    request: { method: 'POST', url: 'https://x/p.S/M' },
    response: { status: 200, headers: [], content: { mimeType, encoding: 'base64', text: base64(body) } },
  });
  const rw1 = RW1.toString('latin1');

  test.each<[string, unknown, readonly string[]]>([
    [
      'gRPC-web, binary, with trailers',
      answers('application/grpc-web', [...prefixed('one'), ...prefixed('two'), ...prefixed('grpc-status:0', 128)]),
      ['grpc-web: one', 'grpc-web: two'],
    ],
    [
      'gRPC-web, text',
      answers('application/grpc-web-text+proto', base64([...prefixed('one'), ...prefixed('two')])),
      ['grpc-web: one', 'grpc-web: two'],
    ],
    ['Connect, one message', asks('application/proto', 'one', { 'Connect-Protocol-Version': '1' }), ['connect: one']],
    [
      'Connect, a stream of them, some compressed',
      asks(
        'application/connect+proto',
        [...prefixed('one'), ...prefixed(gzipSync('two').toString('latin1'), 1), ...prefixed('{}', 2)],
        { 'connect-content-encoding': 'gzip' },
      ),
      ['connect: one', 'connect: two'],
    ],
    [
      'a request that is sent compressed',
      asks('application/x-protobuf', PACKED, { 'Content-Encoding': 'zstd' }),
      [`har: ${rw1}`],
    ],
    ['a response, whose codings the browser took off', answers('application/x-protobuf', RW1), [`har: ${rw1}`]],
  ])('%s', async (_name, entry, expected) => {
    const { facts, messages } = await messagesOf(sourceOf(logOf(entry)));
    expect(messages.map(({ message, payload }) => `${message.transport}: ${payload}`)).toEqual(expected);
    expect(facts.diagnostics).toEqual([]);
  });
});

test.each<[string, readonly number[], number]>([
  ['from its first byte on', [...Buffer.from('{"a":"no envelope"}')], 0],
  ['behind a message', [0, 0, 0, 0, 2, 8, 1, ...Buffer.from('no envelope, either')], 10],
])('what is not in the envelope %s is incomplete, and not of a message', async (_name, body, read) => {
  const text = base64(body);
  const entry = {
    request: { method: 'POST', url: 'https://x/p.S/M' },
    response: { status: 200, headers: [], content: { mimeType: 'application/grpc', encoding: 'base64', text } },
  };
  const { facts, messages } = await messagesOf(sourceOf(logOf(entry)));
  const { message, compressed, grpc, incomplete } = facts.layers;
  expect([messages.length, message + compressed + grpc, incomplete]).toEqual([
    read === 0 ? 0 : 1,
    read,
    text.length - read,
  ]);
  expect(facts.diagnostics.map(({ code, message: said }) => [code, said.split('Not read: ')[1]])).toEqual([
    ['grpc/incomplete', `${text.length - read} bytes of the file.`],
  ]);
});

test.each([
  ['JSON with fields by number', 'application/json+protobuf', '["a",1]', []],
  ['a list of JSON', 'application/json', '[{"a":"b"}]', []],
  ['an error page that says protobuf', 'application/x-protobuf', '<html>Bad gateway</html>\n', ['http/markup-body']],
])('%s is not a message', async (_name, mimeType, body, codes) => {
  const entry = {
    request: { method: 'POST', url: 'https://x/p.S/M' },
    response: { status: 200, headers: [], content: { mimeType, encoding: 'base64', text: base64(body) } },
  };
  const { facts, messages } = await messagesOf(sourceOf(logOf(entry)));
  expect([messages, facts.diagnostics.map(({ code }) => code)]).toEqual([[], codes]);
});

test.each<[string, string, string, number, readonly string[]]>([
  ['gRPC-web whose messages are JSON', 'application/grpc-web+proto', '\0\0\0\0\x08{"a": 1}', 200, ['http/json-body']],
  ['gRPC-web in JSON', 'application/grpc-web+json', '\0\0\0\0\x08{"a": 1}', 200, []],
  ['JSON that says protobuf', 'application/x-protobuf', '{"a":"b"}', 200, ['http/json-body']],
  ['JSON', 'application/json', ' {"a":"b"}', 200, []],
  ['a call of JSON-RPC', 'application/json-rpc', '{"jsonrpc":"2.0","id":1}', 200, []],
  ["AWS's JSON", 'application/x-amz-json-1.1', '{"TableName":"a"}', 200, []],
  ['JSON that is called text', 'text/json; charset=utf-8', '{"a":"b"}', 200, []],
  ['a stream of Connect', 'application/connect+json', '\0\0\0\0\x08{"a": 1}', 200, []],
])('%s is a message in JSON', async (_name, mimeType, body, status, codes) => {
  const entry = {
    request: { method: 'POST', url: 'https://x/p.S/M' },
    response: { status, headers: [], content: { mimeType, encoding: 'base64', text: base64(body) } },
  };
  const { facts, messages } = await messagesOf(sourceOf(logOf(entry)));
  expect(messages).toMatchObject([{ message: { format: 'json' } }]);
  expect(facts.diagnostics.map(({ code }) => code)).toEqual(codes);
});

test.each(['application/json', 'application/problem+json', 'application/x-amz-json-1.1'])(
  'an error in %s is not a message',
  async (mimeType) => {
    const content = { mimeType, text: '{"code":"not_found"}' };
    const entry = {
      request: { method: 'POST', url: 'https://x/p.S/M' },
      response: { status: 404, headers: [], content },
    };
    expect((await messagesOf(sourceOf(logOf(entry)))).messages).toEqual([]);
  },
);

test("AWS's name of the operation is the method", async () => {
  const postData = { mimeType: 'application/x-amz-json-1.0', text: '{"TableName":"a"}' };
  const headers = [{ name: 'X-Amz-Target', value: 'DynamoDB_20120810.GetItem' }];
  const entry = { request: { method: 'POST', url: 'https://x/', headers, postData }, response: { status: 200 } };
  expect((await messagesOf(sourceOf(logOf(entry)))).messages).toMatchObject([
    { message: { method: 'DynamoDB_20120810.GetItem' } },
  ]);
});

test('OTLP/HTTP names the type of its JSON by the path', async () => {
  const postData = { mimeType: 'application/json', text: '{"resourceSpans":[]}' };
  const entry = { request: { method: 'POST', url: 'https://x/v1/traces', postData }, response: { status: 200 } };
  expect((await messagesOf(sourceOf(logOf(entry)))).messages).toMatchObject([
    { message: { format: 'json', typeHint: 'opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest' } },
  ]);
});

describe('a body that was not recorded', () => {
  const has = (mimeType: string, size: number | null, status = 200, method = 'POST') => ({
    request: { method, url: 'https://x/p.S/M' },
    response: { status, headers: [], content: { mimeType, size } },
  });
  const unsent = { request: { method: 'POST', url: 'https://x/a', postData: { mimeType: 'application/proto' } } };

  test.each<[string, unknown, string | null]>([
    [
      'a stream',
      has('application/connect+proto', -1),
      'The body of the response to POST /p.S/M was recorded without its contents, and its size is not stated: it cannot be read.',
    ],
    [
      'its size null',
      has('application/connect+proto', null),
      'The body of the response to POST /p.S/M was recorded without its contents, and its size is not stated: it cannot be read.',
    ],
    [
      'its size stated',
      has('application/grpc-web+proto', 4096),
      'The body of the response to POST /p.S/M was recorded without its contents, 4,096 bytes: it cannot be read.',
    ],
    [
      'of an unspecific media type',
      has('application/octet-stream', 12),
      'The body of the response to POST /p.S/M was recorded without its contents, 12 bytes: it cannot be read.',
    ],
    [
      'a request',
      unsent,
      'The body of POST /a was recorded without its contents, and its size is not stated: it cannot be read.',
    ],
    ['there was none', has('application/proto', 0), null],
    ['no type that implies a body, its size not stated', has('', -1), null],
    ['a page', has('text/html', 4096), null],
    ['not modified', has('application/proto', -1, 304), null],
    ['no bytes were received', has('application/proto', -1, 0), null],
    ['asked for its headers', has('application/proto', -1, 200, 'HEAD'), null],
  ])('%s', async (_name, entry, expected) => {
    const { facts, messages } = await messagesOf(sourceOf(logOf(...ENTRIES, entry)));
    expect(messages).toHaveLength(3);
    const start = Buffer.byteLength(HAR) - ']}}'.length + ','.length;
    const found = facts.diagnostics.map(({ code, start: at, end, message }) => [code, at, end, message]);
    const place = [start, start + JSON.stringify(entry).length];
    expect(found).toEqual(expected === null ? [] : [['http/no-contents', ...place, expected]]);
  });
});

test('a recorded body without a specific media type is a message by its contents', async () => {
  const answer = (body: Body) => ({
    request: { method: 'GET', url: 'https://x/a' },
    response: {
      status: 200,
      content: { mimeType: 'application/octet-stream', encoding: 'base64', text: base64(body) },
    },
  });
  const { facts, messages } = await messagesOf(
    sourceOf(logOf(answer([8, 7]), answer([0x89, 0x50, 0x4e, 0x47, 13, 10]))),
  );
  expect(messages.map(({ payload }) => payload)).toEqual(['\b\x07']);
  expect(facts.diagnostics.map(({ code }) => code)).toEqual(['http/unknown-body']);
});

describe('a binary request that was recorded as text', () => {
  const BODY = [10, 2, 0xff, 0xe9, 16, 7];
  const posts = (text: string, size: Readonly<Record<string, unknown>> = { bodySize: BODY.length }) => ({
    request: {
      method: 'POST',
      url: 'https://x/p.S/M',
      headers: [],
      ...size,
      postData: { mimeType: 'application/proto', text },
    },
  });
  const latin1 = Buffer.from(BODY).toString('latin1');
  const replaced = Buffer.from(BODY).toString('utf8');

  test.each<[string, unknown, readonly string[], readonly string[]]>([
    ['its bytes as characters', posts(latin1), [latin1], []],
    [
      'the same, by its length in the headers',
      posts(latin1, { bodySize: -1, headers: [{ name: 'Content-Length', value: '6' }] }),
      [latin1],
      [],
    ],
    ['as UTF-8, which it is', posts('\n\x02é', { bodySize: 4 }), ['\n\x02\xc3\xa9'], []],
    ['as UTF-8, its length not stated', posts('\n\x02é', {}), ['\n\x02\xc3\xa9'], []],
    ['with U+FFFD for bytes', posts(replaced), [], ['har/replaced']],
    ['with U+FFFD for bytes, its length not stated', posts(replaced, {}), [], ['har/replaced']],
    ['with U+FFFD that was sent', posts('\n\x03\ufffd', { bodySize: 5 }), ['\n\x03\xef\xbf\xbd'], []],
    ['its bytes as characters, its length not stated', posts(latin1, {}), [latin1], []],
    ['its bytes as characters, the length that of its compressed form', posts(latin1, { bodySize: 4 }), [latin1], []],
    ['a message in either form', posts('\b\xe8\x07', {}), ['\b\xe8\x07'], ['har/unclear-bytes']],
    ['a message in neither form', posts('\xe8\x07', { bodySize: 9 }), ['\xc3\xa8\x07'], ['har/unclear-bytes']],
  ])('%s', async (_name, entry, expected, codes) => {
    const { facts, messages } = await messagesOf(sourceOf(logOf(entry)));
    expect(messages.map(({ payload }) => payload)).toEqual(expected);
    expect(facts.diagnostics.map(({ code }) => code)).toEqual(codes);
  });
});

test.each([
  ['the size of the decoded body', { size: 4, compression: 1 }, 3, '\b\xc3\xa8\x07'],
  ['the size of the compressed body, and what decoding adds', { size: 2, compression: 1 }, 2, '\b\xe8\x07'],
  ['the size of a compressed body that is longer', { size: 4, compression: -1 }, 4, '\b\xe8\x07'],
])('a binary response as text, with %s', async (_name, sizes, bodySize, expected) => {
  const content = { mimeType: 'application/proto', text: '\b\xe8\x07', ...sizes };
  const entry = {
    request: { method: 'GET', url: 'https://x/a' },
    response: { status: 200, headers: [{ name: 'content-encoding', value: 'gzip' }], bodySize, content },
  };
  const { facts, messages } = await messagesOf(sourceOf(logOf(entry)));
  expect(messages.map(({ payload }) => payload)).toEqual([expected]);
  expect(facts.diagnostics).toEqual([]);
});

describe('content-encoding in a HAR', () => {
  const plain = Buffer.from([10, 2, 104, 105]);
  const content = (body: Uint8Array) => ({
    mimeType: 'application/proto',
    encoding: 'base64',
    text: Buffer.from(body).toString('base64'),
  });
  const headers = [{ name: 'content-encoding', value: 'gzip' }];

  test.each([
    ['a request that is decoded already', { postData: content(plain) }, {}],
    ['a request as it was sent', { postData: content(gzipSync(plain)) }, {}],
    ['a response that is decoded already', {}, { content: content(plain) }],
    ['a response as it was sent', {}, { content: content(gzipSync(plain)) }],
    ['a request whose headers do not name its coding', { headers: [], postData: content(gzipSync(plain)) }, {}],
  ])('%s', async (_name, request, response) => {
    const entry = {
      request: { method: 'POST', url: 'https://x/p.S/M', headers, ...request },
      response: { status: 200, headers, ...response },
    };
    const { facts, messages } = await messagesOf(sourceOf(logOf(entry)));
    expect(messages.filter(({ message }) => message.bytes > 0).map(({ payload }) => payload)).toEqual(['\n\x02hi']);
    expect(facts.diagnostics).toEqual([]);
  });

  test.each([
    ['one text', '/a', 'application/json', '{"a":1}', ['{"a":1}']],
    ['lines', '/a', 'application/x-ndjson', '{"a":1}\n{"b":2}\n', ['{"a":1}', '{"b":2}']],
    ['action lines', '/_bulk', 'application/x-ndjson', '{"index":{}}\n{"b":2}\n', ['{"b":2}']],
  ])('a request in JSON that is decoded already: %s', async (_name, path, mimeType, text, expected) => {
    const entry = {
      request: {
        method: 'POST',
        url: `https://x${path}`,
        headers: [...headers, { name: 'content-type', value: mimeType }],
        postData: { mimeType, text },
      },
    };
    const { facts, messages } = await messagesOf(sourceOf(logOf(entry)));
    expect(messages.map(({ payload }) => payload)).toEqual(expected);
    expect(facts.diagnostics).toEqual([]);
  });
});

describe("Connect's GET, its message in the address", () => {
  const gets = (query: string) => ({ request: { method: 'GET', url: `https://x/c/p.S/M${query}`, headers: [] } });
  const zipped = gzipSync('one').toString('base64url');

  test.each<[string, string, readonly string[]]>([
    ['base64', '?connect=v1&encoding=proto&base64=1&message=b25l', ['one']],
    ['base64, padded', '?encoding=proto&base64=1&message=b25lIQ%3D%3D&connect=v1', ['one!']],
    ['compressed', `?encoding=proto&base64=1&compression=gzip&message=${zipped}`, ['one']],
    ['percent-encoded', '?message=%0A+%00&encoding=proto', ['\n \0']],
    ['empty', '?message=&encoding=proto', ['']],
    ['JSON', '?connect=v1&encoding=json&message=%7B%22a%22%3A+1%7D', ['{"a": 1}']],
    ['JSON of another protocol: none', '?message=%7B%7D&encoding=json', []],
    ['none', '?q=1&encoding=proto', []],
  ])('%s', async (_name, query, expected) => {
    for (const text of [logOf(gets(query)), logOf(gets(query)).replaceAll('&', '\\u0026')]) {
      const { messages } = await messagesOf(sourceOf(text));
      expect(messages.map(({ payload }) => payload)).toEqual(expected);
      for (const { message } of messages)
        expect(message).toMatchObject({ transport: 'connect', method: 'GET /c/p.S/M' });
      expect(messages.map(({ message }) => message.format === 'json')).toEqual(
        expected.map((plain) => plain[0] === '{'),
      );
    }
  });
});

describe('messages of a WebSocket connection', () => {
  const chat = (...frames: readonly unknown[]) => ({
    request: { method: 'GET', url: 'wss://x/chat?a=1', headers: [] },
    response: { status: 101, headers: [], content: {} },
    _webSocketMessages: frames,
  });
  const sent = { type: 'send', time: 1_700_000_000.5, opcode: 2, data: base64('\n\x02hi') };
  const told = { type: 'receive', time: 1_700_000_000_600, opcode: 1, data: '{"a": "é\\n"}' };

  test('have their direction, time, method and place', async () => {
    const { messages, facts } = await messagesOf(sourceOf(logOf(chat(sent, told))));
    const text = '{"a": "\u00c3\u00a9\\n"}';
    expect(messages.map(({ payload }) => payload)).toEqual(['\n\x02hi', text]);
    expect(messages.map(({ message }) => message)).toMatchObject([
      { transport: 'websocket', direction: 'request', method: 'GET /chat?a=1', time: 1_700_000_000_500, bytes: 4 },
      { transport: 'websocket', direction: 'response', time: 1_700_000_000_600, format: 'json' },
    ]);
    expect(facts.diagnostics).toEqual([]);
  });

  test.each<[string, unknown, number]>([
    ['other text', { ...told, data: 'hello' }, 5],
    ['an empty message', { ...told, data: '' }, 0],
    ['bytes that are not protobuf', { ...sent, data: base64([0, 0, 0, 0]) }, 8],
    ['a frame that closes', { ...told, opcode: 8, data: 'bye' }, 0],
    ['an error', { ...told, type: 'error', opcode: -1, data: 'failed' }, 0],
    ['a frame without data', { ...sent, data: undefined }, 0],
    ['null in place of a frame', null, 0],
  ])('%s: no message', async (_name, frame, others) => {
    const { messages, facts } = await messagesOf(sourceOf(logOf(chat(frame))));
    expect(messages).toEqual([]);
    expect(facts.layers['other-bodies']).toBe(others);
  });

  test('a time of −1 is unknown', async () => {
    const { messages } = await messagesOf(sourceOf(logOf(chat({ ...sent, time: -1 }))));
    expect(messages.map(({ message }) => message.time)).toEqual([null]);
  });
});

test('any mutation of a HAR neither throws nor loses a byte of the ledger', async () => {
  const bytes = new TextEncoder().encode(HAR);
  const marks = [...'{}[]",:\\'].map((mark) => mark.charCodeAt(0));
  const change = fc.tuple(fc.nat(bytes.length - 1), fc.oneof(fc.nat(255), fc.constantFrom(...marks)));
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { maxLength: 12 }),
      fc.integer({ min: 9, max: bytes.length }),
      async (changes, end) => {
        const mutated = bytes.slice(0, end);
        for (const [at, value] of changes) if (at > 8) mutated[at % end] = value;
        await messagesOf(bytesSource('x.har', mutated), { chunkBytes: 61 });
      },
    ),
    { numRuns: 1000 },
  );
});
