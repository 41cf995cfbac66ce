/**
 * The rows of one message as a tree: names, values in words, own and total bytes, offsets. Only visible rows are drawn.
 */
import { plural } from '#engine/model/count-text.ts';
import { shortNameOf } from '#engine/schema/names.ts';
import './message-tree.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { categoryColor } from '#charts/category-patterns.tsx';
import {
  isFaulty,
  type MessageSide,
  nameOfRow,
  numberOfRow,
  pathOfRow,
  remarksOfRow,
  wireTypeOfRow,
} from '#engine/inspect/encoded-message.ts';
import { type Category, endAt, startAt, subtreeEnds } from '#engine/model/annotation.ts';
import { formatBytes, formatCount } from '#wording/number-text.ts';
import { rowLabel, sharesWords } from '#wording/row-words.ts';
import { usePlacesOf, useTextScale } from '../panes/use-text-scale.ts';
import { readingsOfRow, readingsTitle } from './row-readings.ts';
import { treeMove } from './tree-keys.ts';
import {
  countTreeRows,
  firstOpen,
  MAX_TREE_ROWS,
  openAll,
  openTo,
  sharesOfRow,
  treePlaceOf,
  type VisibleTreeRow,
  visibleTreeRows,
} from './tree-rows.ts';

/** Pixels, at the usual size of the text. */
const ROW_HEIGHT = 26;

export interface MessageTreeProps {
  readonly side: MessageSide;
  /** The encoding of the tree: `Protobuf`, `Native`. */
  readonly label: string;
  /** Name of the message's type, for row 0. */
  readonly type: string;
  readonly selected: number | null;
  readonly hovered: number | null;
  readonly onSelect: (row: number) => void;
  readonly onHover: (row: number | null) => void;
  /** A row's value in words; empty if it has none. */
  readonly sayValue: (side: MessageSide, row: number) => string;
}

export function MessageTree({
  side,
  label,
  type,
  selected,
  hovered,
  onSelect,
  onHover,
  sayValue,
}: MessageTreeProps): ReactNode {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = ROW_HEIGHT * useTextScale();
  const { table } = side;
  const ends = useMemo(() => subtreeEnds(table), [table]);
  const count = useMemo(() => countTreeRows(table, ends), [table, ends]);
  const [shape, setShape] = useState(() => ({ table, open: firstOpen(table, ends), from: 0 }));
  const { open, from } = shape.table === table ? shape : { open: firstOpen(table, ends), from: 0 };
  if (shape.table !== table) setShape({ table, open, from });
  const setOpen = (next: ReadonlySet<number>) => setShape({ table, open: next, from: 0 });
  const [active, setActive] = useState(selected ?? 0);
  const { rows, cut } = useMemo(() => visibleTreeRows(table, ends, open, { from }), [table, ends, open, from]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 16,
  });
  usePlacesOf(virtual, rowHeight);
  const activeIndex = indexOfRow(rows, active);

  // A selection made elsewhere opens the ancestors of its row and scrolls there once.
  const [followed, setFollowed] = useState<number | null>(null);
  useEffect(() => {
    if (selected === null || selected === followed) return;
    setFollowed(selected);
    setActive(selected);
    const opened = openTo(table, open, selected);
    const place = treePlaceOf(table, ends, opened, selected);
    const first = place - (place % MAX_TREE_ROWS);
    if (opened !== open || first !== from) setShape({ table, open: opened, from: first });
    requestAnimationFrame(() => virtual.scrollToIndex(place - first, { align: 'auto' }));
  }, [selected, followed, table, ends, open, from, virtual]);

  const toggle = ({ row, state }: VisibleTreeRow) => {
    const next = new Set(open);
    if (state === 'open') next.delete(row);
    else next.add(row);
    setShape({ table, open: next, from });
  };
  const goTo = (first: number) => {
    setShape({ table, open, from: first });
    virtual.scrollToIndex(0);
  };
  const select = (row: number) => {
    setActive(row);
    setFollowed(row);
    onSelect(row);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      select(active);
      return;
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1);
    const move = treeMove(event.key, rows, activeIndex, page);
    if (move === null) return;
    event.preventDefault();
    const target = rows[move.index]!;
    if (move.kind !== 'go') toggle(target);
    setActive(target.row);
    onHover(target.row);
    virtual.scrollToIndex(move.index, { align: 'auto' });
  };

  const items = virtual.getVirtualItems();
  const activeShown = items.some(({ index }) => index === activeIndex);
  return (
    <section className="message-tree" aria-label={`${label} rows`}>
      <div className="message-tree-tools">
        <strong>{label}</strong>
        <span>
          {plural(count, 'row')}, {formatBytes(side.bytes.length)}
        </span>
        <button type="button" className="control" onClick={() => setOpen(openAll(ends))}>
          Open all
        </button>
        <button type="button" className="control" onClick={() => setOpen(new Set([0]))}>
          Fold all
        </button>
      </div>
      <div className="message-tree-row message-tree-head" aria-hidden="true">
        <span>Row</span>
        <span className="message-tree-value">Value</span>
        <span className="message-tree-figure">Self</span>
        <span className="message-tree-figure">Total</span>
        <span className="message-tree-figure message-tree-offset">Offset</span>
      </div>
      <div
        ref={scroller}
        className="message-tree-scroll"
        role="tree"
        tabIndex={0}
        aria-label={`${label} message`}
        aria-activedescendant={activeShown ? `${id}-${active}` : undefined}
        onKeyDown={onKeyDown}
        onMouseLeave={() => onHover(null)}
      >
        <div className="message-tree-body" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const visible = rows[index]!;
            return (
              <TreeRow
                key={visible.row}
                id={`${id}-${visible.row}`}
                side={side}
                ends={ends}
                visible={visible}
                top={start}
                name={visible.row === 0 && type !== '' ? type : nameOfRow(side, visible.row)}
                value={sayValue(side, visible.row)}
                selected={visible.row === selected}
                active={visible.row === active}
                hovered={visible.row === hovered}
                onSelect={select}
                onToggle={toggle}
                onHover={onHover}
              />
            );
          })}
        </div>
      </div>
      {selected !== null && (
        <p className="message-tree-chosen">
          <b>
            <bdi>{pathOfRow(side, selected) || nameOfRow(side, selected)}</bdi>
          </b>{' '}
          {sayValue(side, selected)}
        </p>
      )}
      {(cut || from > 0) && (
        <p className="message-tree-cut">
          Open rows {formatCount(from + 1)} to {formatCount(from + rows.length)}.{' '}
          <button type="button" className="control" disabled={from === 0} onClick={() => goTo(from - MAX_TREE_ROWS)}>
            Rows before
          </button>{' '}
          <button type="button" className="control" disabled={!cut} onClick={() => goTo(from + MAX_TREE_ROWS)}>
            Rows behind
          </button>
        </p>
      )}
    </section>
  );
}

