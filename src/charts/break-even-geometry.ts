/**
 * The cost of a field per instance of its parent, at any presence: two straight lines, drawn with the field's own
 * numbers.
 *
 *   protobuf(p) = record · p                                      an absent field costs nothing
 *   native(p)   = flag + count + present · p + absent · (1 − p)   flag and count are paid always, a default where there is no value
 *
 * Where they cross, the encodings cost the same.
 */

import { cellsIn, type FieldProfile, type LedgerPair } from '#engine/cost/profile.ts';
import { tagWidth } from '#engine/wire/encoding-facts.ts';
import { breakEvenHere, breakEvenRule } from '#wording/chart-words.ts';
import { formatMean, formatPercent } from '#wording/number-text.ts';

export interface BreakEven {
  /** Bytes per parent instance at presence 0 and 1. Both sides are linear between them. */
  readonly protobuf: readonly [absent: number, present: number];
  readonly native: readonly [absent: number, present: number];
  /** Share of the parents in which the field is present. */
  readonly observed: number;
  /** Presence at which both cost the same; null where they never do, or always. */
  readonly crossing: number | null;
  /** Numbers that the data does not show, taken from the field's number or writer instead. */
  readonly assumed: readonly ('record' | 'absent')[];
}

/** Whether the values' own bytes are counted, or only what is spent around them. */
export type BreakEvenScope = 'overhead' | 'all';

/**
 * Whether the values themselves take different numbers of bytes in the two encodings, so that a fair chart counts them.
 */
export function valuesDiffer(field: FieldProfile, pair: LedgerPair): boolean {
  const [ours, theirs] = [breakEven(field, pair, 'overhead'), breakEven(field, pair, 'all')];
  if (ours === null || theirs === null) return false;
  return Math.abs(theirs.protobuf[1] - ours.protobuf[1] - (theirs.native[1] - ours.native[1])) > 0.005;
}

/** null: the field has no parents, or no place in the native layout. */
export function breakEven(field: FieldProfile, pair: LedgerPair, scope: BreakEvenScope): BreakEven | null {
  const { parents, presence } = field;
  const protobuf = { tag: 0, length: 0, value: 0, ...cellsIn(field, pair[0]) };
  const native = { flag: 0, count: 0, length: 0, type: 0, value: 0, ...cellsIn(field, pair[1]) };
  if (parents === 0 || field.writer === null) return null;
  const absences = parents - presence;
  const assumed: ('record' | 'absent')[] = [];

  const always = (native.flag + native.count) / parents;
  let absent = absences > 0 ? field.absent / absences : 0;
  if (absences === 0) {
    absent = defaultSize(field, native.flag > 0);
    if (absent > 0) assumed.push('absent');
  }

  let record: number;
  let present: number;
  if (presence > 0) {
    const absentLength = isText(field) ? field.absent : 0;
    const around = native.type + native.length - absentLength;
    const value = native.value - (field.absent - absentLength);
    record = (protobuf.tag + protobuf.length + (scope === 'all' ? protobuf.value : 0)) / presence;
    present = (around + (scope === 'all' ? value : 0)) / presence;
  } else {
    assumed.push('record');
    const kind = field.declared?.kind;
    const text = isText(field);
    record = tagWidth(field.number) * (kind === 'group' ? 2 : 1) + (text || kind === 'message' ? 1 : 0);
    present = text ? Math.max(1, absent) : 0;
  }

  const lines = { protobuf: [0, record] as const, native: [always + absent, always + present] as const };
  return { ...lines, observed: presence / parents, crossing: crossingOf(lines.protobuf, lines.native), assumed };
}

function crossingOf(a: readonly [number, number], b: readonly [number, number]): number | null {
  const atZero = a[0] - b[0];
  const atOne = a[1] - b[1];
  if (atZero === atOne) return null;
  const crossing = atZero / (atZero - atOne);
  return crossing >= 0 && crossing <= 1 ? crossing : null;
}

export const costAt = ([absent, present]: readonly [number, number], presence: number): number =>
  absent + (present - absent) * presence;

const isText = ({ declared }: FieldProfile): boolean => declared?.kind === 'string' || declared?.kind === 'bytes';

/**
 * Bytes of one absent value if none was observed: the full width of a fixed-width form, one byte of every other form.
 */
function defaultSize({ writer, declared }: FieldProfile, hasFlag: boolean): number {
  if (writer === null || hasFlag || declared?.cardinality !== 'singular') return 0;
  if (declared.kind === 'message' || declared.kind === 'group') return 0;
  if (/^(Long|Double|64-bit)/.test(writer)) return 8;
  if (/^(Int|Float|Text|32-bit)/.test(writer)) return 4;
  if (/^(Short|16-bit)/.test(writer)) return 2;
  return 1;
}

