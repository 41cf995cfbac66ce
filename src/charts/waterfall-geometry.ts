/**
 * Two totals and the signed steps between them → rows of bars on one axis.
 *
 *   native       ▐███████████████████│                       from 0: totals are bars
 *   tags                             │▒▒▒▒▒▒▒│         +40
 *   flags                        │▒▒▒▒▒▒▒▒▒▒▒│         −60
 *   protobuf     ▐███████████████│
 *
 * If the steps would be too short to read, the axis starts near the smallest level. Then the totals are marks on the
 * axis, not bars, because the length of a bar would be wrong.
 */
import { ticks as ticksOf } from 'd3-array';
import { formatCount } from '#wording/number-text.ts';

export interface WaterfallStep<Key extends string> {
  readonly key: Key;
  readonly label: string;
  /** Signed; the steps sum to `to − from`. */
  readonly bytes: number;
}

export interface WaterfallRow<Key extends string> {
  readonly kind: 'from' | 'step' | 'to';
  /** null for the two totals. */
  readonly key: Key | null;
  readonly label: string;
  /** The bytes of a total, or the signed bytes of a step. */
  readonly bytes: number;
  /** Top of the row, and of its bar. */
  readonly y: number;
  readonly barY: number;
  readonly x: number;
  /** Its width; a total drawn as a mark has 0. */
  readonly width: number;
  /** The position of the running total after this row; the next row's bar starts there. */
  readonly endX: number;
}

export interface WaterfallGeometry<Key extends string> {
  readonly width: number;
  readonly height: number;
  readonly rowHeight: number;
  readonly barHeight: number;
  /** Labels are above the bars if there is no room beside them. */
  readonly stacked: boolean;
  readonly plot: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
  readonly rows: readonly WaterfallRow<Key>[];
  readonly axis: {
    /** Bytes at the plot's left and right edge. */
    readonly start: number;
    readonly end: number;
    readonly ticks: readonly { readonly x: number; readonly label: string }[];
  };
  /** `levels`: the axis does not start at 0, and the totals are marks on it. */
  readonly totals: 'bars' | 'levels';
}

const LABELS = 214;
const FIGURES = 164;
/** Below this width both columns are as narrow as their words and figures allow. */
const NARROW_BELOW = 560;
const STACKED_BELOW = 430;
/** From this many steps on, the rows of a static picture are close together. */
const DENSE_FROM = 8;
/** The least height of something to point at. */
const TARGET = 24;
const AXIS_HEIGHT = 22;
/** Pixels of a label of the axis. */
const TICK_ROOM = 64;
/** Below this part of the larger total, a difference drawn from 0 would be hard to read. */
const READABLE_FROM_ZERO = 0.3;
/** Share of the span, on either side of marks that are not bars. */
const MARGIN = 0.04;
/** Pixels of a label's line above a bar, and of a character, rounded up. */
const LABEL_LINE = { top: 2, bottom: 18 };
const CHARACTER = 6.6;
/** Pixels that figures take at the right. */
const FIGURES_STACKED = 136;

/** The line from one bar to the next, without the part that would cross the words between them. */
export function connectorParts(
  { stacked, width, barHeight }: Pick<WaterfallGeometry<string>, 'stacked' | 'width' | 'barHeight'>,
  above: Pick<WaterfallRow<string>, 'endX' | 'barY'>,
  below: Pick<WaterfallRow<string>, 'label' | 'y' | 'barY'>,
): readonly (readonly [from: number, to: number])[] {
  const [from, to] = [above.barY + barHeight, below.barY];
  const isFree = above.endX > below.label.length * CHARACTER + 12 && above.endX < width - FIGURES_STACKED;
  if (!stacked || isFree) return [[from, to]];
  return [
    [from, below.y + LABEL_LINE.top],
    [below.y + LABEL_LINE.bottom, to],
  ];
}

export function layOutWaterfall<Key extends string>({
  from,
  to,
  steps,
  width,
  isStatic,
}: {
  readonly from: { readonly label: string; readonly bytes: number };
  readonly to: { readonly label: string; readonly bytes: number };
  readonly steps: readonly WaterfallStep<Key>[];
  readonly width: number;
  /** Whether its rows cannot be selected. */
  readonly isStatic: boolean;
}): WaterfallGeometry<Key> {
  const moving = steps.filter(({ bytes }) => bytes !== 0);
  const [left, figures] = width < NARROW_BELOW ? [LABELS - 10, FIGURES - 24] : [LABELS, FIGURES];
  const stacked = width < STACKED_BELOW;
  const rowHeight = stacked ? 38 : !isStatic ? TARGET : moving.length < DENSE_FROM ? 20 : 17;
  const barHeight = 11;
  const top = 4;
  const bottom = top + (moving.length + 2) * rowHeight;
  const plot = stacked ? { left: 1, right: width - 8, top, bottom } : { left, right: width - figures, top, bottom };

  let running = from.bytes;
  const levels = [running, ...moving.map(({ bytes }) => (running += bytes)), to.bytes];
  const { start, end } = axisRange(levels);
  const totals = start === 0 ? 'bars' : 'levels';
  const scale = (bytes: number): number => {
    const share = end === start ? 0.5 : (bytes - start) / (end - start);
    return Math.round((plot.left * (1 - share) + plot.right * share) * 100) / 100;
  };

  const place = (index: number, a: number, b: number) => {
    const y = top + index * rowHeight;
    return {
      y,
      barY: stacked ? y + 20 : y + (rowHeight - barHeight) / 2,
      x: scale(Math.min(a, b)),
      width: Math.round((scale(Math.max(a, b)) - scale(Math.min(a, b))) * 100) / 100,
      endX: scale(b),
    };
  };
  const base = (bytes: number): number => (start === 0 ? 0 : bytes);
  const rows: WaterfallRow<Key>[] = [
    { kind: 'from', key: null, ...from, ...place(0, base(from.bytes), from.bytes) },
    ...moving.map((step, at) => ({ kind: 'step' as const, ...step, ...place(at + 1, levels[at]!, levels[at + 1]!) })),
    { kind: 'to', key: null, ...to, ...place(moving.length + 1, base(to.bytes), to.bytes) },
  ];

  const ticks = ticksOf(start, end, Math.max(2, Math.floor((plot.right - plot.left) / 110)))
    .filter((bytes) => Number.isInteger(bytes))
    .map((bytes) => ({ x: scale(bytes), label: formatCount(bytes) }))
    // Labels that would touch: every second one is enough.
    .filter((_, at, all) => at % 2 === 0 || all[1]!.x - all[0]!.x > TICK_ROOM);
  return {
    width,
    height: bottom + AXIS_HEIGHT,
    rowHeight,
    barHeight,
    stacked,
    plot,
    rows,
    axis: { start, end, ticks },
    totals,
  };
}

/** From 0 where that is readable; otherwise a little beyond the smallest and the largest level. */
export function axisRange(levels: readonly number[]): { readonly start: number; readonly end: number } {
  const low = Math.min(...levels);
  const high = Math.max(...levels);
  const span = high - low;
  if (span === 0 || span >= READABLE_FROM_ZERO * high) return { start: 0, end: Math.max(high, 1) };
  return { start: low - span * MARGIN, end: high + span * MARGIN };
}
