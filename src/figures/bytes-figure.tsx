/**
 * An excerpt as a picture: two hex views, one above the other. Each byte has the colour of its category. The chosen row
 * is outlined in both and described in words.
 *
 *   Protobuf  bytes 192–319 of 9,191                    hits.version: 11 bytes
 *   00c0  0a 12 …  … ff │ ····
 *   00d0  ▔▔ ▔▔
 *   tag: field 5, VARINT · value: −1
 */

import type { ReactElement, ReactNode } from 'react';
import { CategoryPatterns, categoryColor, categoryFill } from '#charts/category-patterns.tsx';
import { asciiOf, hexPair, offsetDigits } from '#charts/hex-lines.ts';
import { titledSvg } from '#charts/titled-svg.tsx';
import type { Excerpt, ExcerptSide } from '#engine/inspect/excerpt.ts';
import { CATEGORIES } from '#engine/model/annotation.ts';
import { bytesMissing, type PlacedSegment, placedSegments, rangeWords, sideWord } from '#wording/excerpt-words.ts';
import { formatBytes } from '#wording/number-text.ts';
import { legendOf } from './legend.tsx';
import { type Drawing, wrap } from './picture.tsx';

const FONT = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace';
const LINE = 19;
const HEAD = 24;
const SAID = 16;
/** Pixels between two sides, between the columns, and around the middle of a line. */
const GAP = 14;
const MIDDLE = 6;
/** Width of a character at the size of the offsets and the text, rounded up. */
const CHARACTER = 7.4;
const WORDS_CHARACTER = 6;
/** Segments of the chosen row that are described under the bytes. */
const SAID_SEGMENTS = 6;

interface Grid {
  readonly columns: 8 | 16;
  /** Pixels of a byte in hex. */
  readonly cell: number;
  /** x of the first byte in hex, and of the first as text. */
  readonly bytes: number;
  readonly text: number;
}

function chooseGrid(width: number, digits: number): Grid {
  const bytes = digits * CHARACTER + GAP;
  const cellOf = (columns: 8 | 16): number =>
    Math.floor((width - bytes - GAP - MIDDLE - columns * CHARACTER) / columns);
  const columns = cellOf(16) >= 19 ? 16 : 8;
  const cell = Math.min(26, Math.max(15, cellOf(columns)));
  return { columns, cell, bytes, text: bytes + columns * cell + (columns === 16 ? MIDDLE : 0) + GAP };
}

/** x of a byte's cell. */
const cellAt = ({ bytes, cell }: Grid, column: number): number => bytes + column * cell + (column >= 8 ? MIDDLE : 0);

export function BytesFigure({
  id,
  excerpt,
  width,
}: {
  readonly id: string;
  readonly excerpt: Excerpt;
  readonly width: number;
}): Drawing {
  const { sides } = excerpt;
  const grid = chooseGrid(width, Math.max(...sides.map(({ start, bytes }) => offsetDigits(start + bytes.length))));
  const used = CATEGORIES.filter((category) =>
    sides.some(({ segments }) => segments.some((segment) => segment.category === category)),
  );
  let top = 0;
  const drawn = sides.map((side) => {
    const said = wrap(saidOf(excerpt, side), width / WORDS_CHARACTER);
    const lines = Math.max(1, Math.ceil(side.bytes.length / grid.columns));
    const y = top;
    top += HEAD + lines * LINE + 4 + said.length * SAID + GAP;
    return { side, said, y, saidY: y + HEAD + lines * LINE + 4 };
  });
  const legend = legendOf(id, used, width);
  const height = top + legend.height - 4;
  return titledSvg(
    {
      id,
      width,
      height,
      title: 'Bytes in both encodings',
      description: sides.map((side) => `${sideWord(side)}, ${rangeWords(side)}: ${saidOf(excerpt, side)}`).join('; '),
    },
    <>
      <CategoryPatterns prefix={id} categories={used} />
      {drawn.map(({ side, said, y, saidY }) => (
        <g key={side.encoding}>
          <text x={0} y={y + 14} fill="var(--ink)" fontWeight={600}>
            {sideWord(side)}
            <tspan dx={10} fill="var(--ink-muted)" fontWeight={400}>
              {rangeWords(side)}
            </tspan>
          </text>
          <line x1={0} x2={width} y1={y + HEAD - 4.5} y2={y + HEAD - 4.5} stroke="var(--rule)" />
          <g transform={`translate(0 ${y + HEAD})`}>
            <Bytes id={id} side={side} grid={grid} />
          </g>
          {said.map((line, index) => (
            <text key={line} x={0} y={saidY + 12 + index * SAID} fontSize={11} fill="var(--ink-muted)">
              {line}
            </text>
          ))}
        </g>
      ))}
      {legend.draw(top - 4)}
    </>,
  );
}

