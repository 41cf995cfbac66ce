/** Encodings, compressors and bits over a real channel, against other libraries' sizes of the very bytes. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { Zstd } from '@hpcc-js/wasm-zstd';
import { expect, test } from 'vitest';
import { writeConversation } from '#engine/capture/containers/packets-writer.testing.ts';
import { encodeSnappy } from '#engine/compression/snappy-encode.ts';
import { partsOf, totalOf } from '#engine/cost/bit-parts.ts';
import { ask, startClient } from './client.testing.ts';
import type { Client } from './connect.ts';
import type { Api } from './protocol.ts';
import { ALL } from './requests.testing.ts';

const zstd = await Zstd.load();

const SCHEMA = 'syntax = "proto3";\npackage t;\nmessage Item { string name = 1; int64 size = 2; }\n';
const NAME = 'abcabcabcabc'.repeat(4);
/** Item { name: NAME size: 5 }, and as OpenSearch would write it: VInt 48, the text, Long 5. */
const PROTOBUF = Buffer.concat([Buffer.from([0x0a, 48]), Buffer.from(NAME), Buffer.from([0x10, 5])]);
const NATIVE = Buffer.concat([Buffer.from([48]), Buffer.from(NAME), Buffer.from([0, 0, 0, 0, 0, 0, 0, 5])]);

async function open(bytes: Uint8Array<ArrayBuffer>, name = 'items', framing?: string): Promise<Client> {
  const client = startClient();
  await ask(client, 'setSchema', { files: [{ path: 't.proto', content: SCHEMA }] });
  await ask(client, 'openInput', { name, data: new Blob([bytes]), ...(framing === undefined ? {} : { framing }) });
  return client;
}

const file = (path: string) => new Uint8Array(readFileSync(new URL(`../${path}`, import.meta.url)));
const bundle = (...paths: readonly string[]) =>
  paths.map((path) => ({ path, content: readFileSync(new URL(`../schemas/${path}`, import.meta.url), 'utf8') }));

const delimited = (message: Uint8Array, count: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.concat(Array.from({ length: count }, () => [Buffer.from([message.length]), message]).flat()));

const SHOWN = { scope: ALL, types: {}, type: 't.Item', shown: 't.Item', nativeProfile: 'opensearch', overrides: {} };
const level = null;

test('each message alone: the sizes of the libraries', async () => {
  const client = await open(delimited(PROTOBUF, 3));
  const matrix = await ask(client, 'matrix', {
    ...SHOWN,
    encodings: ['protobuf', 'native'],
    compressors: ['gzip', 'snappy', 'zstd'],
    levels: { zstd: 19 },
    per: 'message',
  });
  const sizes = (bytes: Uint8Array) => ({
    gzip: 3 * gzipSync(bytes).length,
    snappy: 3 * encodeSnappy(bytes).length,
    zstd: 3 * zstd.compress(bytes, 19).length,
  });
  expect(matrix).toMatchObject({ type: 't.Item', messages: 3, captured: 'protobuf', per: 'message', sampled: null });
  expect(matrix?.compressors.map(({ label }) => label)).toEqual(['gzip level 6', 'snappy', 'zstd level 19']);
  expect(matrix?.rows.map(({ id, bytes, compressed }) => ({ id, bytes, compressed }))).toEqual([
    { id: 'protobuf', bytes: 3 * PROTOBUF.length, compressed: sizes(PROTOBUF) },
    { id: 'native', bytes: 3 * NATIVE.length, compressed: sizes(NATIVE) },
  ]);
});

/** 7 bytes in protobuf; as captured, with white space. */
const JSON_ITEM = Buffer.from('{"name": "a b", "size": "5"}');

/** Each after what other writers of sequences have in front: `DataOutputStream.writeInt`, `struct.pack('<H')`, gRPC. */
const after = (front: readonly number[]) => Buffer.concat(Array(3).fill(Buffer.concat([Buffer.from(front), PROTOBUF])));

