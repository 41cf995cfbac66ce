/** How many varints took how many bytes → one bar a width, by count or by the bytes they fill. */
import type { WidthCounts } from '#engine/cost/profile.ts';
import { shareOf } from '#wording/number-text.ts';

export type WidthMeasure = 'count' | 'bytes';

export interface WidthBar {
  /** Bytes a varint, from 1. */
  readonly size: number;
  readonly count: number;
  readonly bytes: number;
  /** Share of the chosen measure's sum. */
  readonly share: number;
  readonly length: number;
}

export interface WidthSummary {
  readonly bars: readonly WidthBar[];
  readonly count: number;
  readonly bytes: number;
}

/** Widths a varint of this use can need: a tag or a 32-bit length takes at most five bytes, a value ten. */
export const MAX_WIDTH = { tag: 5, length: 5, value: 10 } as const;

/** Bars from width 1 to `max`, or to the widest that occurs; the longest fills `plotWidth`. */
export function layOutWidthHistogram(
  widths: WidthCounts,
  { measure, max, plotWidth }: { readonly measure: WidthMeasure; readonly max: number; readonly plotWidth: number },
): WidthSummary {
  const widest = widths.reduce((last, count, index) => (count > 0 ? index + 1 : last), 0);
  const cells = Array.from({ length: Math.max(max, widest) }, (_, index) => {
    const count = widths[index] ?? 0;
    return { size: index + 1, count, bytes: count * (index + 1) };
  });
  const count = cells.reduce((sum, cell) => sum + cell.count, 0);
  const bytes = cells.reduce((sum, cell) => sum + cell.bytes, 0);
  const longest = Math.max(...cells.map((cell) => cell[measure]));
  const whole = measure === 'count' ? count : bytes;
  return {
    count,
    bytes,
    bars: cells.map((cell) => ({
      ...cell,
      share: shareOf(cell[measure], whole),
      length: longest === 0 ? 0 : (cell[measure] / longest) * plotWidth,
    })),
  };
}
