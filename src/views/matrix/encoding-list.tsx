/** The encodings, the smallest first: the size of each, plain and after each compressor. One scale for all bars. */

import { type ReactNode, useEffect, useRef } from 'react';
import type { MatrixSizes } from '#engine/analysis/measure/matrix-sizes.ts';
import type { EncodingSizes } from '#engine/encodings/matrix.ts';
import { sortedRows } from '#figures/matrix-figure.tsx';
import { useActions } from '#state/context.tsx';
import { MATRIX_NOTES } from '#wording/matrix-notes.ts';
import { errorWords, referenceRow, timesOf } from '#wording/matrix-words.ts';
import { formatBytes, formatCount } from '#wording/number-text.ts';

const [PLAIN, PACKED] = ['var(--ink-muted)', 'var(--accent)'];

/** On a narrow screen the name takes a line of its own, and the sizes are below it. */
const ROW = 'max-sm:grid max-sm:grid-cols-(--narrow-columns)';
const NAME_CELL = 'sticky left-0 z-1 pr-2 text-left font-normal max-sm:static max-sm:col-span-full';

export function EncodingList({
  sizes,
  by,
  against,
  canChoose,
}: {
  readonly sizes: MatrixSizes;
  /** Id of the compressor that the list is sorted by; null: none. */
  readonly by: string | null;
  /** Id of the encoding that is compared with the captured one. */
  readonly against: string | null;
  readonly canChoose: boolean;
}): ReactNode {
  const { setMatrix } = useActions();
  const rows = sortedRows(sizes, by);
  const base = referenceRow(sizes);
  const scale = Math.max(1, ...rows.map(({ bytes }) => bytes ?? 0));
  const columns = [{ id: null, label: 'Bytes', level: 'plain', title: undefined }, ...sizes.compressors.map(columnOf)];
  const label = sizes.compressors.find(({ id }) => id === by)?.label ?? null;
  const stretch = useRef<HTMLDivElement>(null);
  // If not all columns fit, scrolls to the one that the list is sorted by, to the edge of a column. Where names do not
  // stay in view, it does not scroll.
  useEffect(() => {
    const frame = stretch.current;
    const [name, ...heads] = frame?.querySelectorAll<HTMLElement>('thead th') ?? [];
    const sorted = heads.find((head) => head.ariaSort === 'ascending');
    if (!frame || !name || !sorted || by === null || getComputedStyle(name).position !== 'sticky') return;
    const least = sorted.offsetLeft + sorted.offsetWidth - frame.clientWidth;
    const edges = heads.map((head) => head.offsetLeft - name.offsetWidth);
    frame.scrollLeft = Math.max(frame.scrollLeft, edges.find((edge) => edge >= least) ?? least);
  }, [by]);
  return (
    <div ref={stretch} className="relative mt-3 overflow-x-auto">
      <table
        className="w-full border-separate border-spacing-0"
        style={{ ['--narrow-columns' as string]: `repeat(${columns.length}, minmax(3.6rem, 1fr))` }}
      >
        <caption className="sr-only">{MATRIX_NOTES.table}</caption>
        <thead>
          <tr className={`text-ink-muted ${ROW}`}>
            <th
              scope="col"
              data-term="table-encoding"
              className={`${NAME_CELL} border-b border-rule-strong bg-paper max-sm:border-b-0`}
            >
              Encoding
              <Legend label={label} />
            </th>
            {columns.map((column) => (
              <th
                key={column.id ?? 'plain'}
                scope="col"
                data-term={column.id === null ? 'table-plain' : 'table-compressor'}
                aria-sort={column.id === by ? 'ascending' : 'none'}
                className="border-b border-rule-strong text-right font-normal"
              >
                <button
                  type="button"
                  className={`control px-1 text-right max-sm:px-0.5 max-sm:text-2xs ${column.id === by ? 'font-semibold text-ink' : ''}`}
                  title={column.title}
                  aria-pressed={column.id === by}
                  onClick={() => setMatrix({ by: column.id, level: null })}
                >
                  <span>
                    {column.label}
                    <span className="block text-2xs font-normal text-ink-muted">{column.level}</span>
                  </span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className={`${ROW} ${row.id === against ? 'bg-selected' : 'hover:bg-hover'}`}>
              <th
                scope="row"
                className={`${NAME_CELL} min-w-28 border-b border-rule max-sm:border-b-0 max-sm:pt-1 ${row.id === against ? 'bg-selected' : 'bg-paper'}`}
              >
                <Name
                  row={row}
                  isCaptured={row.id === sizes.captured}
                  isChosen={row.id === against}
                  canChoose={canChoose}
                />
                <Bars row={row} by={by} scale={scale} />
              </th>
              {columns.map(({ id }) => (
                <Cell key={id ?? 'plain'} row={row} base={base} by={id} sizes={sizes} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const columnOf = ({ id, label, library, version, parameters }: MatrixSizes['compressors'][number]) => ({
  id,
  label: id,
  level: label === id ? version : label.slice(id.length + 1),
  title: `${library} ${version}, ${parameters}`,
});

/** The colours of the bars: plain bytes, and those after the compressor that the list is sorted by. */
function Legend({ label }: { readonly label: string | null }): ReactNode {
  const swatch = (color: string): ReactNode => (
    <span
      aria-hidden="true"
      className="mr-1 inline-block h-1.5 w-3 forced-color-adjust-none"
      style={{ background: color }}
    />
  );
  return (
    <span className="block text-2xs whitespace-nowrap">
      {swatch(PLAIN)}plain
      {label !== null && (
        <span className="ml-2">
          {swatch(PACKED)}
          {label}
        </span>
      )}
    </span>
  );
}

/** A long name takes several lines if there is little room. */
const NAME = 'control -ml-2 text-left whitespace-normal';

function Name({
  row: { id, label },
  isCaptured,
  isChosen,
  canChoose,
}: {
  readonly row: EncodingSizes;
  readonly isCaptured: boolean;
  readonly isChosen: boolean;
  readonly canChoose: boolean;
}): ReactNode {
  const { setMatrix } = useActions();
  if (isCaptured) {
    return (
      <span className={`${NAME} font-semibold`}>
        {label} {!label.endsWith('captured') && <span className="font-normal text-ink-muted">captured</span>}
      </span>
    );
  }
  if (!canChoose) return <span className={NAME}>{label}</span>;
  return (
    <button
      type="button"
      className={NAME}
      aria-pressed={isChosen}
      title={MATRIX_NOTES.compareByField}
      onClick={() => setMatrix({ against: isChosen ? null : id })}
    >
      {label}
    </button>
  );
}

function Bars({
  row: { bytes, compressed },
  by,
  scale,
}: {
  readonly row: EncodingSizes;
  readonly by: string | null;
  readonly scale: number;
}): ReactNode {
  if (bytes === null) return null;
  const packed = by === null ? undefined : compressed[by];
  const bar = (size: number, color: string): ReactNode => (
    <div
      data-bytes={size}
      style={{ width: `${(size / scale) * 100}%`, background: color }}
      className="h-1.5 forced-color-adjust-none"
    />
  );
  return (
    <div className="mb-1 grid gap-0.5" aria-hidden="true">
      {bar(bytes, PLAIN)}
      {packed !== undefined && bar(packed, PACKED)}
    </div>
  );
}

function Cell({
  row: { bytes, compressed, errors, refused },
  base,
  by,
  sizes,
}: {
  readonly row: EncodingSizes;
  readonly base: EncodingSizes | undefined;
  /** Id of the column's compressor; null: plain bytes. */
  readonly by: string | null;
  readonly sizes: MatrixSizes;
}): ReactNode {
  const size = bytes === null ? undefined : by === null ? bytes : compressed[by];
  const of = by === null ? base?.bytes : base?.compressed[by];
  if (size === undefined) {
    return (
      <td className="border-b border-rule px-1 text-right text-ink-muted" title={refused ?? undefined}>
        {by === null ? 'not written' : ''}
      </td>
    );
  }
  return (
    <td
      className="border-b border-rule px-1 py-0.5 text-right whitespace-nowrap max-sm:px-0.5 max-sm:text-2xs"
      title={formatBytes(size)}
    >
      {formatCount(size)}
      <span className="block text-2xs whitespace-normal text-ink-muted">
        {timesOf(size, of)}
        {errorWords(sizes, errors, by)}
      </span>
    </td>
  );
}
