import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { axisRange, layOutWaterfall } from './waterfall-geometry.ts';

describe('axisRange', () => {
  test.each([
    ['no difference: from 0', [100, 100], { start: 0, end: 100 }],
    ['nothing at all', [0, 0], { start: 0, end: 1 }],
    ['a large difference: from 0', [50, 80], { start: 0, end: 80 }],
    ['a small one: a stub before the smallest level', [1000, 1100, 1050], { start: 982, end: 1100 }],
    ['the smallest level may be between the totals', [1000, 900, 1100], { start: 864, end: 1100 }],
  ])('%s', (_, levels, range) => {
    expect(axisRange(levels)).toEqual(range);
  });
});

describe('layOutWaterfall', () => {
  const lay = (width: number, steps: readonly [string, number][], native = 1000) =>
    layOutWaterfall({
      from: { label: 'Native', bytes: native },
      to: { label: 'Protobuf', bytes: steps.reduce((sum, [, bytes]) => sum + bytes, native) },
      steps: steps.map(([key, bytes]) => ({ key, label: key, bytes })),
      width,
    });

  test('steps stand between the totals, in the order given, without those of no bytes', () => {
    const { rows } = lay(900, [
      ['tags', 50],
      ['counts', 0],
      ['flags', -20],
    ]);
    expect(rows.map(({ kind, label, bytes }) => `${kind} ${label} ${bytes}`)).toEqual([
      'from Native 1000',
      'step tags 50',
      'step flags -20',
      'to Protobuf 1030',
    ]);
  });

  test('a narrow picture puts labels above the bars and uses its whole width', () => {
    const { stacked, plot, rowHeight } = lay(440, [['tags', 50]]);
    expect({ stacked, plot, rowHeight }).toEqual({
      stacked: true,
      plot: { left: 1, right: 432, top: 4, bottom: 118 },
      rowHeight: 38,
    });
  });

  test('the break mark is there exactly where the axis does not start at 0', () => {
    expect(lay(900, [['tags', 50]]).breakAt).not.toBeNull();
    expect(lay(900, [['tags', 900]]).breakAt).toBeNull();
  });

  test('each bar starts where the one before ended, and the last total closes the chain', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -500, max: 500 }), { maxLength: 10 }),
        fc.integer({ min: 300, max: 1600 }),
        (bytes, width) => {
          const { rows, plot, axis } = lay(
            width,
            bytes.map((step, index) => [`cause-${index}`, step]),
            10_000,
          );
          const scale = (plot.right - plot.left) / (axis.end - axis.start);
          let level = rows[0]!.endX;
          for (const row of rows.slice(1, -1)) {
            expect(Math.min(Math.abs(row.x - level), Math.abs(row.x + row.width - level))).toBeLessThan(0.02);
            expect(row.endX - level).toBeCloseTo(row.bytes * scale, 1);
            level = row.endX;
          }
          expect(rows.at(-1)!.endX).toBeCloseTo(level, 1);
          for (const row of rows) {
            expect(row.x).toBeGreaterThanOrEqual(plot.left - 0.02);
            expect(row.x + row.width).toBeLessThanOrEqual(plot.right + 0.02);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});
