/**
 * Encodings and compressors as a picture: a line for each encoding, the smallest first. It has a bar of the plain
 * bytes, a bar of the bytes after the chosen compressor, and the sizes after all compressors. One scale for all bars.
 */
import { titledSvg } from '#charts/titled-svg.tsx';
import type { MatrixSizes } from '#engine/analysis/matrix-sizes.ts';
import type { EncodingSizes } from '#engine/encodings/matrix.ts';
import { timesOf } from '#wording/matrix-words.ts';
import { formatCount, formatPercent } from '#wording/number-text.ts';
import { shorten } from '#wording/path-tail.ts';
import type { Drawing } from './picture.tsx';

const ROW = 32;
const HEAD = 26;
const COLUMN = 62;
const CHARACTER = 6.2;
const NOTE = 14;

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
  const base = matrix.rows.find((row) => row.id === matrix.captured);
  const { compressors } = matrix;
  const figures = (1 + compressors.length) * COLUMN;
  const names = Math.min(170, Math.round((width - figures) * 0.62));
  const bars = Math.max(30, width - names - figures - 8);
  const scale = Math.max(1, ...rows.map(({ bytes }) => bytes ?? 0));
  const long = (bytes: number): number => round((bytes / scale) * bars);
  const x = (column: number): number => names + 8 + bars + (column + 1) * COLUMN;
  const body = HEAD + rows.length * ROW;
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
      <g fill="var(--ink-muted)" fontSize={11}>
        <text x={0} y={14}>
          encoding
        </text>
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
              {compressor.id}
            </text>
          ))}
        </g>
      </g>
      <line x1={0} x2={width} y1={HEAD - 3.5} y2={HEAD - 3.5} stroke="var(--rule-strong)" />
      {rows.map((row, index) => {
        const y = HEAD + index * ROW;
        const { label, bytes, compressed, refused, errors } = row;
        const isCaptured = row.id === matrix.captured;
        const packed = by === null || bytes === null ? null : (compressed[by] ?? null);
        return (
          <g key={row.id}>
            <text x={0} y={y + 14} fill="var(--ink)" fontWeight={isCaptured ? 600 : 400}>
              {shorten(label, names / CHARACTER)}
            </text>
            <text x={0} y={y + 26} fontSize={10} fill="var(--ink-muted)">
              {isCaptured ? 'captured' : refused === null ? '' : 'cannot be written'}
            </text>
            {[
              { size: bytes, top: 5, fill: 'var(--ink-muted)' },
              { size: packed, top: 16, fill: 'var(--accent)' },
            ].map(
              ({ size, top, fill }) =>
                size !== null && (
                  <rect
                    key={top}
                    data-bytes={size}
                    x={names}
                    y={y + top}
                    width={long(size)}
                    height={9}
                    fill={fill}
                    opacity={isCaptured ? 1 : 0.75}
                  />
                ),
            )}
            {[null, ...compressors.map((compressor) => compressor.id)].map((column, at) => {
              const size = bytes === null ? null : column === null ? bytes : compressed[column];
              if (size == null) return null;
              const of = column === null ? base?.bytes : base?.compressed[column];
              const error = column === null || matrix.sampled === null ? '' : ` ±${formatPercent(errors[column] ?? 0)}`;
              return (
                <g key={column ?? 'plain'} textAnchor="end">
                  <text x={x(at)} y={y + 14} fill="var(--ink)">
                    {formatCount(size)}
                  </text>
                  <text x={x(at)} y={y + 26} fontSize={10} fill="var(--ink-muted)">
                    {timesOf(size, of)}
                    {error}
                  </text>
                </g>
              );
            })}
            <line x1={0} x2={width} y1={y + ROW - 0.5} y2={y + ROW - 0.5} stroke="var(--rule)" />
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

/** Sorts by size, after the compressor if one is chosen; encodings that cannot be written come last. */
export const sortedRows = <R extends EncodingSizes>(
  { rows }: { readonly rows: readonly R[] },
  by: string | null,
): readonly R[] => {
  const size = ({ bytes, compressed }: R): number =>
    bytes === null ? Number.POSITIVE_INFINITY : by === null ? bytes : (compressed[by] ?? bytes);
  return [...rows].sort((a, b) => size(a) - size(b) || (a.bytes ?? 0) - (b.bytes ?? 0));
};

function rowWords({ label, bytes, compressed, refused }: EncodingSizes, { compressors }: MatrixSizes): string {
  if (bytes === null) return `${label}: ${refused}`;
  const after = compressors.map(({ id, label: name }) => `${formatCount(compressed[id] ?? 0)} after ${name}`);
  return `${label}: ${[formatCount(bytes), ...after].join(', ')}`;
}

const round = (pixels: number): number => Math.round(pixels * 100) / 100;
