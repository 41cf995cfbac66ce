/** The memory of an inspected message, as it is posted by the worker: at most 64 bytes for each byte of the message, for any content. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deriveLayouts } from '../native/derive.ts';
import { NATIVE_PROFILES } from '../native/profiles.ts';
import { compileSchema } from '../schema/compile.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { type Inspected, inspect } from './inspect.ts';
import { pathAt } from './row-address.ts';

/** Memory that any message may take in addition: 64 Ki native bytes, and as many rows. */
const FIXED = 4 << 20;

const numbers = Array.from({ length: 149 }, (_, at) => `optional int32 a_field_with_a_long_name_${at} = ${at + 2};`);
const { registry } = compileSchema([
  { path: 'a.proto', content: `syntax = "proto3"; message M { M m = 1; ${numbers.join(' ')} repeated M list = 151; }` },
]);
const M = registry.messages.get('M')!;

function sizeOf({ protobuf, native }: Inspected): number {
  const sides = native === null ? [protobuf] : [protobuf, native];
  const columns = sides.flatMap(({ bytes, table, path, paths, counterpart }) => {
    const { cells, kinds, farParents, rareFields } = table;
    return [bytes, cells, kinds, farParents, rareFields, path, counterpart, paths.parent, paths.field];
  });
  return columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** Field 1 nested in itself to a depth. */
function nested(depth: number): Uint8Array {
  const heads: number[][] = [];
  let size = 0;
  for (let level = 0; level < depth; level++) {
    const head = [10];
    let rest = size;
    for (; rest > 127; rest >>>= 7) head.push((rest & 127) | 128);
    head.push(rest);
    heads.push(head);
    size += head.length;
  }
  return Uint8Array.from(heads.reverse().flat());
}

const EMPTIES = Uint8Array.from(new Array(60_000).fill([10, 0]).flat());
const GROUPS = Uint8Array.from([...new Array(30_000).fill(0x0b), ...new Array(30_000).fill(0x0c)]);

test.each<[string, Uint8Array, MessageDescriptor | undefined]>([
  ['a field 20,000 deep', nested(20_000), M],
  ['a field 20,000 deep, without a schema', nested(20_000), undefined],
  ['60,000 empty messages, each with 150 absent fields', EMPTIES, M],
  ['30,000 groups in one another', GROUPS, undefined],
  ['zeros', new Uint8Array(100_000), M],
])('%s', (_name, bytes, type) => {
  for (const profile of NATIVE_PROFILES) {
    const inspected = inspect(bytes, { type, layoutOf: deriveLayouts(profile) });
    expect(sizeOf(inspected) - FIXED).toBeLessThanOrEqual(64 * bytes.length);
    const last = inspected.protobuf.table.length - 1;
    expect(pathAt(inspected.protobuf, last).length).toBeLessThan(10_000);
    if (type === undefined) break;
  }
});

test('any bytes', () => {
  const layoutOf = deriveLayouts(NATIVE_PROFILES[0]!);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
      expect(sizeOf(inspect(bytes, { type: M, layoutOf })) - FIXED).toBeLessThanOrEqual(64 * bytes.length);
    }),
    { numRuns: 300 },
  );
});
