/** Addresses of rows outlive the rows: there and back for every row of random messages. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deriveLayouts } from '../native/derive.ts';
import { NATIVE_PROFILES } from '../native/profiles.ts';
import { compileSchema } from '../schema/compile.ts';
import { type InspectedSide, inspect } from './inspect.ts';
import { firstRow, pathAt, rowAddressOf, rowOf, rowsOf } from './row-address.ts';

const layoutOf = deriveLayouts(NATIVE_PROFILES[0]!);

/** Sides as they might come: any paths on any rows. */
const sides = fc.array(fc.integer({ min: -1, max: 3 }), { minLength: 1, maxLength: 40 }).map((path): InspectedSide => {
  const { protobuf } = inspect(new Uint8Array(), { type: undefined, layoutOf });
  return {
    ...protobuf,
    path: Int32Array.from(path),
    // ?1, ?1.?2, ?3, ?4
    paths: { parent: Int32Array.of(-1, 0, -1, -1), field: Int32Array.of(-3, -4, -5, -6) },
    counterpart: Int32Array.from(path, () => -1),
  };
});

test('every row is found again by its address', () => {
  fc.assert(
    fc.property(sides, (side) => {
      for (let row = 0; row < side.path.length; row++)
        expect(rowOf(side, rowAddressOf('protobuf', side, row))).toBe(row);
    }),
    { numRuns: 1000 },
  );
});

test('an address without a row in this message gives −1', () => {
  const { protobuf } = inspect(Uint8Array.of(0x08, 0x01), { type: undefined, layoutOf });
  expect(rowOf(protobuf, { path: '?1', occurrence: 0 })).toBe(1);
  expect(rowOf(protobuf, { path: '?1', occurrence: 1 })).toBe(-1);
  expect(rowOf(protobuf, { path: 'nothing', occurrence: 0 })).toBe(-1);
  expect(rowsOf({ protobuf, native: null }, { encoding: 'native', path: '?1', occurrence: 0 })).toEqual({
    protobuf: -1,
    native: -1,
  });
  expect(firstRow({ protobuf, native: null }, '?1')).toEqual({ encoding: 'protobuf', path: '?1', occurrence: 0 });
  expect(firstRow({ protobuf, native: null }, 'x')).toBeNull();
  expect(pathAt(protobuf, 0)).toBe('');
});

test('a row addressed on either side is found on both, and so is the message itself', () => {
  const { registry } = compileSchema([
    { path: 'm.proto', content: 'syntax = "proto3"; message M { int32 a = 1; optional int32 b = 2; }' },
  ]);
  const message = inspect(Uint8Array.of(0x08, 0x01), { type: registry.messages.get('M')!, layoutOf });
  const of = (encoding: 'protobuf' | 'native', path: string) => rowsOf(message, { encoding, path, occurrence: 0 });
  for (const encoding of ['protobuf', 'native'] as const) {
    expect(of(encoding, '')).toEqual({ protobuf: 0, native: 0 });
    expect(of(encoding, 'a')).toEqual({ protobuf: 1, native: 1 });
  }
  expect(of('native', 'b')).toEqual({ protobuf: -1, native: 2 });
});