test.each([
  ['size-prefixed', 'protobuf', delimited(PROTOBUF, 3), PROTOBUF.length + 1],
  ['four bytes, big-endian', 'protobuf', after([0, 0, 0, PROTOBUF.length]), PROTOBUF.length + 4],
  ['four bytes, little-endian', 'protobuf', after([PROTOBUF.length, 0, 0, 0]), PROTOBUF.length + 4],
  ['two bytes, big-endian', 'protobuf', after([0, PROTOBUF.length]), PROTOBUF.length + 2],
  ['two bytes, little-endian', 'protobuf', after([PROTOBUF.length, 0]), PROTOBUF.length + 2],
  ['gRPC', 'protobuf', after([0, 0, 0, 0, PROTOBUF.length]), PROTOBUF.length + 5],
  ['JSON, one a line', 'captured-json', Buffer.from(`${JSON_ITEM}\n`.repeat(3)), 7 + 1],
  ['one JSON text', 'captured-json', JSON_ITEM, 7],
])('joined: the very bytes of the file, %s', async (_, captured, file, each) => {
  const bytes = new Uint8Array(file);
  const client = await open(bytes);
  const shown = { ...SHOWN, compressors: ['zstd'] as const, per: null };
  const matrix = await ask(client, 'matrix', { ...shown, encodings: 'common' });
  const rowOf = (id: string) => matrix?.rows.find((row) => row.id === id);
  expect(matrix).toMatchObject({ per: 'joined', captured });
  expect(rowOf(captured)).toMatchObject({ bytes: bytes.length, compressed: { zstd: zstd.compress(bytes, 3).length } });
  expect(rowOf('protobuf')?.bytes).toBe(matrix!.messages * each);
  expect(matrix?.rows.map(({ id }) => id)).toEqual(expect.arrayContaining(['json', 'msgpack-named', 'avro']));
  const measured = await ask(client, 'bits', { ...SHOWN, encoding: 'captured', compressor: { id: 'zstd', level } });
  expect(measured).toMatchObject({ plainBytes: bytes.length, compressedBytes: rowOf(captured)?.compressed['zstd'] });
});

test('the captured encoding loses what its profile says', async () => {
  const client = await open(
    new Uint8Array(Buffer.from('{"rate": 0.12345678901234567}\n{"rate": 0.5}\n')),
    'items.json',
  );
  const content = 'syntax = "proto3";\npackage t;\nmessage Item { float rate = 1; }\n';
  await ask(client, 'setSchema', { files: [{ path: 't.proto', content }] });
  const matrix = await ask(client, 'matrix', { ...SHOWN, encodings: 'common', compressors: [], per: null });
  expect(matrix?.rows.find(({ id }) => id === 'captured-json')?.losses).toEqual([
    'numbers have more digits than their type holds: 1',
  ]);
});

test('a sample of too many bytes is measured, and scaled up to all of them', async () => {
  const long = Buffer.concat([Buffer.from([0x0a, 0x78]), Buffer.from('x'.repeat(120))]);
  const client = await open(delimited(long, 20_000), 'items', 'varint');
  const compressors = ['snappy'] as const;
  const matrix = await ask(client, 'matrix', { ...SHOWN, encodings: ['protobuf'], compressors, per: null });
  expect(matrix).toMatchObject({ messages: 20_000, per: 'message', sampled: { messages: 10_000 } });
  const [row] = matrix!.rows;
  expect([row?.bytes, row?.compressed['snappy']]).toEqual([20_000 * long.length, 20_000 * encodeSnappy(long).length]);
  expect(row?.errors['snappy']).toBeCloseTo(0);
});

