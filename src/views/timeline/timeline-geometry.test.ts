/** The timeline's shapes: one scale for both sides, nothing outside, the full height used in any case. */
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

const barsOf = (path: string) =>
  [...path.matchAll(/M[\d.]+ (-?[\d.]+)h[\d.]+v([\d.]+)/g)].map(([, y, length]) => ({
    y: Number(y),
    length: Number(length),
  }));

test('responses are drawn on top of requests', () => {
  const paths = layOutTimeline(timeline([30, 0, 10], [10, 0, 0]), 30, 40);
  expect(paths.peak).toBe(40);
  expect(paths.requests).toBe('M0 10h10v30h-10zM20 30h10v10h-10z');
  expect(paths.responses).toBe('M0 0h10v10h-10z');
  expect(paths.chosenRequests).toBe('');
  expect(paths.chosenResponses).toBe(paths.responses);
});

test('the full height is used even if nearly all messages are responses', () => {
  const { responses } = layOutTimeline(timeline([1, 0], [999, 500]), 20, 40);
  expect(barsOf(responses).map(({ length }) => length)).toEqual([39.96, 20]);
});

test('bars of any bytes stay within the strip, with one height per byte', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 50 }), (bins) => {
      const [up, down] = [bins.map(([bytes]) => bytes), bins.map(([, bytes]) => bytes)];
      const { requests, responses, peak } = layOutTimeline(timeline(up, down), 300, 40);
      for (const [path, bytes] of [
        [requests, up],
        [responses, down],
      ] as const) {
        const some = bytes.filter((each) => each > 0);
        const bars = barsOf(path);
        expect(bars).toHaveLength(some.length);
        bars.forEach(({ y, length }, index) => {
          expect(Math.abs(length - (some[index]! * 40) / peak)).toBeLessThan(0.0011);
          expect(y).toBeGreaterThanOrEqual(-0.001);
          expect(y + length).toBeLessThanOrEqual(40.002);
        });
      }
    }),
    { numRuns: 500 },
  );
});
