import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FRAMES_HERE, FrameSearch } from './http2-frames.ts';

/** A frame of DATA on h2 stream 1, whole or cut. */
const frame = fc
  .record({ length: fc.integer({ min: 0, max: 40 }), kept: fc.integer({ min: 1, max: 49 }) })
  .map(({ length, kept }) => [0, 0, length, 0, 1, 0, 0, 0, 1, ...new Array<number>(length).fill(7)].slice(0, kept));
/** Counters have the form of frame headers, some of frames that are longer than what follows. */
const counter = fc.integer({ min: 0, max: 2 ** 17 }).map((n) => [n & 255, (n >> 8) & 255, n >> 16, 0]);
const noise = fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 12 });

test('a search that goes through growing bytes finds what a new search finds in all of them', () => {
  const part = fc.oneof(frame, counter, noise);
  let doubts = 0;
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), fc.array(fc.integer({ min: 1, max: 30 })), (parts, sizes) => {
      const bytes = Uint8Array.from(parts.flat());
      const search = new FrameSearch(FRAMES_HERE);
      let start = 0;
      let end = 0;
      for (const size of [...sizes, bytes.length]) {
        end = Math.min(bytes.length, end + size);
        const final = end === bytes.length;
        const fresh = new FrameSearch(FRAMES_HERE).find(bytes, start, end, 0, final);
        expect(search.find(bytes, start, end, 1000 + start, final)).toEqual(fresh);
        if (fresh.isSure || final) return;
        if (fresh.at < end - 8) doubts++;
        start = fresh.at;
      }
    }),
    { numRuns: 2000 },
  );
  expect(doubts).toBeGreaterThan(100);
});

test('a place that was excluded is not looked at again', () => {
  const looked: number[] = [];
  const bytes = new Proxy(new Uint8Array(400).fill(255), {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) looked.push(Number(key));
      return Reflect.get(target, key, target);
    },
  });
  const search = new FrameSearch(FRAMES_HERE);
  for (let end = 10; end <= 400; end += 10) search.find(bytes, 0, end, 0, false);
  expect(looked.length).toBeLessThan(400 * 12);
});
