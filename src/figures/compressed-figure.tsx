/** The fields of a profile before and after compression: bytes, shares and ranks, the fields that pay most first. */
import { type FieldBits, MESSAGE_PATH, partsOf, totalOf } from '#engine/cost/bit-parts.ts';
import { type LedgerSegment, segmentsOf, sumSegments } from '#engine/cost/ledger-segments.ts';
import { ranksBy } from '#engine/cost/ranks.ts';
import type { BitsFacts } from '#wording/bits-words.ts';
import { AFTER_COMPRESSION } from '#wording/chart-words.ts';
import { formatCount, formatPercent, formatTenths, shareOf } from '#wording/number-text.ts';
import { afterWords } from '#wording/paid-words.ts';
import { ColumnsFigure, type ColumnsRow } from './columns-figure.tsx';
import type { Drawing } from './picture.tsx';

const MOST = 24;

export function CompressedFigure({
  id,
  bits,
  width,
}: {
  readonly id: string;
  readonly bits: BitsFacts;
  readonly width: number;
}): Drawing {
  const { plainBytes, compressedBytes, fields } = bits;
  const plainRanks = ranksBy(fields, ({ bytes }) => totalOf(partsOf(bytes)));
  const paidRanks = ranksBy(fields, paidBits);
  const row = (
    name: string,
    plain: readonly LedgerSegment[],
    paid: readonly LedgerSegment[],
    rank = '',
  ): ColumnsRow => ({
    name,
    bars: [plain, paid],
    cells: cellsOf(sumSegments(plain), sumSegments(paid), rank),
  });
  const cellsOf = (plain: number, paid: number, rank: string) => [
    [formatCount(plain), formatPercent(shareOf(plain, plainBytes))],
    [formatTenths(paid), formatPercent(shareOf(paid, compressedBytes)), rank],
  ];
  const sorted = [...fields].sort((a, b) => paidBits(b) - paidBits(a));
  // A line for one other field would take the room of the field itself.
  const shown = sorted.length <= MOST + 1 ? sorted : sorted.slice(0, MOST);
  const rest = sorted.slice(shown.length);
  const container = Object.values(bits.container).reduce((sum, own) => sum + own, 0) / 8;
  const rows = [
    ...shown.map((field) =>
      row(
        field.path === MESSAGE_PATH ? 'the messages themselves' : field.path,
        segmentsOf(field.bytes),
        segmentsOf(inBytes(field.paid)),
        `${plainRanks.get(field)} → ${paidRanks.get(field)}`,
      ),
    ),
    ...(rest.length === 0
      ? []
      : [
          row(
            `${formatCount(rest.length)} other fields`,
            sumOf(rest.map(({ bytes }) => segmentsOf(bytes))),
            sumOf(rest.map(({ paid }) => segmentsOf(inBytes(paid)))),
          ),
        ]),
    row('container', [], [{ category: 'header', bytes: container }]),
    { name: 'all', bars: null, cells: cellsOf(plainBytes, compressedBytes, '') },
  ];
  const after = afterWords(bits);
  return ColumnsFigure({
    ...{ id, width, rows },
    title: AFTER_COMPRESSION,
    bars: ['plain bytes', `bytes ${after}`],
    groups: [
      { title: 'plain', columns: ['bytes', 'share'] },
      { title: after, columns: ['bytes', 'share', 'rank'] },
    ],
  });
}

const paidBits = ({ paid }: FieldBits): number => totalOf(partsOf(paid));

const inBytes = (bits: FieldBits['paid']): FieldBits['paid'] =>
  Object.fromEntries(Object.entries(bits).map(([category, amount]) => [category, amount / 8]));

function sumOf(all: readonly (readonly LedgerSegment[])[]): readonly LedgerSegment[] {
  const sums: Record<string, number> = {};
  for (const { category, bytes } of all.flat()) sums[category] = (sums[category] ?? 0) + bytes;
  return segmentsOf(sums);
}
