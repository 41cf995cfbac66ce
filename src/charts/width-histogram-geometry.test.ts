import { describe, expect, test } from 'vitest';
import { layOutWidthHistogram } from './width-histogram-geometry.ts';

describe('layOutWidthHistogram', () => {
  const widths = [6, 0, 2];

  test.each([
    ['count', ['1 6 0.75 100', '2 0 0 0', '3 2 0.25 33.3', '4 0 0 0', '5 0 0 0']],
    ['bytes', ['1 6 0.5 100', '2 0 0 0', '3 6 0.5 100', '4 0 0 0', '5 0 0 0']],
  ] as const)('by %s', (measure, expected) => {
    const { bars, count, bytes } = layOutWidthHistogram(widths, { measure, max: 5, plotWidth: 100 });
    expect(bars.map((bar) => `${bar.size} ${bar[measure]} ${bar.share} ${Math.round(bar.length * 10) / 10}`)).toEqual(
      expected,
    );
    expect({ count, bytes }).toEqual({ count: 8, bytes: 12 });
  });

  test('an overlong varint widens the axis', () => {
    const { bars } = layOutWidthHistogram([1, 0, 0, 0, 0, 0, 3], { measure: 'count', max: 5, plotWidth: 100 });
    expect(bars).toHaveLength(7);
  });

  test('rare widths are drawn in proportion', () => {
    const { bars } = layOutWidthHistogram([1_000_000, 1], { measure: 'count', max: 2, plotWidth: 100 });
    expect(bars[1]!.length).toBeCloseTo(0.0001, 9);
  });
});
