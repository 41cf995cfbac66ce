/**
 * The columns of the field table. One more is an entry here, and its sentence in `src/wording/terms.ts`. An entry has
 * the title, the minimum width of the table, the sort order and the cell. Self and total mean the same in every row,
 * whether it is open, folded or part of a flat list.
 */
import type { ReactNode } from 'react';
import { LedgerBar } from '#charts/ledger-bar.tsx';
import type { BarScale } from '#charts/ledger-bar-geometry.ts';
import type { Costs, FieldNode } from '#engine/cost/field-tree.ts';
import { describeSegments, type LedgerSegment, segmentsOf } from '#engine/cost/ledger-segments.ts';
import { capturedLedger, type FieldProfile, type Profile, sumCells, totalIn } from '#engine/cost/profile.ts';

import { isOfText } from '#wording/field-words.ts';
import { bytesOfBits, formatCount, formatPercent, formatSigned, shareOf } from '#wording/number-text.ts';

import { firstName, firstTitle, sideName, sideTitle } from '#wording/side-words.ts';
import type { TermName } from '#wording/terms.ts';

/** A row of the table: a field, or all of them, where `field` is null. */
export interface Line {
  readonly field: FieldProfile | null;
  readonly own: Costs;
  readonly total: Costs;
}

export interface CellFrame {
  readonly profile: Profile;
  /** Whether the table compares with the native side. */
  readonly compares: boolean;
  /** Prefix of the patterns that the table draws. */
  readonly patterns: string;
  readonly barWidth: number;
  readonly barScale: BarScale;
  /** Compressed bytes; null: not measured. */
  readonly paid: PaidFrame | null;
}

export interface PaidFrame {
  /** `after zstd level 3` */
  readonly label: string;
  /** Compressed bytes of all streams. */
  readonly compressedBytes: number;
  /** Places of a field by its own bytes, before and after. */
  readonly ranks: ReadonlyMap<string, { readonly plain: number; readonly paid: number }>;
  /** Segments of the bars by path, if they show compressed bytes; null: they show plain bytes. */
  readonly bars: ReadonlyMap<string, readonly LedgerSegment[]> | null;
}

export interface FieldColumn {
  /** Its name in links. */
  readonly id: string;
  readonly label: string;
  /** Another title, used when the table compares with the native side. */
  readonly labelCompared?: (profile: Profile) => string;
  /** Set if the title depends on the profile. */
  readonly labelOf?: (profile: Profile) => string;
  /** The term that explains it. */
  readonly term: TermName;
  /** Whether it is shown only if compressed streams were measured. */
  readonly isPaid?: boolean;
  /**
   * The minimum width of the table in pixels: alone, and compared with the native side; null: the column is never
   * shown.
   */
  readonly from: { readonly alone: number | null; readonly compared: number | null };
  /** Track of the grid; `bars`: the width of the bars. */
  readonly width: number | 'rest' | 'bars';
  readonly sort: (node: FieldNode) => number | string;
  /** The row draws the name, because it knows whether the row can be opened. */
  readonly cell: (line: Line, frame: CellFrame) => ReactNode;
}

const BAR_HEIGHT = { alone: 10, compared: 7 };
const BAR_GAP = 2;
const FIGURE = 90;

export const FIELD_COLUMNS: readonly FieldColumn[] = [
  {
    id: 'field',
    term: 'column-field',
    label: 'Field',
    from: { alone: 0, compared: 0 },
    width: 'rest',
    sort: ({ field }) => field.path,
    cell: () => null,
  },
  {
    id: 'occurrences',
    term: 'records',
    label: 'Records',
    from: { alone: 900, compared: 1080 },
    width: FIGURE,
    sort: ({ field }) => field.occurrences,
    // Records of a text without a schema are not counted.
    cell: ({ field }) => field && !isOfText(field) && <Figure value={field.occurrences} />,
  },
  {
    id: 'presence',
    term: 'presence',
    label: 'Presence',
    from: { alone: 820, compared: 860 },
    width: 80,
    sort: ({ field }) => (field.parents === 0 ? 0 : field.presence / field.parents),
    cell: ({ field }) =>
      field &&
      field.parents > 0 && (
        <span title={`Present in ${formatCount(field.presence)} of ${formatCount(field.parents)}`}>
          {formatPercent(shareOf(field.presence, field.parents))}
        </span>
      ),
  },
  {
    id: 'overhead',
    term: 'category',
    label: 'By category',
    from: { alone: 0, compared: 0 },
    width: 'bars',
    sort: ({ total: { sides } }) => sumCells(sides[0]) - (sides[0].value ?? 0),
    cell: (line, frame) => <Bars line={line} frame={frame} />,
  },
  {
    id: 'self',
    term: 'self',
    label: 'Self',
    from: { alone: 560, compared: 760 },
    width: FIGURE,
    sort: ({ own }) => own.bytes,
    cell: ({ field, own }) => field && <Figure value={own.bytes} />,
  },
  {
    id: 'protobuf',
    term: 'total',
    label: 'Total',
    labelCompared: firstTitle,
    from: { alone: 0, compared: 600 },
    width: FIGURE,
    sort: ({ total }) => total.bytes,
    cell: ({ total }) => <Figure value={total.bytes} />,
  },
  {
    id: 'share',
    term: 'share',
    label: 'Of all',
    from: { alone: 640, compared: 1080 },
    width: 76,
    sort: ({ total }) => total.bytes,
    cell: ({ total }, { profile, compares }) => (
      <span className="is-none">
        {formatPercent(shareOf(total.bytes, totalIn(profile, compares ? profile.pair[0] : capturedLedger(profile))))}
      </span>
    ),
  },
  {
    id: 'native',
    term: 'native',
    label: 'Native',
    labelOf: sideTitle,
    from: { alone: null, compared: 600 },
    width: FIGURE,
    sort: ({ total }) => sumCells(total.sides[1]),
    cell: ({ total }) => <Figure value={sumCells(total.sides[1])} />,
  },
  {
    id: 'delta',
    term: 'difference',
    label: 'Difference',
    from: { alone: null, compared: 0 },
    width: 92,
    sort: ({ total }) => total.delta,
    cell: ({ total: { delta } }) => (
      <span className={delta > 0 ? 'is-more' : delta < 0 ? 'is-less' : 'is-none'}>{formatSigned(delta)}</span>
    ),
  },
  {
    id: 'paid',
    term: 'paid',
    label: 'Compressed',
    isPaid: true,
    from: { alone: 480, compared: 640 },
    width: 96,
    sort: ({ total }) => total.paid,
    cell: ({ total }, { paid }) => (
      <span title={paid ? `${formatPercent(shareOf(total.paid, 8 * paid.compressedBytes))} ${paid.label}` : undefined}>
        {bytesOfBits(total.paid)}
      </span>
    ),
  },
  {
    id: 'rank',
    term: 'rank',
    label: 'Rank',
    isPaid: true,
    from: { alone: 640, compared: 860 },
    width: 76,
    sort: ({ own }) => own.paid,
    cell: ({ field }, { paid }) => {
      const ranks = field === null ? undefined : paid?.ranks.get(field.path);
      if (ranks === undefined) return null;
      const isSame = ranks.plain === ranks.paid;
      return (
        <span className={isSame ? 'is-none' : undefined}>{isSame ? ranks.paid : `${ranks.plain} → ${ranks.paid}`}</span>
      );
    },
  },
];