/** The chart in words: the range in which each side is smaller, and the result at the observed presence. */
export function describeBreakEven(even: BreakEven): { readonly rule: string; readonly here: string } {
  const protobuf = costAt(even.protobuf, even.observed);
  const native = costAt(even.native, even.observed);
  return {
    rule: breakEvenRule(even.protobuf[0] - even.native[0], even.protobuf[1] - even.native[1], even.crossing),
    here: breakEvenHere({ presence: even.observed, protobuf, native }),
  };
}

export interface BreakEvenGeometry {
  readonly width: number;
  readonly height: number;
  readonly plot: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
  readonly protobuf: Line;
  readonly native: Line;
  /** Between the lines, in parts on one side of the crossing. */
  readonly areas: readonly { readonly smaller: 'protobuf' | 'native'; readonly points: string }[];
  readonly crossing: { readonly x: number; readonly y: number; readonly label: string } | null;
  readonly observed: {
    readonly x: number;
    readonly protobufY: number;
    readonly nativeY: number;
    readonly label: string;
  };
  readonly xTicks: readonly { readonly at: number; readonly label: string }[];
  readonly yTicks: readonly { readonly at: number; readonly label: string }[];
}

interface Line {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  /** Where its name stands, kept apart from the other line's. */
  readonly labelY: number;
  readonly label: string;
}

const LABEL_GAP = 14;

export function layOutBreakEven(
  even: BreakEven,
  { width, height }: { width: number; height: number },
): BreakEvenGeometry {
  const plot = { left: 34, right: width - 92, top: 18, bottom: height - 34 };
  const top = niceCeiling(Math.max(...even.protobuf, ...even.native, 1));
  const x = (presence: number) => plot.left + (plot.right - plot.left) * presence;
  const y = (bytes: number) => plot.bottom - ((plot.bottom - plot.top) * bytes) / top;

  const [protobufLabelY, nativeLabelY] = keepApart(y(even.protobuf[1]), y(even.native[1]));
  const line = (name: string, ends: readonly [number, number], labelY: number): Line => ({
    x1: x(0),
    y1: y(ends[0]),
    x2: x(1),
    y2: y(ends[1]),
    labelY: labelY + 4,
    label: `${name} ${formatMean(ends[1])}`,
  });

  const bounds = [0, ...(even.crossing !== null && even.crossing > 0 && even.crossing < 1 ? [even.crossing] : []), 1];
  const areas = bounds.slice(1).flatMap((to, index) => {
    const from = bounds[index]!;
    const middle = (from + to) / 2;
    const difference = costAt(even.protobuf, middle) - costAt(even.native, middle);
    if (difference === 0) return [];
    const corners = [
      [x(from), y(costAt(even.protobuf, from))],
      [x(to), y(costAt(even.protobuf, to))],
      [x(to), y(costAt(even.native, to))],
      [x(from), y(costAt(even.native, from))],
    ];
    const points = corners.map(([px, py]) => `${round(px!)},${round(py!)}`).join(' ');
    return [{ smaller: difference < 0 ? ('protobuf' as const) : ('native' as const), points }];
  });

  return {
    width,
    height,
    plot,
    protobuf: line('protobuf', even.protobuf, protobufLabelY),
    native: line('native', even.native, nativeLabelY),
    areas,
    crossing:
      even.crossing === null
        ? null
        : {
            x: x(even.crossing),
            y: y(costAt(even.protobuf, even.crossing)),
            label: formatPercent(even.crossing),
          },
    observed: {
      x: x(even.observed),
      protobufY: y(costAt(even.protobuf, even.observed)),
      nativeY: y(costAt(even.native, even.observed)),
      label: `here ${formatPercent(even.observed)}`,
    },
    xTicks: [0, 0.25, 0.5, 0.75, 1].map((at) => ({ at: x(at), label: `${at * 100}` })),
    yTicks: [0, 0.5, 1].map((part) => ({ at: y(part * top), label: formatMean(part * top) })),
  };
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** 1, 2, 4, 6, 8 or 10 times a power of ten. */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 6, 8].find((factor) => factor * power >= value) ?? 10) * power;
}

function keepApart(a: number, b: number): readonly [number, number] {
  const lack = LABEL_GAP - Math.abs(a - b);
  if (lack <= 0) return [a, b];
  return a <= b ? [a - lack / 2, b + lack / 2] : [a + lack / 2, b - lack / 2];
}
