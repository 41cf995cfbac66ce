/**
 * Encodings and compressors as a picture: a line for each encoding, the smallest first. It has a bar of the plain
 * bytes, a bar of the bytes after the chosen compressor, and the sizes after all compressors. One scale for all bars.
 * In a narrow picture, the name, the bars and the sizes are below one another.
 */
import { titledSvg } from '#charts/titled-svg.tsx';
import type { MatrixSizes } from '#engine/analysis/measure/matrix-sizes.ts';
import { leftOut } from '#engine/encodings/left-out.ts';
import type { EncodingSizes } from '#engine/encodings/matrix.ts';
import { errorWords, referenceRow, timesOf } from '#wording/matrix-words.ts';
import { formatCount } from '#wording/number-text.ts';
import { shorten } from '#wording/path-tail.ts';
import type { Drawing } from './picture.tsx';

const HEAD = 26;
const COLUMN = 62;
const CHARACTER = 6.8;
/** The least room for names and bars beside the figures. */
const BESIDE = 200;
/** Places in a row, from its top. */
const WIDE = { row: 32, bars: 5, figures: 14 };
const STACKED = { row: 68, bars: 20, figures: 50 };
const NOTE = 14;
/** The error of a size, on a line of its own. */
const ERROR = 12;
/** Pixels between columns, and the width of a character of figures as a share of the type size, rounded up. */
const GAP = 3;
const FIGURE_CHARACTER = 0.6;
/** Below the title of a column, the colour of its bars. */
const KEY = 16;

