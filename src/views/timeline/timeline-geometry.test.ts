/** The timeline's shapes: one scale for both lanes, nothing outside, what has bytes is seen. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layOutTimeline } from './timeline-geometry.ts';

const timeline = (requests: readonly number[], responses: readonly number[]) => ({
  from: 0,
  to: 1,
  requests: Float64Array.from(requests),
  responses: Float64Array.from(responses),
  chosenRequests: new Float64Array(requests.length),
  chosenResponses: Float64Array.from(responses),
});

test('requests rise from the line, responses hang from it', () => {
  const { all, chosen, middle, peak } = layOutTimeline(timeline([30, 0, 10], [10, 0, 0]), 30, 40);
  expect([middle, peak]).toEqual([30, 30]);
  expect(all).toBe('M0 0h10v40h-10zM20 20h10v10h-10z');
  expect(chosen).toBe('M0 30h10v10h-10z');
});

test('any bytes at all stay within the strip, but for the least that can be seen', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 50 }), (bins) => {
      const { all } = layOutTimeline(
        timeline(
          bins.map(([up]) => up),
          bins.map(([, down]) => down),
        ),
        300,
        40,
      );
      expect((all.match(/M/g) ?? []).length).toBe(bins.filter(([up, down]) => up + down > 0).length);
      for (const [, y, height] of all.matchAll(/M[\d.]+ (-?[\d.]+)h[\d.]+v([\d.]+)/g)) {
        expect(Number(y)).toBeGreaterThanOrEqual(-1);
        expect(Number(y) + Number(height)).toBeLessThanOrEqual(41);
      }
    }),
    { numRuns: 1000 },
  );
});
