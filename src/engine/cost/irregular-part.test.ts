/** Only the odd submessages of a large message are written. Its native size equals that of the whole message. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deriveLayouts } from '../native/derive.ts';
import { NATIVE_PROFILES } from '../native/profiles.ts';
import { writeNative } from '../native/write.ts';
import { compileSchema } from '../schema/compile.ts';
import { annotate } from '../wire/annotate.ts';
import { irregularPart } from './irregular-part.ts';
import { profileJson } from './profile-json.ts';
import { Ledgers } from './type-profiler.ts';

const content = `syntax = "proto2";
  message Root { repeated Item items = 1; optional string name = 2; optional Root one = 3; map<string, Item> named = 4; }
  message Item { optional int64 at = 1; optional string text = 2; repeated int32 run = 3 [packed = true];
    oneof which { int32 a = 4; string b = 5; } optional Item inner = 6; }`;
const { registry } = compileSchema([{ path: 'a.proto', content }]);
const ROOT = registry.messages.get('Root')!;
const PROFILE = NATIVE_PROFILES[0]!;

const record = (tag: number, payload: readonly number[]): readonly number[] => [
  tag,
  (payload.length & 127) | 128,
  payload.length >> 7,
  ...payload,
];
const piece = fc.constantFrom<readonly number[]>(
  [8, 7],
  [8, 0x87, 0x80, 0],
  [0x12, 2, 65, 66],
  [0x12, 1, 0xff],
  [0x12, 0x81, 0, 65],
  [0x1a, 2, 1, 2],
  [0x20, 5],
  [0x2a, 1, 65],
  [0x32, 2, 8, 1],
  [0x58, 1],
  [0x0f],
);
const item = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.flat());
const top = fc.oneof(
  { weight: 4, arbitrary: item.map((bytes) => record(0x0a, bytes)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<readonly number[]>([0x12, 1, 65], [0x22, 3, 0x0a, 1, 65], [0x13, 0x14], [0x58, 1]),
  },
);
const plain = record(0x0a, [8, 9, 0x12, 3, 65, 66, 67]);
const root = fc
  .tuple(fc.array(top, { maxLength: 12 }), fc.integer({ min: 7000, max: 9000 }), fc.array(top, { maxLength: 12 }))
  .map(([before, count, after]) => [
    ...before.flat(),
    ...Array.from({ length: count }, () => plain).flat(),
    ...after.flat(),
  ]);

const native = (bytes: Uint8Array): number => {
  const layoutOf = deriveLayouts(PROFILE);
  return writeNative(bytes, annotate(bytes, ROOT).table, layoutOf(ROOT), layoutOf).bytes.length;
};

test('irregular submessages anywhere, at the top and nested', () => {
  fc.assert(
    fc.property(root, fc.boolean(), (bytes, isWithin) => {
      const size = bytes.length;
      const head = [0x1a, (size & 127) | 128, ((size >> 7) & 127) | 128, size >> 14];
      const message = Uint8Array.from(isWithin ? [...head, ...bytes, 0x12, 1, 65] : bytes);
      const ledgers = new Ledgers(ROOT, PROFILE);
      ledgers.add(message);
      expect(profileJson(ledgers.profile()).bytes.native).toBe(native(message));
    }),
    { numRuns: 30, endOnFailure: true },
  );
});

test('regular submessages are left out', () => {
  const bytes = Uint8Array.from([
    ...Array.from({ length: 9000 }, () => plain).flat(),
    ...record(0x0a, [0x12, 1, 0xff]),
  ]);
  const part = irregularPart(bytes, ROOT, (message) => !message.includes(0xff));
  expect([...part]).toEqual(record(0x0a, [0x12, 1, 0xff]));
});