export function MatrixFigure({
  id,
  matrix,
  by,
  width,
}: {
  readonly id: string;
  readonly matrix: MatrixSizes;
  /** Id of the compressor whose sizes are drawn; null: none. */
  readonly by: string | null;
  readonly width: number;
}): Drawing {
  const rows = sortedRows(matrix, by);
  const base = referenceRow(matrix);
  const { compressors } = matrix;
  const columns = 1 + compressors.length;
  const room = width - columns * COLUMN;
  const isStacked = room < BESIDE;
  const { row: around, bars: barsY, figures: figuresY } = isStacked ? STACKED : WIDE;
  const rowHeight = around + (matrix.sampled === null ? 0 : ERROR);
  const column = isStacked ? width / columns : COLUMN;
  const names = isStacked ? width - 60 : Math.min(200, Math.round(room * 0.66));
  const barsX = isStacked ? 0 : names + 8;
  const bars = isStacked ? width : room - barsX;
  const scale = Math.max(1, ...rows.map(({ bytes }) => bytes ?? 0));
  const long = (bytes: number): number => round((bytes / scale) * bars);
  const all = rows.flatMap(({ bytes, compressed }) => [bytes ?? 0, ...Object.values(compressed)]);
  const figureSize = fitting(all.map(formatCount), column, isStacked ? 11 : 12);
  const x = (at: number): number => round(width - (columns - 1 - at) * column);
  const body = HEAD + rows.length * rowHeight;
  const height = body + 8 + compressors.length * NOTE;
  return titledSvg(
    {
      id,
      width,
      height,
      title: 'Encodings and compressors',
      description: rows.map((row) => rowWords(row, matrix)).join('; '),
    },
    <>
      <g fill="var(--ink-muted)" fontSize={isStacked ? 10 : 11}>
        {!isStacked && (
          <text x={0} y={14}>
            encoding
          </text>
        )}
        <g textAnchor="end">
          <text x={x(0)} y={14}>
            bytes
          </text>
          {compressors.map((compressor, index) => (
            <text
              key={compressor.id}
              x={x(index + 1)}
              y={14}
              fontWeight={compressor.id === by ? 600 : 400}
              fill={compressor.id === by ? 'var(--ink)' : 'var(--ink-muted)'}
            >
              {shorten(compressor.id, column / 5.8)}
            </text>
          ))}
        </g>
      </g>
      {[null, ...compressors.map((compressor) => compressor.id)].map(
        (after, at) =>
          (after === null || after === by) && (
            <rect
              key={after ?? 'plain'}
              x={x(at) - KEY}
              y={17}
              width={KEY}
              height={3}
              fill={after === null ? 'var(--ink-muted)' : 'var(--accent)'}
            />
          ),
      )}
      <line x1={0} x2={width} y1={HEAD - 3.5} y2={HEAD - 3.5} stroke="var(--rule-strong)" />
      {rows.map((row, index) => {
        const y = HEAD + index * rowHeight;
        const { label, bytes, compressed, refused, errors, losses } = row;
        const isCaptured = row.id === matrix.captured;
        const packed = by === null || bytes === null ? null : (compressed[by] ?? null);
        return (
          <g key={row.id}>
            <text x={0} y={y + 14} fill="var(--ink)" fontWeight={isCaptured ? 600 : 400}>
              {shorten(label, names / CHARACTER)}
            </text>
            <text
              x={isStacked ? width : 0}
              y={y + (isStacked ? 14 : 26)}
              textAnchor={isStacked ? 'end' : 'start'}
              fontSize={10}
              fill="var(--ink-muted)"
            >
              {isCaptured
                ? label.endsWith('captured')
                  ? ''
                  : 'captured'
                : refused !== null
                  ? 'cannot be written'
                  : leftOut(losses).length > 0
                    ? 'leaves values out'
                    : ''}
            </text>
            {[
              { size: bytes, top: barsY, fill: 'var(--ink-muted)' },
              { size: packed, top: barsY + (isStacked ? 9 : 11), fill: 'var(--accent)' },
            ].map(
              ({ size, top, fill }) =>
                size !== null && (
                  <rect
                    key={top}
                    data-bytes={size}
                    x={barsX}
                    y={y + top}
                    width={long(size)}
                    height={isStacked ? 7 : 9}
                    fill={fill}
                    opacity={isCaptured ? 1 : 0.75}
                  />
                ),
            )}
            {[null, ...compressors.map((compressor) => compressor.id)].map((after, at) => {
              const size = bytes === null ? null : after === null ? bytes : compressed[after];
              if (size == null) return null;
              const of = after === null ? base?.bytes : base?.compressed[after];
              const error = errorWords(matrix, errors, after).trim();
              return (
                <g key={after ?? 'plain'} textAnchor="end">
                  <text x={x(at)} y={y + figuresY} fontSize={figureSize} fill="var(--ink)">
                    {formatCount(size)}
                  </text>
                  <text x={x(at)} y={y + figuresY + 12} fontSize={10} fill="var(--ink-muted)">
                    {timesOf(size, of)}
                  </text>
                  {error !== '' && (
                    <text
                      x={x(at)}
                      y={y + figuresY + 12 + ERROR}
                      fontSize={fitting([error], column, 10)}
                      fill="var(--ink-muted)"
                    >
                      {error}
                    </text>
                  )}
                </g>
              );
            })}
            <line x1={0} x2={width} y1={y + rowHeight - 0.5} y2={y + rowHeight - 0.5} stroke="var(--rule)" />
          </g>
        );
      })}
      <g fontSize={10} fill="var(--ink-muted)">
        {compressors.map(({ id: compressor, label, library, version }, index) => (
          <text key={compressor} x={0} y={body + 16 + index * NOTE}>
            {label}: {library} {version}
          </text>
        ))}
      </g>
    </>,
  );
}

/** The size of type, at most `most`, in which the longest of the figures fits into a column. */
const fitting = (figures: readonly string[], column: number, most: number): number =>
  Math.min(most, round((column - GAP) / (FIGURE_CHARACTER * Math.max(...figures.map(({ length }) => length)))));

/** Sorts by size, after the compressor if one is chosen; encodings that cannot be written come last. */
export const sortedRows = <R extends EncodingSizes>(
  { rows }: { readonly rows: readonly R[] },
  by: string | null,
): readonly R[] => {
  const size = ({ bytes, compressed }: R): number =>
    bytes === null ? Number.POSITIVE_INFINITY : by === null ? bytes : (compressed[by] ?? bytes);
  return [...rows].sort((a, b) => size(a) - size(b) || (a.bytes ?? 0) - (b.bytes ?? 0));
};

function rowWords({ label, bytes, compressed, refused, losses }: EncodingSizes, { compressors }: MatrixSizes): string {
  if (bytes === null) return `${label}: ${refused}`;
  const after = compressors.map(({ id, label: name }) => `${formatCount(compressed[id] ?? 0)} after ${name}`);
  return `${label}: ${[formatCount(bytes), ...after, ...leftOut(losses)].join(', ')}`;
}

const round = (pixels: number): number => Math.round(pixels * 100) / 100;
