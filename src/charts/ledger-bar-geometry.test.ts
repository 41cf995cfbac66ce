import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nativeSegments, protobufSegments, sumSegments } from '#engine/cost/ledger-segments.ts';
import { chooseBarScale, layOutLedgerBar } from './ledger-bar-geometry.ts';

const segments = (tag: number, length: number, value: number) => protobufSegments({ tag, length, value });

describe('layOutLedgerBar', () => {
  test.each([
    ['fits', segments(1, 1, 8), 20, ['tag 0+10', 'length 10+10', 'value 20+80'], null],
    ['empty segments take no place', segments(2, 0, 8), 10, ['tag 0+40', 'value 40+160'], null],
    ['nothing', segments(0, 0, 0), 10, [], null],
    ['less than a pixel is a pixel', segments(1, 0, 0), 100000, ['tag 0+1'], null],
    ['longer than the scale', segments(5, 5, 90), 20, ['tag 0+50', 'length 50+50', 'value 100+100'], 191],
    ['overhead alone beyond the scale', segments(30, 5, 5), 20, ['tag 0+200', 'length 200+0', 'value 200+0'], 191],
  ])('%s', (_, given, scale, rects, breakAt) => {
    const bar = layOutLedgerBar(given, { width: 200, scale });
    expect(bar.rects.map(({ category, x, width }) => `${category} ${x}+${width}`)).toEqual(rects);
    expect(bar.breakAt).toBe(breakAt);
  });

  test('whole bars are to scale', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { minLength: 5, maxLength: 5 }), (sizes) => {
        const [flag, count, length, type, value] = sizes as [number, number, number, number, number];
        const given = nativeSegments({ flag, count, length, type, value });
        const scale = sumSegments(given) + 1;
        const { rects, end } = layOutLedgerBar(given, { width: 300, scale });
        fc.pre(end > 1);
        for (const { bytes, width } of rects) expect(width).toBeCloseTo((bytes / scale) * 300, 6);
        expect(rects.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(end, 6);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('chooseBarScale', () => {
  test.each([
    ['even', [10, 20, 30], { bytes: 30, broken: 0 }],
    ['one giant', [8_667_852, 220_000, 110_000], { bytes: 275_000, broken: 1 }],
    ['a total and a giant', [9_207_862, 8_667_852, 220_000, 110_000], { bytes: 275_000, broken: 2 }],
    ['two alone are never broken', [100_000, 1], { bytes: 100_000, broken: 0 }],
    [
      'many that fall off slowly: the longest tenth is broken',
      Array.from({ length: 40 }, (_, index) => 2 ** (40 - index)),
      { bytes: 2 ** 36, broken: 4 },
    ],
    ['none', [], { bytes: 0, broken: 0 }],
    ['nothing', [0, 0], { bytes: 0, broken: 0 }],
  ])('%s', (_, totals, expected) => {
    expect(chooseBarScale(totals)).toEqual(expected);
  });
});