test('messages of one type in JSON and in protobuf: those of the shown format are measured', async () => {
  const request = (type: string, body: Uint8Array): Buffer => {
    const head = `POST /items HTTP/1.1\r\ncontent-type: application/${type}\r\ncontent-length: ${body.length}\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), body]);
  };
  const text = Buffer.from(JSON.stringify({ name: NAME, size: '5' }));
  const sent = [request('json', text), request('x-protobuf', PROTOBUF), request('x-protobuf', PROTOBUF)];
  const capture = writeConversation([{ side: 0, bytes: new Uint8Array(Buffer.concat(sent)) }]);
  const client = await open(new Uint8Array(capture), 'items.pcap');
  const summary = await ask(client, 'openInput', { name: 'items.pcap', data: new Blob([new Uint8Array(capture)]) });
  const types = Object.fromEntries(summary.groups.map(({ key }) => [key, 't.Item']));
  const asked = {
    ...SHOWN,
    type: null,
    types,
    encodings: ['protobuf'],
    compressors: ['snappy'],
    per: 'message',
  } as const;
  const [all, json, protobuf] = [
    await ask(client, 'matrix', asked),
    await ask(client, 'matrix', { ...asked, format: 'json' }),
    await ask(client, 'matrix', { ...asked, format: null }),
  ];
  expect(all).toMatchObject({ messages: 3 });
  expect(json).toMatchObject({ messages: 1, captured: 'captured-json', rows: [{ bytes: text.length }, {}] });
  expect(protobuf).toMatchObject({ messages: 2, captured: 'protobuf', rows: [{ bytes: 2 * PROTOBUF.length }] });
});

test('a type without messages: nothing to measure', async () => {
  const client = await open(delimited(PROTOBUF, 3));
  const shown = { ...SHOWN, shown: 't.Other', encodings: 'all', compressors: 'all', per: null } as const;
  expect(await ask(client, 'matrix', shown)).toBeNull();
});

const bitsIn = ({ fields, container }: NonNullable<Awaited<ReturnType<Api['bits']>>>) => ({
  paid: fields.reduce((sum, { paid }) => sum + totalOf(partsOf(paid)), 0),
  shared: fields.reduce((sum, { shared }) => sum + totalOf(partsOf(shared!)), 0),
  container: Object.values(container).reduce((sum, bits) => sum + bits, 0),
});

test.each([
  'protobuf',
  'native',
  'json',
  'msgpack-named',
  'thrift-compact',
  'bson',
  'smile',
  'flatbuffers',
  'avro',
  'capnp',
  'capnp-packed',
])('bits of %s after a named encoder: fields and container sum to the stream', async (encoding) => {
  const client = await open(delimited(PROTOBUF, 40));
  const answer = await ask(client, 'bits', { ...SHOWN, encoding, compressor: { id: 'zstd', level } });
  expect(answer).toMatchObject({
    by: { kind: 'encoder', label: 'zstd level 3' },
    messages: 40,
    outOf: 40,
    streams: 1,
  });
  const { paid, shared, container } = bitsIn(answer!);
  expect(paid + container).toBeCloseTo(8 * answer!.compressedBytes, 6);
  expect(shared + container).toBeCloseTo(8 * answer!.compressedBytes, 6);
  const paths = answer!.fields.map(({ path }) => path).filter((path) => !path.startsWith('('));
  expect(paths.sort()).toEqual(['name', 'size']);
});

test('bits of captured streams: a compressed file and the bodies of a capture', async () => {
  const plain = delimited(PROTOBUF, 40);
  const packed = new Uint8Array(gzipSync(plain));
  const client = await open(packed, 'items.gz');
  const answer = await ask(client, 'bits', { ...SHOWN, encoding: 'protobuf', compressor: null });
  expect(answer).toMatchObject({ by: { kind: 'captured' }, formats: ['gzip'], plainBytes: plain.length, messages: 40 });
  expect(answer?.compressedBytes).toBe(packed.length);

  await ask(client, 'setBundled', { files: bundle('prometheus/remote-write-1.proto') });
  await ask(client, 'openInput', { name: 'x.pcapng', data: new Blob([file('fixtures/capture/remote-write.pcapng')]) });
  const shown = 'prometheus.WriteRequest';
  const captured = await ask(client, 'bits', { ...SHOWN, type: null, shown, encoding: 'protobuf', compressor: null });
  expect(captured).toMatchObject({ by: { kind: 'captured' }, formats: ['snappy'], streams: 8, outOf: 8 });
  const { paid, container } = bitsIn(captured!);
  expect(paid + container).toBeCloseTo(8 * captured!.compressedBytes, 5);
  expect(captured?.fields.map(({ path }) => path)).toContain('timeseries.labels.value');
});

test('bits of one message of a compressed file: the others of its stream are in no field', async () => {
  const client = await open(new Uint8Array(gzipSync(delimited(PROTOBUF, 40))), 'items.gz');
  const scope = { ...ALL, ordinals: [[7, 8]] as const };
  const answer = await ask(client, 'bits', { ...SHOWN, scope, encoding: 'protobuf', compressor: null });
  expect(answer).toMatchObject({ messages: 1, outOf: 1, streams: 1 });
  expect(Object.fromEntries(answer!.fields.map(({ path, bytes }) => [path, totalOf(partsOf(bytes))]))).toEqual({
    ...{ name: 50, size: 2, '(size prefix)': 40, '(other messages)': 39 * PROTOBUF.length },
  });
  const { paid, container } = bitsIn(answer!);
  expect(paid + container).toBeCloseTo(8 * answer!.compressedBytes, 6);
});

test('bits of compressed lines of JSON: line breaks are of the messages, and nothing is a length', async () => {
  const lines = Array.from({ length: 40 }, (_, size) => `{"name":"${NAME}","size":"${size + 10}"}\n`).join('');
  const all = await open(new Uint8Array(gzipSync(lines)), 'items.ndjson.gz');
  const asked = { ...SHOWN, encoding: 'json', compressor: null };
  const answer = await ask(all, 'bits', asked);
  expect(answer).toMatchObject({ by: { kind: 'captured' }, messages: 40, plainBytes: lines.length });
  const partsAt = ({ fields }: NonNullable<typeof answer>) =>
    Object.fromEntries(fields.map(({ path, bytes }) => [path, bytes]));
  expect(partsAt(answer!)['(message)']).toEqual({ punctuation: 40 * '{}\n'.length });
  expect(answer!.fields.map(({ bytes }) => partsOf(bytes).length)).toEqual([0, 0, 0]);
  const one = await ask(all, 'bits', { ...asked, scope: { ...ALL, ordinals: [[7, 8]] as const } });
  expect(partsAt(one!)['(message)']).toEqual({ punctuation: 40 + '{}'.length });
  expect(partsAt(one!)['(other messages)']).toEqual({ value: 39 * (lines.length / 40 - 1) });
});

test('an uncompressed capture has no captured streams', async () => {
  const client = await open(delimited(PROTOBUF, 3));
  expect(await ask(client, 'bits', { ...SHOWN, encoding: 'protobuf', compressor: null })).toBeNull();
});

test('copies: an earlier message is copied from, in captured and in computed streams', async () => {
  const packed = new Uint8Array(gzipSync(delimited(PROTOBUF, 40)));
  const client = await open(packed, 'items.gz');
  const at = { ...SHOWN, encoding: 'protobuf', ordinal: 7, start: 0, end: PROTOBUF.length };
  for (const compressor of [null, { id: 'snappy', level }, { id: 'zstd', level }] as const) {
    const found = await ask(client, 'copiedFrom', { ...at, compressor });
    const [first] = found!.stretches;
    expect(first).toMatchObject({ start: 0, from: { ordinal: 6, offset: 0, path: 'name' } });
    expect(first?.from?.distance).toBe(PROTOBUF.length + 1);
    expect(found).toMatchObject({ more: 0 });
  }
  const alone = await ask(await open(Buffer.from(PROTOBUF)), 'copiedFrom', { ...at, ordinal: 0, compressor: null });
  expect(alone).toBeNull();
});

test('savings of fields are sent one by one, as soon as each is measured', async () => {
  const client = await open(delimited(PROTOBUF, 40));
  const seen: string[] = [];
  const params = { ...SHOWN, compressor: { id: 'zstd', level }, paths: ['name', 'size', '__proto__'] } as const;
  const outcome = await client.call('saved', params, {
    onSoFar: (answer) => seen.push([...(answer?.saved.keys() ?? [])].join(' ')),
  });
  if (!outcome.ok || outcome.value === null) throw new Error('not measured');
  expect(seen).toEqual(['name', 'name size', 'name size __proto__']);
  const { saved, ...measured } = outcome.value;
  expect(measured).toEqual({
    ...{ label: 'zstd level 3', library: 'libzstd', version: '1.5.7' },
    ...{ messages: 40, outOf: 40, per: 'joined', encoding: null, capturedWith: { none: 40 * PROTOBUF.length } },
  });
  const without = Buffer.concat(Array.from({ length: 40 }, () => Buffer.from([2, 0x10, 5])));
  const whole = zstd.compress(delimited(PROTOBUF, 40), 3).length;
  expect(saved.get('name')?.bytes).toBe(whole - zstd.compress(without, 3).length);
  expect(saved.get('name')?.isMeasurable).toBe(true);
});
