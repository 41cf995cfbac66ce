/** The aligned fields of A and B: a bar for each side on one scale, and the change. The largest change comes first. */
import { plural } from '#engine/model/count-text.ts';
import { firstRows } from '#wording/field-notes.ts';
import { PAIR_NOTES } from '#wording/pair-notes.ts';
import './pair.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type KeyboardEvent, type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { CategoryLegend } from '#charts/category-legend.tsx';
import { CategoryPatterns } from '#charts/category-patterns.tsx';
import { LedgerBar } from '#charts/ledger-bar.tsx';
import { usePrinting } from '#charts/use-printing.ts';
import type { DiffRow } from '#engine/cost/diff-profiles.ts';
import { LEDGER_ORDER, type LedgerSegment, segmentsOf } from '#engine/cost/ledger-segments.ts';
import { rowKey, rowsWithRest } from '#engine/cost/paid-diff.ts';
import { addCells, capturedLedger, cellsIn, type Profile, ROOT } from '#engine/cost/profile.ts';
import type { Category } from '#engine/model/annotation.ts';
import { useActions, useApp } from '#state/context.tsx';
import { meanFigure, signedMeanFigure } from '#wording/mean-figures.ts';
import { formatChange, formatCount, formatSigned, formatTenths } from '#wording/number-text.ts';
import { capturedTotal, formatSignedTenths, paidRowName, rowName } from '#wording/pair-words.ts';
import type { TermName } from '#wording/terms.ts';
import { useTextScale } from '../panes/use-text-scale.ts';
import { AfterChoice, Around, type PaidColumns, usePaidColumns } from './pair-paid.tsx';
import { type ShownPair, usePair } from './use-pair.ts';

/** Pixels, at the usual size of the text. */
const ROW_HEIGHT = 27;
const BAR = 160;
/** Rows on paper. */
const PRINTED = 500;
interface Head {
  readonly title: string;
  readonly term: TermName;
  readonly className?: string;
}
const HEADS: readonly Head[] = [
  { title: 'Field', term: 'column-field', className: 'pair-cell-name' },
  { title: 'A over B', term: 'table-a-over-b', className: 'pair-cell-bars' },
  { title: 'A', term: 'table-a' },
  { title: 'B', term: 'table-b' },
  { title: 'Change', term: 'table-b-minus-a' },
];
const paidHeads = ({ label }: PaidColumns): readonly Head[] => [
  { title: `${label} A`, term: 'table-a-packed' },
  { title: `${label} B`, term: 'table-b-packed' },
  { title: 'Change', term: 'table-b-minus-a' },
];

export function PairTable({ profile }: { readonly profile: Profile }): ReactNode {
  const pair = usePair(profile);
  return pair && <Rows pair={pair} />;
}

