/** Sums of what is written, with nothing kept, are those of the rows that are. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryMessages } from '#testing/arbitrary-message.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { annotate } from '../wire/annotate.ts';
import { PathPlan } from '../wire/path-plan.ts';
import { deriveLayouts } from './derive.ts';
import { NATIVE_PROFILES, type NativeProfile } from './profiles.ts';
import { rollUpNative } from './roll-up.ts';
import { WrittenSums } from './sum-written.ts';
import { writeNative } from './write.ts';

function checkSums(type: MessageDescriptor, messages: readonly Uint8Array[], profile: NativeProfile): void {
  const layoutOf = deriveLayouts(profile);
  const plan = new PathPlan(type);
  let rows = new Float64Array(0);
  const whole = new WrittenSums(type, layoutOf, plan);
  const apart = new WrittenSums(type, layoutOf, plan, 0);
  for (const message of messages) {
    const { table } = writeNative(message, annotate(message, type).table, layoutOf(type), layoutOf);
    rows = rollUpNative(table, plan, rows) as typeof rows;
    whole.add(message);
    apart.add(message);
  }
  const cells = (sums: Float64Array) => [...sums.entries()].filter(([, bytes]) => bytes !== 0);
  expect(cells(whole.sums())).toEqual(cells(rows));
  expect(cells(apart.sums())).toEqual(cells(rows));
  // Asked again, they are the same.
  expect(cells(apart.sums())).toEqual(cells(rows));
}

test.each(NATIVE_PROFILES)('$id: all records at once equal record by record, for any messages', (profile) => {
  fc.assert(
    fc.property(arbitraryMessages({ native: { lossless: false } }), ({ type, messages }) =>
      checkSums(type, messages, profile),
    ),
    { numRuns: 25, endOnFailure: true },
  );
});

test.each(NATIVE_PROFILES)('$id: bytes that no writer of the type wrote', (profile) => {
  const byte = fc.oneof(fc.nat(255), fc.constantFrom(0x08, 0x0a, 0x12, 0x1a, 0x22, 0x2a, 1, 2, 3));
  fc.assert(
    fc.property(arbitraryMessages({ any: true }), fc.array(byte, { maxLength: 60 }), ({ type, messages }, bytes) =>
      checkSums(type, [...messages, Uint8Array.from(bytes)], profile),
    ),
    { numRuns: 25, endOnFailure: true },
  );
});
