/** A message that is entered in steps has the sums and findings of one that is entered at once. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Ledgers } from '../cost/type-profiler.ts';
import { NATIVE_PROFILES } from '../native/profiles.ts';
import { compileSchema } from '../schema/compile.ts';
import { findingsInSteps, findingsOf } from './annotate.ts';
import { recordRuns, splitLists } from './split-lists.ts';

const content = `syntax = "proto2";
  message Root { repeated Item items = 1; optional string name = 2; optional Root one = 3; map<string, Item> named = 4;
    repeated int32 run = 5 [packed = true]; repeated group Old = 6 { optional int32 a = 1; }
    oneof which { int32 a = 7; Item b = 8; } repeated Root more = 9; }
  message Item { optional int64 at = 1; optional string text = 2; optional Item inner = 3; }`;
const ROOT = compileSchema([{ path: 'a.proto', content }]).registry.messages.get('Root')!;

const record = (tag: number, payload: readonly number[]): readonly number[] => [tag, payload.length, ...payload];
const item = fc
  .array(
    fc.constantFrom<readonly number[]>(
      [8, 7],
      [8, 0x87, 0x80, 0],
      [0x12, 2, 65, 66],
      [0x12, 1, 0xff],
      [0x58, 1],
      [0x0f],
    ),
    { maxLength: 3 },
  )
  .map((pieces) => pieces.flat());
const part = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom(0x0a, 0x22, 0x4a), item).map(([tag, bytes]) => record(tag, bytes)) },
  fc.tuple(fc.constantFrom(0x1a, 0x42), item).map(([tag, bytes]) => record(tag, bytes)),
  fc.constantFrom<readonly number[]>(
    [0x12, 1, 65],
    [0x12, 0],
    [0x2a, 2, 1, 2],
    [0x28, 3],
    [0x33, 8, 1, 0x34],
    [0x33, 0x0a, 0, 0x34],
    [0x38, 5],
    [0x08, 1],
    [0x62, 1, 9],
  ),
  { weight: 1, arbitrary: fc.constantFrom<readonly number[]>([0x33], [0x34], [0x3c], [0x0a, 0x7f], [0x0f], [0x80]) },
);
const message = fc
  .tuple(fc.array(part, { maxLength: 30 }), fc.nat(3))
  .map(([parts, times]) => Uint8Array.from(new Array(1 + 60 * Math.max(0, times - 2)).fill(parts.flat()).flat()));

function drain<R>(steps: Generator<unknown, R, void>): R {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

test('the profile and the findings are the same', () => {
  fc.assert(
    fc.property(
      message,
      fc.array(message, { maxLength: 2 }),
      fc.integer({ min: 1, max: 40 }),
      (bytes, others, most) => {
        const whole = new Ledgers(ROOT, NATIVE_PROFILES[0]!);
        const stepped = new Ledgers(ROOT, NATIVE_PROFILES[0]!);
        for (const other of others) {
          whole.add(other);
          stepped.add(other);
        }
        const flags = whole.add(bytes);
        expect(drain(stepped.addInSteps(bytes, most))).toBe(flags);
        expect(stepped.profile()).toEqual(whole.profile());
        expect(drain(findingsInSteps(bytes, ROOT, most))).toEqual(findingsOf(bytes, ROOT));
      },
    ),
    { numRuns: 60, endOnFailure: true },
  );
});

test('runs tile the message, and parts have its bytes', () => {
  fc.assert(
    fc.property(message, fc.integer({ min: 1, max: 40 }), (bytes, most) => {
      let at = 0;
      for (const { start, end } of recordRuns(bytes, ROOT, most)) {
        expect([start, end > start]).toEqual([at, true]);
        at = end;
      }
      expect(at).toBe(bytes.length);
      const parts = [...splitLists(bytes, ROOT, most)];
      expect(parts.reduce((sum, { bytes: { length } }) => sum + length, 0)).toBe(bytes.length);
    }),
    { numRuns: 60 },
  );
});