export interface ColumnChoice {
  readonly columns: readonly FieldColumn[];
  /** Columns of the grid; each row is such a grid. */
  readonly template: string;
  readonly barWidth: number;
  /** Whether the field cell has room for type and presence beside the name. */
  readonly facts: boolean;
}

/**
 * The available width → the columns that fit. The bars stay at every width.
 * @param width in pixels at the usual size of the text, as are the widths of columns and bars
 */
export function chooseColumns(width: number, compares: boolean, isPaid: boolean): ColumnChoice {
  const fits = ({ from }: FieldColumn, within: number): boolean =>
    within >= ((compares ? from.compared : from.alone) ?? Number.POSITIVE_INFINITY);
  const paid = FIELD_COLUMNS.filter((column) => isPaid && column.isPaid && fits(column, width));
  // Names keep their room beside the compressed bytes and ranks.
  const room = paid.reduce((left, { width: taken }) => left - Number(taken), width);
  const columns = [...FIELD_COLUMNS.filter((column) => !column.isPaid && fits(column, room)), ...paid];
  const isTight = isPaid && width < 900;
  const barWidth = Math.round(Math.min(320, width * (isTight ? 0.12 : width < 600 ? 0.26 : 0.2)));
  const track = ({ width: track }: FieldColumn): string =>
    track === 'rest' ? 'minmax(0, 1fr)' : `${(track === 'bars' ? barWidth + 16 : track) / 16}rem`;
  return { columns, template: columns.map(track).join(' '), barWidth, facts: room >= (compares ? 860 : 720) };
}

const Figure = ({ value }: { readonly value: number }): ReactNode => (
  <span className={value === 0 ? 'is-none' : undefined}>{formatCount(value)}</span>
);

/** The total by category: protobuf, and below it native if they are compared. */
function Bars({ line, frame }: { readonly line: Line; readonly frame: CellFrame }): ReactNode {
  const { field, total } = line;
  const { profile, compares, patterns, barWidth, barScale } = frame;
  const unread: readonly LedgerSegment[] = [
    { category: 'unattributed', bytes: field === null ? profile.unattributed : 0 },
  ];
  const other = { label: sideName(profile), segments: segmentsOf(total.sides[1]) };
  const isOther = !compares && capturedLedger(profile) === profile.pair[1];
  const packed = frame.paid?.bars;
  const sides = packed
    ? [{ label: frame.paid!.label, segments: packed.get(field?.path ?? '') ?? [] }]
    : [
        ...(isOther ? [] : [{ label: firstName(profile), segments: [...segmentsOf(total.sides[0]), ...unread] }]),
        ...(compares || isOther ? [other] : []),
      ];
  const height = compares && !packed ? BAR_HEIGHT.compared : BAR_HEIGHT.alone;
  const words = sides.map(({ label, segments }) => `${label} ${describeSegments(segments, formatCount)}`).join('; ');
  return (
    <svg width={barWidth} height={sides.length * (height + BAR_GAP) - BAR_GAP} role="img" aria-label={words}>
      {sides.map((side, index) => (
        <LedgerBar
          key={side.label}
          {...side}
          scale={barScale}
          width={barWidth}
          height={height}
          y={index * (height + BAR_GAP)}
          patterns={patterns}
        />
      ))}
    </svg>
  );
}
