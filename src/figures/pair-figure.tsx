/** A and B by field: plain bytes, and their parts of both compressed streams, the fields that change most first. */
import { type DiffRow, diffProfiles } from '#engine/cost/diff-profiles.ts';
import { ledgerOf } from '#engine/cost/encoding-ledger.ts';
import { type LedgerSegment, segmentsOf } from '#engine/cost/ledger-segments.ts';
import { diffPaid, rowKey, rowsWithRest } from '#engine/cost/paid-diff.ts';
import { capturedLedger, type Profile } from '#engine/cost/profile.ts';
import { formatChange, formatCount, formatSigned, formatTenths } from '#wording/number-text.ts';
import { afterWords } from '#wording/paid-words.ts';
import { capturedSide, formatSignedTenths, paidRowName, rowName } from '#wording/pair-words.ts';
import { ColumnsFigure } from './columns-figure.tsx';
import type { Drawing } from './picture.tsx';
import type { FigurePair } from './subject.ts';

const MOST = 24;

interface Line {
  readonly name: string;
  readonly bars: readonly [readonly LedgerSegment[], readonly LedgerSegment[]];
  /** Plain, then after each compressor. */
  readonly sides: readonly DiffRow['bytes'][];
}

export function PairFigure({
  id,
  pair: { a, aligned, after },
  profile: b,
  width,
}: {
  readonly id: string;
  readonly pair: FigurePair;
  readonly profile: Profile;
  readonly width: number;
}): Drawing {
  const plain = diffProfiles(capturedSide(a), capturedSide(b), aligned);
  const paid = after.map((of) => diffPaid({ profile: a, bits: of.a }, { profile: b, bits: of.b }, aligned));
  const totals = [{ a: plain.a.bytes, b: plain.b.bytes }, ...paid.map(({ compressed }) => compressed)];
  const all = (paid.length === 0 ? plain.rows : rowsWithRest(plain, paid))
    .map(
      (row): Line => ({
        name: paid.length > 0 ? paidRowName(row) : rowName(row),
        bars: [barOf(a, row.a), barOf(b, row.b)],
        sides: [row.bytes, ...paid.map(({ rows }) => rows.get(rowKey(row)) ?? NOTHING)],
      }),
    )
    .filter(({ sides }) => sides.some((side) => side.a > 0 || side.b > 0));
  const change = ({ sides }: Line): number =>
    Math.max(...sides.map((side, at) => Math.abs(side.b - side.a) / Math.max(1, totals[at]!.a)));
  const sorted = [...all].sort((x, y) => change(y) - change(x));
  const shown = sorted.length <= MOST + 1 ? sorted : sorted.slice(0, MOST);
  const rest = sorted.slice(shown.length);
  const lines = rest.length === 0 ? shown : [...shown, sumOf(rest)];
  return ColumnsFigure({
    ...{ id, width },
    title: 'A and B by field',
    bars: ['A', 'B'],
    groups: ['plain', ...after.map((of) => afterWords(of.a))].map((title) => ({
      title,
      columns: ['A', 'B', 'change'],
    })),
    rows: [
      ...lines.map(({ name, bars, sides }) => ({
        ...{ name, bars },
        cells: sides.map((side, at) => cellsOf(side, at === 0)),
      })),
      {
        name: 'all',
        bars: null,
        cells: totals.map((side) => [...[formatCount(side.a), formatCount(side.b)], formatChange(side.a, side.b)]),
      },
    ],
  });
}

const NOTHING = { a: 0, b: 0 };

const cellsOf = ({ a, b }: DiffRow['bytes'], isPlain: boolean): readonly string[] =>
  isPlain
    ? [formatCount(a), formatCount(b), formatSigned(b - a)]
    : [formatTenths(a), formatTenths(b), formatSignedTenths(b - a)];

/** Plain bytes by category. */
const barOf = (profile: Profile, path: string | null): readonly LedgerSegment[] =>
  path === null ? [] : segmentsOf(ledgerOf(profile, capturedLedger(profile))?.fields[path] ?? {});

function sumOf(lines: readonly Line[]): Line {
  const bar = (side: 0 | 1): readonly LedgerSegment[] => {
    const sums: Record<string, number> = {};
    for (const { category, bytes } of lines.flatMap(({ bars }) => bars[side]))
      sums[category] = (sums[category] ?? 0) + bytes;
    return segmentsOf(sums);
  };
  return {
    name: `${formatCount(lines.length)} others`,
    bars: [bar(0), bar(1)],
    sides: lines[0]!.sides.map((_, at) => ({
      a: lines.reduce((sum, { sides }) => sum + sides[at]!.a, 0),
      b: lines.reduce((sum, { sides }) => sum + sides[at]!.b, 0),
    })),
  };
}
