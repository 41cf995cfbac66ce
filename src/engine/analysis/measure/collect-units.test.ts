import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bytesSource } from '../../bytes/source.ts';
import { capturedCompressor } from '../../compression/captured-with.ts';
import { compileSchema } from '../../schema/compile.ts';
import { libraryOf } from '../analyze.ts';
import { openInput } from '../read-input.ts';
import { allMessages, storeMessages } from '../store/message-store.ts';
import { collectUnits } from './collect-units.ts';

const { registry } = compileSchema([{ path: 'a.proto', content: 'syntax = "proto3"; message Any { bytes a = 1; }' }]);
const input = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../../fixtures/input/${name}`, import.meta.url)));

test.each([
  ['a file', 'apm-metricsets.delim.binpb', input('apm-metricsets.delim.binpb'), undefined, ['varint', 'many']],
  ['a compressed file', 'a.gz', gzipSync(input('apm-metricsets.delim.binpb')), 'gzip', ['varint', 'many']],
  ['blocks that are compressed one by one', 'a.osm.pbf', input('map-zlib.osm.pbf'), 'gzip', [null, 1]],
  ['records that are compressed one by one', 'a.be32', input('otlp-traces-proto.zstd.be32'), 'zstd', [null, 1]],
] as const)(
  '%s: its messages in the pieces that were compressed, and by what',
  async (_name, path, bytes, compressor, [delimiter, each]) => {
    const choice = {};
    const control = { nextTurn: () => Promise.resolve() };
    const opened = await openInput(bytesSource(path, new Uint8Array(bytes)), choice);
    const { store } = await storeMessages(opened, choice, control);
    const type = registry.messages.get('Any')!;
    const found = await collectUnits([{ store, type, ordinals: [...allMessages(store)] }], libraryOf([{ registry }]), {
      bytes: Number.POSITIVE_INFINITY,
      messages: Number.POSITIVE_INFINITY,
    });
    expect(capturedCompressor(found.capturedWith)).toBe(compressor);
    expect(found.messages).toBeGreaterThan(0);
    expect(found.computed).toBe(0);
    expect(found.units.map((unit) => unit.delimiter)).toEqual(found.units.map(() => delimiter));
    const counts = found.units.map(({ messages }) => messages.length);
    expect(counts).toEqual(each === 'many' ? [found.messages] : Array(found.messages).fill(1));
  },
);

test('messages that were captured in another encoding are counted: their protobuf is computed', async () => {
  const control = { nextTurn: () => Promise.resolve() };
  const lines = new TextEncoder().encode('{"a":"AQ=="}\n{"a":"AgM="}\n');
  const { store } = await storeMessages(await openInput(bytesSource('a.ndjson', lines), {}), {}, control);
  const ordinals = [...allMessages(store)];
  const type = registry.messages.get('Any')!;
  const limit = { bytes: 1000, messages: 1000 };
  const found = await collectUnits([{ store, type, ordinals }], libraryOf([{ registry }]), limit);
  expect(found).toMatchObject({ messages: 2, computed: 2 });
  expect(found.units.flatMap(({ messages }) => messages.map((message) => [...message]))).toEqual([
    [0x0a, 1, 1],
    [0x0a, 2, 2, 3],
  ]);
});
