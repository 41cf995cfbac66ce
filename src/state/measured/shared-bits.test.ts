import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AppState } from '../store.ts';
import { sharedBits } from './shared-bits.ts';

/** A page with these bits of a field, as a link brought them. */
const pageWith = (paid: Readonly<Record<string, number>>): AppState => {
  const fields = [{ path: 'a', bytes: { value: 9 }, paid }];
  const bits = { formats: ['gzip'], streams: 1, messages: 1, outOf: 1, plainBytes: 9, compressedBytes: 9, fields };
  const sharedFrom = { bits: { ...bits, by: { kind: 'captured' }, container: {} } };
  return { session: { input: { data: null }, sharedFrom }, view: { paid: 'captured' } } as unknown as AppState;
};

test('a field whose bits are whole has the same sum in a link, in any parts', () => {
  const part = fc.nat({ max: 10_007 }).map((of) => of / 10_007);
  const whole = fc.tuple(fc.nat({ max: 1_000_000 }), part, part);
  fc.assert(
    fc.property(whole, ([total, first, second]) => {
      const tag = total * first;
      const length = (total - tag) * second;
      const [field] = sharedBits(pageWith({ tag, length, value: total - tag - length }))!.fields;
      const parts = Object.values(field!.paid);
      expect(parts.reduce((sum, bits) => sum + bits, 0)).toBe(total);
      expect(Math.min(...parts)).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 1000 },
  );
});