/** `hits.version, 11 bytes: tag: field 5, VARINT · value: −1`. */
function saidOf({ path }: Excerpt, side: ExcerptSide): string {
  const { lit } = side;
  if (lit === null) return bytesMissing(path);
  const segments = placedSegments(side).filter(({ isLit }) => isLit);
  const said = segments.map(({ words, category }) => words || category);
  const more = said.length - SAID_SEGMENTS;
  const shown = said.slice(0, SAID_SEGMENTS).join(' · ');
  return `${path || 'message'}, ${formatBytes(lit[1] - lit[0])}: ${shown}${more > 0 ? ` · and ${more} more` : ''}`;
}

function Bytes({
  id,
  side,
  grid,
}: {
  readonly id: string;
  readonly side: ExcerptSide;
  readonly grid: Grid;
}): ReactNode {
  const { bytes, start } = side;
  const { columns, cell, text } = grid;
  const digits = Math.round((grid.bytes - GAP) / CHARACTER);
  const lines = Array.from({ length: Math.ceil(bytes.length / columns) }, (_, line) => line);
  return (
    <>
      {placedSegments(side).flatMap((segment) =>
        runsOf(segment, start, columns).map((run) => (
          <g key={`${run.line}-${run.from}`} transform={`translate(0 ${run.line * LINE})`}>
            <rect
              x={cellAt(grid, run.from)}
              width={cellAt(grid, run.to - 1) + cell - cellAt(grid, run.from)}
              height={LINE - 2}
              fill={categoryColor(segment.category)}
              fillOpacity={segment.isLit ? 0.3 : 0.13}
            />
            <rect
              x={cellAt(grid, run.from) + 1}
              y={LINE - 5}
              width={cellAt(grid, run.to - 1) + cell - cellAt(grid, run.from) - 2}
              height={3}
              fill={categoryFill(id, segment.category)}
            />
          </g>
        )),
      )}
      <g fontFamily={FONT} fontSize={11.5}>
        {lines.map((line) => {
          const shown = [...bytes.subarray(line * columns, (line + 1) * columns)];
          const y = line * LINE + 12;
          return (
            <g key={line}>
              <text x={0} y={y} fill="var(--ink-muted)">
                {(start + line * columns).toString(16).padStart(digits, '0')}
              </text>
              <text y={y} fill="var(--ink)" textAnchor="middle">
                {shown.map((byte, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a byte has no other identity than its place
                  <tspan key={column} x={cellAt(grid, column) + cell / 2}>
                    {hexPair(byte)}
                  </tspan>
                ))}
              </text>
              <text
                y={y}
                x={shown.map((_, column) => round(text + column * CHARACTER)).join(' ')}
                fill="var(--ink-muted)"
                xmlSpace="preserve"
              >
                {shown.map(asciiOf).join('')}
              </text>
            </g>
          );
        })}
      </g>
      <Outline side={side} grid={grid} />
    </>
  );
}

interface Run {
  readonly line: number;
  /** Columns, half-open. */
  readonly from: number;
  readonly to: number;
}

/** A segment line by line. */
function runsOf(
  { start: at, bytes }: Pick<PlacedSegment, 'start' | 'bytes'>,
  start: number,
  columns: number,
): readonly Run[] {
  const runs: Run[] = [];
  const [from, to] = [at - start, at - start + bytes];
  for (let line = Math.floor(from / columns); line * columns < to; line++) {
    runs.push({
      line,
      from: Math.max(0, from - line * columns),
      to: Math.min(columns, to - line * columns),
    });
  }
  return runs;
}

/** The outline of the chosen bytes, open where they continue outside the excerpt. */
function Outline({ side, grid }: { readonly side: ExcerptSide; readonly grid: Grid }): ReactElement | null {
  const { lit, start, bytes } = side;
  if (lit === null) return null;
  const from = Math.max(lit[0], start);
  const to = Math.min(lit[1], start + bytes.length);
  if (to <= from) return null;
  const runs = runsOf({ start: from, bytes: to - from }, start, grid.columns);
  const edges = runs.map(({ line, from: first, to: end }, index): string => {
    const [left, right] = [cellAt(grid, first), cellAt(grid, end - 1) + grid.cell];
    const [top, bottom] = [line * LINE - 1, (line + 1) * LINE - 1];
    const above = runs[index - 1];
    const below = runs[index + 1];
    // If the line above or below is chosen, too, only the part outside of it has an edge.
    const upTo = above ? cellAt(grid, above.from) : right;
    const downFrom = below ? cellAt(grid, below.to - 1) + grid.cell : left;
    return [
      lit[0] >= start || index > 0 ? `M${left} ${top}V${bottom}` : '',
      lit[1] <= start + bytes.length || below ? `M${right} ${top}V${bottom}` : '',
      upTo > left ? `M${left} ${top}H${Math.min(right, upTo)}` : '',
      downFrom < right ? `M${Math.max(left, downFrom)} ${bottom}H${right}` : '',
    ].join('');
  });
  return <path d={edges.join('')} fill="none" stroke="var(--accent)" strokeWidth={1.6} />;
}

const round = (pixels: number): number => Math.round(pixels * 100) / 100;