function Rows({ pair }: { readonly pair: ShownPair }): ReactNode {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = ROW_HEIGHT * useTextScale();
  const [filter, setFilter] = useState('');
  const [active, setActive] = useState(0);
  const selected = useApp(({ view }) => view.selection.path);
  const { selectPath } = useActions();
  const { a, b, diff, units, unit } = pair;
  const paid = usePaidColumns(pair);
  const nameOf = paid.length > 0 ? paidRowName : rowName;
  const rows = useMemo(() => {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    return rowsWithRest(
      diff,
      paid.flatMap((column) => column.diff ?? []),
    )
      .filter(({ bytes }) => bytes.a > 0 || bytes.b > 0 || paid.length > 0)
      .filter((row) => words.every((word) => nameOf(row).toLowerCase().includes(word)))
      .sort((x, y) => Math.abs(y.bytes.b - y.bytes.a) - Math.abs(x.bytes.b - x.bytes.a) || y.bytes.b - x.bytes.b);
  }, [diff, paid, filter, nameOf]);
  const segments = useMemo(() => ({ a: segmentsByPath(a, units.a), b: segmentsByPath(b, units.b) }), [a, b, units]);
  const categories = useMemo(() => categoriesIn([segments.a, segments.b]), [segments]);
  const longest = Math.max(1e-9, ...rows.map(({ bytes }) => Math.max(bytes.a, bytes.b)));
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: rowHeight,
    scrollPaddingStart: rowHeight,
  });
  const isPrinting = usePrinting();
  const items = isPrinting
    ? rows.slice(0, PRINTED).map((_, index) => ({ index, start: rowHeight }))
    : virtual.getVirtualItems();
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (to !== undefined) {
      const index = Math.max(0, Math.min(rows.length - 1, to));
      setActive(index);
      virtual.scrollToIndex(index, { align: 'auto' });
    } else if ((event.key === 'Enter' || event.key === ' ') && rows[active]) select(rows[active]);
    else return;
    event.preventDefault();
  };
  const select = ({ b: path }: DiffRow): void => selectPath(path);
  const [figure, signed] = unit === 'total' ? [formatCount, formatSigned] : [meanFigure, signedMeanFigure];
  const heads = [...HEADS, ...paid.flatMap(paidHeads)];
  // No side of a row is larger than that of all, so their widths are those of the columns.
  const totals = [allOf(pair), ...paid.flatMap(({ diff: of }) => of?.compressed ?? [])];
  const digits = totals.map(
    (all, at) => formatCount(Math.trunc(Math.max(all.a, all.b))).length + (unit === 'total' ? (at > 0 ? 2 : 0) : 3),
  );
  const grid = {
    '--groups': 1 + paid.length,
    '--figure': widthOf(Math.max(...digits)),
    '--change': widthOf(Math.max(1 + Math.max(...digits), ...totals.map((all) => shareWords(all).length))),
  } as CSSProperties;
  return (
    <section
      className={`field-table pair-table${paid.length > 0 ? ' has-paid' : ''}`}
      style={grid}
      aria-label={PAIR_NOTES.table}
    >
      <div className="field-table-tools">
        <input
          type="search"
          value={filter}
          placeholder="Filter by path"
          aria-label="Filter fields by path"
          onChange={({ target }) => setFilter(target.value)}
        />
        <span className="field-table-count" role="status">
          {plural(rows.length, 'field')}
        </span>
        <CategoryLegend categories={categories} />
        <AfterChoice columns={paid} />
        <Around pair={pair} columns={paid} />
      </div>
      <div className="field-table-frame">
        {/* biome-ignore lint/a11y/useSemanticElements: rows are drawn where they can be seen */}
        <div
          ref={scroller}
          className="field-table-scroll"
          role="grid"
          tabIndex={0}
          aria-label="Change by field"
          aria-rowcount={rows.length + (paid.length > 0 ? 2 : 1)}
          aria-activedescendant={rows.length > 0 ? `${id}-${active}` : undefined}
          onKeyDown={onKeyDown}
        >
          <svg className="field-table-patterns" width={0} height={0} aria-hidden="true">
            <CategoryPatterns prefix={id} />
          </svg>
          <div className="field-table-head">
            {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: focus stays on the grid */}
            <div className="field-row field-row-head" role="row" aria-rowindex={1}>
              {heads.map(({ title, term, className = '' }, at) => (
                // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive lint/suspicious/noArrayIndexKey: focus stays on the grid; two columns may be named alike
                <div key={`${title} ${at}`} role="columnheader" data-term={term} className={`field-cell ${className}`}>
                  {title}
                </div>
              ))}
            </div>
            {paid.length > 0 && (
              // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: focus stays on the grid
              <div className="field-row field-row-totals" role="row" aria-rowindex={2}>
                <Cell className="pair-cell-name">All</Cell>
                <Cell className="pair-cell-bars">{null}</Cell>
                <Sides sides={allOf(pair)} figure={figure} change={shareWords} />
                {paid.map(({ asked, diff: of, sides }) => (
                  <Sides
                    key={asked}
                    sides={of?.compressed ?? null}
                    isMissing={isMissing(sides)}
                    figure={figure}
                    change={shareWords}
                  />
                ))}
              </div>
            )}
          </div>
          <div className="field-table-body" style={{ height: virtual.getTotalSize() }}>
            {items.map(({ index, start }) => {
              const row = rows[index]!;
              return (
                // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: focus and keys stay on the grid
                <div
                  key={`${row.a} ${row.b}`}
                  id={`${id}-${index}`}
                  role="row"
                  aria-rowindex={index + (paid.length > 0 ? 3 : 2)}
                  aria-selected={row.b !== null && row.b === selected}
                  className={`field-row${index === active ? ' is-active' : ''}${row.b !== null && row.b === selected ? ' is-selected' : ''}`}
                  style={{ transform: `translateY(${start - rowHeight}px)` }}
                  onClick={() => {
                    setActive(index);
                    select(row);
                  }}
                >
                  <Cell className="pair-cell-name">
                    <Name row={row} name={nameOf(row)} rows={diff.rows} />
                  </Cell>
                  <Cell className="pair-cell-bars">
                    <svg
                      width={BAR}
                      height={16}
                      role="img"
                      aria-label={`A ${figure(row.bytes.a)}, B ${figure(row.bytes.b)}`}
                    >
                      {(['a', 'b'] as const).map((side, at) => (
                        <LedgerBar
                          key={side}
                          label={side.toUpperCase()}
                          segments={barOf(row, side, segments)}
                          scale={longest}
                          width={BAR}
                          height={7}
                          y={at * 9}
                          patterns={id}
                        />
                      ))}
                    </svg>
                  </Cell>
                  <Sides sides={row.bytes} row={row} figure={figure} change={({ a: x, b: y }) => signed(y - x)} />
                  {paid.map(({ asked, diff: of, sides }) => (
                    <Sides
                      key={asked}
                      sides={of === null ? null : (of.rows.get(rowKey(row)) ?? NOTHING)}
                      isMissing={isMissing(sides)}
                      row={row}
                      figure={formatTenths}
                      change={({ a: x, b: y }) => formatSignedTenths(y - x)}
                    />
                  ))}
                </div>
              );
            })}
            {isPrinting && rows.length > PRINTED && (
              <p className="field-table-empty">{firstRows(PRINTED, rows.length)}</p>
            )}
          </div>
        </div>
      </div>
    </section>
  );
}

