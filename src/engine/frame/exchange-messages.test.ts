import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesSource, type Source } from '../bytes/source.ts';
import { openCapture } from '../capture/gzip-source.ts';
import { sumLayers } from '../capture/packets-layers.ts';
import type { Message } from './message.ts';
import { readBody } from './read-body.ts';
import { type CaptureOptions, readCapture } from './read-capture.ts';

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

test('the bodies of a HAR, where they lie', async () => {
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

describe('what a body is', () => {
  const RW1 = readFileSync(new URL('../../../fixtures/input/codecfixture.rw1.binpb', import.meta.url));
  const PACKED = readFileSync(new URL('../../../fixtures/compression/codecfixture.rw1.binpb.zst', import.meta.url));
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
