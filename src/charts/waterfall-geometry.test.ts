import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { axisRange, connectorParts, layOutWaterfall } from './waterfall-geometry.ts';

describe('axisRange', () => {
  test.each([
    ['no difference: from 0', [100, 100], { start: 0, end: 100 }],
    ['nothing at all', [0, 0], { start: 0, end: 1 }],
    ['a large difference: from 0', [50, 80], { start: 0, end: 80 }],
    ['a small one: from a little before the smallest level', [1000, 1100, 1050], { start: 996, end: 1104 }],
    ['the smallest level may be between the totals', [1000, 900, 1100], { start: 892, end: 1108 }],
  ])('%s', (_, levels, range) => {
    expect(axisRange(levels)).toEqual(range);
  });
});

describe('layOutWaterfall', () => {
  const lay = (width: number, steps: readonly [string, number][], native = 1000, isStatic = false) =>
    layOutWaterfall({
      from: { label: 'Native', bytes: native },
      to: { label: 'Protobuf', bytes: steps.reduce((sum, [, bytes]) => sum + bytes, native) },
      steps: steps.map(([key, bytes]) => ({ key, label: key, bytes })),
      width,
      isStatic,
    });

  test('steps lie between the totals in the given order, without steps of 0 bytes', () => {
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
    const { stacked, plot, rowHeight } = lay(220, [['tags', 50]]);
    expect({ stacked, plot, rowHeight }).toEqual({
      stacked: true,
      plot: { left: 1, right: 212, top: 4, bottom: 118 },
      rowHeight: 38,
    });
  });

  test('a pane of 448 pixels has labels, bars and figures side by side, and no figure lies on a bar', () => {
    const { stacked, plot, rowHeight } = lay(448, [
      ['Negative numbers in ten bytes', 50],
      ['Tags', 20],
    ]);
    expect({ stacked, rowHeight }).toEqual({ stacked: false, rowHeight: 24 });
    expect(plot.right - plot.left).toBeGreaterThanOrEqual(96);
    // Figures end 74 pixels before the edge.
    expect(448 - 74 - '1,070'.length * 7).toBeGreaterThan(plot.right);
  });

  test('many steps of a static picture are close together; a row that can be selected is 24 pixels high', () => {
    const steps = (count: number) => Array.from({ length: count }, (_, at): [string, number] => [`cause ${at}`, 1]);
    const heights = [7, 8].map((count) =>
      [true, false].map((isStatic) => lay(735, steps(count), 1000, isStatic).rowHeight),
    );
    expect(heights).toEqual([
      [20, 24],
      [17, 24],
    ]);
  });

  test('where the axis does not start at 0, totals are marks without length', () => {
    const near = lay(900, [['tags', 50]]);
    expect([near.totals, near.rows[0]!.width, near.rows[2]!.width]).toEqual(['levels', 0, 0]);
    const far = lay(900, [['tags', 900]]);
    expect(far.totals).toBe('bars');
    expect(far.rows[0]!.width).toBeGreaterThan(200);
  });

  test('labels of the axis do not touch', () => {
    for (const width of [240, 448, 520, 900]) {
      const { axis } = lay(width, [['tags', 1200]], 12_000);
      const gaps = axis.ticks.slice(1).map(({ x }, at) => x - axis.ticks[at]!.x);
      expect(Math.min(Infinity, ...gaps), String(width)).toBeGreaterThan('12,000'.length * 6.6);
    }
  });

  test('in a narrow picture no connecting line crosses a label', () => {
    const geometry = lay(220, [['tags', 50]]);
    const [native, tags] = [geometry.rows[0]!, geometry.rows[1]!];
    const at = (endX: number) => connectorParts(geometry, { ...native, endX }, tags);
    expect(at(80)).toEqual([[native.barY + 11, tags.barY]]);
    for (const endX of [20, 150, 210]) {
      for (const [from, to] of at(endX)) expect(to <= tags.y + 2 || from >= tags.y + 18).toBe(true);
    }
  });

  test('each bar starts where the previous one ended, and the last total closes the chain', () => {
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