/** The width of a cell with the longest figure, its padding included. */
const widthOf = (characters: number): string => `${Math.max(4, characters) * 0.47 + 1}rem`;

const isMissing = ({ a, b }: PaidColumns['sides']): boolean => a === null || b === null;

const NOTHING = { a: 0, b: 0 };

const allOf = ({ a, b, units }: ShownPair) => ({
  a: capturedTotal(a) / units.a,
  b: capturedTotal(b) / units.b,
});

const shareWords = ({ a, b }: DiffRow['bytes']): string => formatChange(a, b);

/** Cells of A, of B, and of the change. @param sides null: not measured yet, or not measurable */
const Sides = ({
  sides,
  isMissing: isWithout = false,
  row = null,
  figure,
  change,
}: {
  readonly sides: DiffRow['bytes'] | null;
  /** Whether they cannot be measured. */
  readonly isMissing?: boolean;
  readonly row?: DiffRow | null;
  readonly figure: (bytes: number) => string;
  readonly change: (sides: DiffRow['bytes']) => string;
}): ReactNode => {
  if (sides === null) return ['a', 'b', 'change'].map((key) => <Cell key={key}>{isWithout ? '–' : '…'}</Cell>);
  const isOnly = (side: 'a' | 'b', other: 'a' | 'b') => row !== null && row[side] === null && row[other] !== null;
  const grows = sides.b - sides.a;
  return (
    <>
      <Cell>{isOnly('a', 'b') ? <span className="is-none">none</span> : figure(sides.a)}</Cell>
      <Cell>{isOnly('b', 'a') ? <span className="is-none">none</span> : figure(sides.b)}</Cell>
      <Cell>
        <span className={grows > 0 ? 'is-more' : grows < 0 ? 'is-less' : 'is-none'}>{change(sides)}</span>
      </Cell>
    </>
  );
};

const Cell = ({
  className = '',
  children,
}: {
  readonly className?: string;
  readonly children: ReactNode;
}): ReactNode => (
  // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: focus stays on the grid
  <div role="gridcell" className={`field-cell ${className}`}>
    {children}
  </div>
);

/** The path. If it has no partner, or one that the user chose: a choice of the field of B. */
function Name({
  row,
  name,
  rows,
}: {
  readonly row: DiffRow;
  readonly name: string;
  readonly rows: readonly DiffRow[];
}): ReactNode {
  const { alignField } = useActions();
  const { a, b, aligned, alone } = row;
  const ways = { path: null, name: 'by name', chosen: 'by hand', 'only A': null, 'only B': null };
  // A row without a partner in B has a choice that shows it.
  const mark = alone && b !== null ? { 'only A': 'A alone', 'only B': 'B alone' }[alone] : ways[aligned];
  const offered =
    aligned === 'only A' || aligned === 'chosen' ? rows.filter((other) => other.aligned === 'only B') : [];
  return (
    <span className="field-name" title={name}>
      <span className={`field-name-text${(a ?? b) === null ? ' is-words' : ''}`}>
        <bdi>{a === null || b === null || a === b ? name : a}</bdi>
      </span>
      {a !== null && b !== null && a !== b && <span className="field-facts">→ {b}</span>}
      {mark && <span className="field-facts pair-mark">{mark}</span>}
      {a !== null && (aligned === 'only A' || aligned === 'chosen') && (
        <select
          className="pair-align"
          aria-label={`${a} is in B`}
          value={aligned === 'chosen' ? (b ?? '') : ''}
          onClick={(event) => event.stopPropagation()}
          onKeyDown={(event) => event.stopPropagation()}
          onChange={({ target }) => alignField(a, target.value || null)}
        >
          <option value="">A alone</option>
          {aligned === 'chosen' && b !== null && <option value={b}>{b}</option>}
          {offered.map(({ b: path }) => path !== null && <option key={path}>{path}</option>)}
        </select>
      )}
    </span>
  );
}

type Segments = ReadonlyMap<string, readonly LedgerSegment[]>;

/** Segments of the captured encoding. The bytes of no field have the path `ROOT`. */
function segmentsByPath(profile: Profile, unit: number): Segments {
  const id = capturedLedger(profile);
  const cells = new Map(profile.fields.map((field) => [field.path, cellsIn(field, id)]));
  cells.set(ROOT, addCells(cells.get(ROOT) ?? {}, profile.ledgers[id]?.own[''] ?? {}));
  return new Map(
    [...cells].map(([path, own]) => [
      path,
      segmentsOf(own).map(({ category, bytes }) => ({ category, bytes: bytes / unit })),
    ]),
  );
}

const categoriesIn = (sides: readonly Segments[]): readonly Category[] =>
  LEDGER_ORDER.filter((category) =>
    sides.some((side) => [...side.values()].flat().some((part) => part.category === category && part.bytes > 0)),
  );

function barOf(
  row: DiffRow,
  side: 'a' | 'b',
  segments: { readonly a: Segments; readonly b: Segments },
): readonly LedgerSegment[] {
  const path = row.a === null && row.b === null ? ROOT : row[side];
  return path === null ? [] : (segments[side].get(path) ?? []);
}