function TreeRow({
  id,
  side,
  ends,
  visible,
  top,
  name,
  value,
  selected,
  active,
  hovered,
  onSelect,
  onToggle,
  onHover,
}: {
  readonly id: string;
  readonly side: MessageSide;
  readonly ends: Uint32Array;
  readonly visible: VisibleTreeRow;
  readonly top: number;
  readonly name: string;
  readonly value: string;
  readonly selected: boolean;
  readonly active: boolean;
  readonly hovered: boolean;
  readonly onSelect: (row: number) => void;
  readonly onToggle: (row: VisibleTreeRow) => void;
  readonly onHover: (row: number | null) => void;
}): ReactNode {
  const { row, state } = visible;
  const { table } = side;
  const start = startAt(table, row);
  const remarks = remarksOfRow(side, row);
  const number = numberOfRow(side, row);
  const readings = useMemo(() => readingsOfRow(side, row), [side, row]);
  const shares = useMemo(() => sharesOfRow(table, ends, row), [table, ends, row]);
  const marks = `${active ? ' is-active' : ''}${selected ? ' is-selected' : ''}${hovered ? ' is-hovered' : ''}`;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: focus and keys stay on the tree
    <div
      id={id}
      role="treeitem"
      className={`message-tree-row${marks}`}
      style={{ transform: `translateY(${top}px)` }}
      aria-level={visible.depth + 1}
      aria-posinset={visible.position}
      aria-setsize={visible.siblings}
      aria-expanded={state === 'leaf' ? undefined : state === 'open'}
      aria-selected={selected}
      aria-label={rowLabel(side, row, value)}
      onClick={() => onSelect(row)}
      onDoubleClick={() => state !== 'leaf' && onToggle(visible)}
      onMouseEnter={() => onHover(row)}
    >
      <span
        className="message-tree-name"
        style={{ paddingInlineStart: `min(${visible.depth} * 14px, ${visible.depth} * 6px + 32px, 45%)` }}
      >
        <TreeTwisty visible={visible} onToggle={onToggle} />
        <span className="message-tree-label" title={name}>
          <bdi>{visible.depth === 0 ? shortNameOf(name) : name}</bdi>
          {visible.index === null ? '' : <span className="message-tree-muted">[{visible.index}]</span>}
        </span>
        {number !== null && <span className="message-tree-muted message-tree-number">{number}</span>}
        <span className="message-tree-muted message-tree-kind">{wireTypeOfRow(side, row)}</span>
        {remarks.length > 0 && (
          <span className={`message-tree-remark${isFaulty(side, row) ? ' is-faulty' : ''}`}>{remarks.join(', ')}</span>
        )}
      </span>
      <span className="message-tree-value" title={readings.length > 0 ? readingsTitle(readings) : value}>
        {value}
        {readings.length > 0 && (
          <span className="message-tree-readings"> {readings.map(({ reading }) => reading).join(' or ')}?</span>
        )}
      </span>
      <span className="message-tree-figure message-tree-own" title={sharesWords(shares)}>
        <OwnMarks categories={[...shares.keys()]} />
        {formatCount(Array.from(shares.values()).reduce((sum, bytes) => sum + bytes, 0))}
      </span>
      <span className="message-tree-figure">{formatCount(endAt(table, row) - start)}</span>
      <span className="message-tree-figure message-tree-offset">{formatCount(start)}</span>
    </div>
  );
}

function TreeTwisty({
  visible,
  onToggle,
}: {
  readonly visible: VisibleTreeRow;
  readonly onToggle: (row: VisibleTreeRow) => void;
}): ReactNode {
  if (visible.state === 'leaf') return <span className="message-tree-twisty" />;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: for the mouse; the tree has keys for it
    <span
      className="message-tree-twisty"
      onClick={(event) => {
        event.stopPropagation();
        onToggle(visible);
      }}
    >
      {visible.state === 'open' ? '▾' : '▸'}
    </span>
  );
}

/** One small mark per category that the row's own bytes are spent on. The figure and the title say how many. */
function OwnMarks({ categories }: { readonly categories: readonly Category[] }): ReactNode {
  return (
    <svg className="message-tree-marks" width={6 * Math.max(4, categories.length)} height={8} aria-hidden="true">
      {categories.map((category, index) => (
        <rect key={category} x={index * 6} width={5} height={8} fill={categoryColor(category)} />
      ))}
    </svg>
  );
}

/** Visible rows are in order of their numbers. */
function indexOfRow(rows: readonly VisibleTreeRow[], row: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = rows[middle]!.row;
    if (found === row) return middle;
    if (found < row) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
