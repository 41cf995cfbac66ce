import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compileSchema } from '#engine/schema/compile.ts';
import { CompressedSizes } from './compressed-sizes.ts';

const { registry } = compileSchema([{ path: 'a.proto', content: 'syntax = "proto3"; message M {}' }]);

test('a message is compressed when it is added, so that none is held', async () => {
  const sizes = await CompressedSizes.load();
  const borrowed = new Uint8Array(3000).fill(7);
  sizes.add(registry.messages.get('M')!, { protobuf: borrowed.subarray(0, 1000), native: borrowed }, {});
  borrowed.fill(0);
  sizes.add(registry.messages.get('M')!, { protobuf: borrowed.subarray(0, 0), native: borrowed.subarray(0, 0) }, {});
  const [gzip, ...others] = sizes.of({ type: 'M', ledgers: {} });
  const packed = [1000, 0].map((length) => gzipSync(new Uint8Array(length).fill(7), { level: 6 }).length);
  expect(gzip).toMatchObject({ codec: 'gzip level 6', protobuf: packed[0]! + packed[1]! });
  expect(others.map(({ codec }) => codec)).toEqual(['snappy', 'zstd level 3']);
});
