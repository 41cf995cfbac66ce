/**
 * Fields with two bars each and groups of columns: plain bytes beside compressed ones, of one input or of A and B. All
 * bars have one scale. If the groups do not fit beside the bars, each takes a line below them.
 */
import type { ReactElement } from 'react';
import { CategoryPatterns } from '#charts/category-patterns.tsx';
import { LedgerBar } from '#charts/ledger-bar.tsx';
import { titledSvg } from '#charts/titled-svg.tsx';
import { LEDGER_ORDER, type LedgerSegment, sumSegments } from '#engine/cost/ledger-segments.ts';
import { barsWords } from '#wording/chart-words.ts';
import { shortenPath } from '#wording/path-tail.ts';
import { legendOf } from './legend.tsx';
import type { Drawing } from './picture.tsx';

export interface ColumnGroup {
  readonly title: string;
  readonly columns: readonly string[];
}

export interface ColumnsRow {
  readonly name: string;
  /** Two bars; none: the row of the totals. */
  readonly bars: readonly [readonly LedgerSegment[], readonly LedgerSegment[]] | null;
  /** By group, by column. */
  readonly cells: readonly (readonly string[])[];
}

/** The least width of a column, and what its longest figure has beside itself. */
const [COLUMN, GAP] = [62, 12];
const LINE = 15;
const ROW = 22;
const CHARACTER = 6.4;
/** The width of a bold character, as in the totals. */
const FIGURE = 8;
/** The same below the bars, where text is smaller. */
const SMALL = 5.8;
/** The least room for names, and for bars. */
const [NAMES, BARS] = [130, 60];

export function ColumnsFigure({
  id,
  width,
  title,
  bars,
  groups,
  rows,
}: {
  readonly id: string;
  readonly width: number;
  readonly title: string;
  /** Names of the two bars of a row. */
  readonly bars: readonly [string, string];
  readonly groups: readonly ColumnGroup[];
  readonly rows: readonly ColumnsRow[];
}): Drawing {
  const longest = Math.max(...rows.flatMap(({ cells }) => cells.flat()).map(({ length }) => length));
  const column = Math.max(COLUMN, longest * FIGURE + GAP);
  const countFrom = (group: number): number => groups.slice(group).reduce((sum, one) => sum + one.columns.length, 0);
  const count = countFrom(0);
  const isWide = width >= NAMES + BARS + count * column;
  const most = Math.max(...groups.map(({ columns }) => columns.length));
  const names = isWide ? Math.min(240, width - BARS - count * column) : Math.round(width * 0.5);
  const room = (isWide ? width - count * column : width) - names - 12;
  const scale = Math.max(1, ...rows.flatMap((row) => (row.bars ?? []).map(sumSegments)));
  const categories = LEDGER_ORDER.filter((category) =>
    rows.some((row) => row.bars?.flat().some((segment) => segment.category === category && segment.bytes > 0)),
  );
  const head = isWide ? 40 : 22;
  const right = (group: number, place: number): number =>
    width - ((isWide ? countFrom(group) : most) - 1 - place) * Math.min(column, width / most);
  // Below the bars, titles have a line of their own where long figures leave no room beside them.
  const letters = longest + Math.max(...groups.map((group) => group.title.length));
  const own = !isWide && right(0, 0) < 12 + letters * SMALL ? LINE : 0;
  const rowHeight = isWide ? ROW : ROW + groups.length * (LINE + own) + 6;
  const body = head + rows.length * rowHeight;
  const words = width > 400 ? [barsWords(...bars)] : barsWords(...bars).split(/(?<=,) /);
  const legend = legendOf(id, categories, width);
  const height = body + legend.height + words.length * LINE;
  const titles = (at: number): ReactElement[] =>
    groups.slice(isWide ? 0 : -1).map((group, index) => (
      <g key={group.title} textAnchor="end">
        {isWide && (
          <text x={right(index, group.columns.length - 1)} y={at - 16} fontWeight={600}>
            {group.title}
          </text>
        )}
        {group.columns.map((heading, place) => (
          <text key={heading} x={right(index, place)} y={at}>
            {heading}
          </text>
        ))}
      </g>
    ));
  return titledSvg(
    { id, width, height, title, description: rows.map((row) => rowWords(row, groups)).join('; ') },
    <>
      <CategoryPatterns prefix={id} categories={categories} />
      <g fill="var(--ink-muted)" fontSize={11}>
        <text x={0} y={head - 10}>
          field
        </text>
        {titles(head - 10)}
      </g>
      <line x1={0} x2={width} y1={head - 3.5} y2={head - 3.5} stroke="var(--rule-strong)" />
      {rows.map((row, index) => {
        const y = head + index * rowHeight;
        return (
          <g key={row.name} fontWeight={row.bars === null ? 600 : 400}>
            <text x={0} y={y + 15} fill="var(--ink)">
              {shortenPath(row.name, names / CHARACTER)}
            </text>
            {row.bars !== null && (
              <g transform={`translate(${names} ${y})`}>
                {row.bars.map((segments, at) => (
                  <LedgerBar
                    key={bars[at]}
                    segments={segments}
                    scale={scale}
                    width={room}
                    height={7}
                    y={3 + 9 * at}
                    patterns={id}
                    label={bars[at]!}
                  />
                ))}
              </g>
            )}
            {row.cells.map((cells, group) => {
              const line = isWide ? y + 15 : y + ROW + 11 + group * (LINE + own);
              return (
                <g key={groups[group]!.title} fill="var(--ink)" fontSize={isWide ? undefined : 11}>
                  {!isWide && (
                    <text x={12} y={line} fill="var(--ink-muted)">
                      {groups[group]!.title}
                    </text>
                  )}
                  <g textAnchor="end">
                    {cells.map((cell, place) => (
                      <text key={groups[group]!.columns[place]} x={right(group, place)} y={line + own}>
                        {cell}
                      </text>
                    ))}
                  </g>
                </g>
              );
            })}
            <line x1={0} x2={width} y1={y + rowHeight - 0.5} y2={y + rowHeight - 0.5} stroke="var(--rule)" />
          </g>
        );
      })}
      {words.map((line, at) => (
        <text key={line} x={0} y={body + 14 + at * LINE} fontSize={11} fill="var(--ink-muted)">
          {line}
        </text>
      ))}
      {legend.draw(body + words.length * LINE)}
    </>,
  );
}

/** `symbols: plain A 0, B 1,099, change +1,099; …` */
const rowWords = ({ name, cells }: ColumnsRow, groups: readonly ColumnGroup[]): string =>
  `${name}: ${groups.map((group, at) => `${group.title} ${group.columns.map((column, place) => `${column} ${cells[at]![place]}`).join(', ')}`).join(', ')}`;
