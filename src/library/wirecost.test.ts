import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { analyze, annotate, readSchema } from './wirecost.ts';

const schema = readSchema([{ path: 'm.proto', content: 'syntax = "proto3"; message M { int32 n = 1; }' }]);
const payload = Uint8Array.of(8, 1);

test('an id selects the second side of a profile', async () => {
  const sideOf = async (options: object) => (await analyze(payload, { schema, ...options })).profiles[0]!.nativeProfile;
  expect(await sideOf({ nativeProfile: 'avro' })).toBe('avro');
  expect(await sideOf({ encoding: 'msgpack-named' })).toBe('msgpack-named');
});

const file = (path: string): Uint8Array => new Uint8Array(readFileSync(new URL(`../../${path}`, import.meta.url)));
const fileAt = (path: string) => ({ path, content: file(path) });

test.each([
  ['payloads', payload, { schema }, { type: 'M', why: 'presumed', compared: { types: 1, messages: 1 } }],
  ['a chosen type', payload, { schema, type: 'M' }, { type: 'M', why: 'chosen' }],
  ['payloads without a schema', payload, {}, { type: null, why: 'by number' }],
  ['a capture', file('fixtures/capture/grpc-reflection.pcap'), {}, null],
])('the reading of %s', async (_, bytes, options, reading) => {
  const report = await analyze(bytes, options);
  if (reading === null) expect(report.reading).toBeNull();
  else expect(report.reading).toMatchObject(reading);
});

test('files of different types in an archive are listed', async () => {
  const both = readSchema(['schemas/prometheus/remote-write-1.proto', 'schemas/elastic/apm.proto'].map(fileAt));
  const archive = zipSync({
    'a.bin': file('public/samples/prometheus-remote-write-1.binpb'),
    'b.bin': file('public/samples/apm-events.delim.binpb'),
  });
  const { reading } = await analyze(archive, { schema: both });
  expect(reading?.unlike?.types.map(({ files }) => files)).toEqual([['a.bin'], ['b.bin']]);
});

test('a capture is read with the descriptors that its servers sent, unless a schema is given', async () => {
  const capture = file('fixtures/capture/grpc-reflection.pcap');
  const health = 'grpc.health.v1.HealthCheckResponse';
  const typesRead = async (options: object) => (await analyze(capture, options)).profiles.map(({ type }) => type);
  expect(await typesRead({})).toContain(health);
  expect(await typesRead({ schema })).not.toContain(health);
});

test.each([
  ['native profile', { nativeProfile: 'avroo' }, 'There is no native profile avroo.'],
  ['encoding', { encoding: 'jsonn' }, 'There is no encoding jsonn.'],
  [
    'framing',
    { framing: 'grcp' },
    'There is no framing grcp. There are single, grpc, varint, be32, be32-compressed, le32, be16, le16, confluent, confluent-be32, confluent-varint, tfrecord, osm-pbf, bulk, msearch, json, txtpb, native, none, or a description as le32 [1 message].',
  ],
  ['text encoding', { textEncoding: 'hexx' }, 'There is no text encoding hexx.'],
  ['type', { type: 'N' }, 'The schema has no message type N'],
])('an unknown %s is refused', async (_, options, words) => {
  await expect(analyze(payload, { schema, ...options })).rejects.toThrow(new RangeError(words));
});

test.each([
  ['an ArrayBuffer', payload.buffer],
  ['a text', '0801'],
  ['nothing', undefined],
  ['numbers', [8, 1]],
])('%s in place of bytes is refused', async (_, value) => {
  const words = 'The bytes are not a Uint8Array.';
  await expect(analyze(value as never, { schema })).rejects.toThrow(words);
  expect(() => annotate(value as never, { schema })).toThrow(words);
});

test('bytes of another realm are bytes', async () => {
  const { profiles } = await analyze(runInNewContext('Uint8Array.of(8, 1)'), { schema });
  expect(profiles.map(({ type }) => type)).toEqual(['M']);
});

test.each([
  ['a text', 'syntax = "proto3";'],
  ['a single file', { path: 'm.proto', content: '' }],
  ['a file without a path', [{ content: '' }]],
  ['a promise of content', [{ path: 'm.proto', content: Promise.resolve('') }]],
])('%s is not a schema', (_, files) => {
  expect(() => readSchema(files as never)).toThrow(
    new TypeError('readSchema takes a list of files, { path, content }; content is a text or a Uint8Array.'),
  );
});

test('a type without a schema is refused', async () => {
  const words = new RangeError('To read as M, a schema is needed.');
  await expect(analyze(payload, { type: 'M' })).rejects.toThrow(words);
  expect(() => annotate(payload, { type: 'M' })).toThrow(words);
});

test('the bytes of protobuf by category are numbers for the type checker, too', async () => {
  const { tag, length, value } = (await analyze(payload, { schema })).profiles[0]!.fields[0]!.protobuf;
  const sum: number = tag + length + value;
  expect(sum).toBe(2);
});

test.each([{ encoding: 'msgpack-named' }, { nativeProfile: 'avro' }])(
  'without a schema, %j is refused',
  async (options) => {
    const [id] = Object.values(options);
    await expect(analyze(payload, options)).rejects.toThrow(
      new RangeError(`To compare with ${id}, a schema is needed.`),
    );
  },
);

test.each([
  ['the detected type', { schema }, 'n'],
  ['the given type', { schema, type: 'M' }, 'n'],
  ['no schema', {}, 1],
])('annotate names fields by %s', (_, options, field) => {
  expect(annotate(payload, options).rows.map((row) => row.field)).toEqual([null, field]);
});
