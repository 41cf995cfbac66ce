import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { segmentsOf, sumSegments } from '#engine/cost/ledger-segments.ts';
import { layOutLedgerBar } from './ledger-bar-geometry.ts';

const segments = (tag: number, length: number, value: number) => segmentsOf({ tag, length, value });

describe('layOutLedgerBar', () => {
  test.each([
    ['fits', segments(1, 1, 8), 20, ['tag 0+10', 'length 10+10', 'value 20+80']],
    ['empty segments take no place', segments(2, 0, 8), 10, ['tag 0+40', 'value 40+160']],
    ['nothing', segments(0, 0, 0), 10, []],
    ['less than a pixel is less than a pixel', segments(1, 0, 0), 100000, ['tag 0+0.002']],
    ['a composition fills the width', segments(1, 1, 2), 'composition', ['tag 0+50', 'length 50+50', 'value 100+100']],
    ['a composition of nothing', segments(0, 0, 0), 'composition', []],
  ] as const)('%s', (_, given, scale, rects) => {
    const bar = layOutLedgerBar(given, { width: 200, scale });
    expect(bar.map(({ category, x, width }) => `${category} ${x}+${width}`)).toEqual(rects);
  });

  const sizes = fc.array(fc.nat(50_000_000), { minLength: 5, maxLength: 5 });
  const bar = sizes.map(([flag, count, length, type, value]) =>
    segmentsOf({ flag: flag!, count: count!, length: length!, type: type!, value: value! }),
  );

  test('bars of one scale have one length per byte, and segments touch', () => {
    fc.assert(
      fc.property(fc.array(bar, { minLength: 1, maxLength: 8 }), (bars) => {
        const scale = Math.max(1, ...bars.map(sumSegments));
        for (const given of bars) {
          let end = 0;
          for (const { bytes, x, width } of layOutLedgerBar(given, { width: 300, scale })) {
            expect(width).toBeCloseTo((bytes / scale) * 300, 6);
            expect(x).toBeCloseTo(end, 6);
            end = x + width;
          }
          expect(end).toBeLessThanOrEqual(300.000001);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('a composition has one length per byte and fills the width', () => {
    fc.assert(
      fc.property(bar, (given) => {
        fc.pre(sumSegments(given) > 0);
        const rects = layOutLedgerBar(given, { width: 300, scale: 'composition' });
        for (const { bytes, width } of rects) expect(width).toBeCloseTo((bytes / sumSegments(given)) * 300, 6);
        expect(rects.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(300, 6);
      }),
      { numRuns: 1000 },
    );
  });
});
