/**
 * The messages, one per line, in any order. Only visible rows are fetched and drawn. A click opens a message. With
 * Shift or Ctrl, a click chooses messages, and only these are added up.
 */
import './message-list.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useActions, useApp } from '#state/context.tsx';
import type { MessageOrder, MessageScope } from '#state/session-state.ts';
import { distinctMethods } from '#wording/distinct-names.ts';
import { sortLabel } from '#wording/message-notes.ts';
import { formatCount } from '#wording/number-text.ts';
import { listedWords } from '#wording/read-messages.ts';
import { usePlacesOf, useTextScale } from '../panes/use-text-scale.ts';
import { groupTypes } from './group-types.ts';
import { beginOf, COLUMNS, widestOf } from './message-columns.ts';
import { scopeKey } from './scope-key.ts';
import { useMessageWindow } from './use-message-window.ts';

/** Pixels, at the usual size of the text. */
const ROW_HEIGHT = 26;
const IN_ORDER: MessageOrder = { column: 'ordinal', descending: false };

export function MessageList(): ReactNode {
  const id = useId();
  const summary = useApp(({ session }) => session.inputSummary);
  const readings = useApp(({ session }) => session.groupReadings);
  const opened = useApp(({ view }) => view.selection.ordinal);
  const scope = useApp(({ view }) => view.scope);
  const types = useApp(({ view }) => view.types);
  const { selectMessage, chooseMessages, rangesOf, rowOf } = useActions();
  const [order, setOrder] = useState(IN_ORDER);
  const isByType = order.column === 'type';
  const key = useMemo(
    () => scopeKey({ ...scope, ordinals: [] }, types, readings, isByType),
    [scope, types, readings, isByType],
  );
  const { total, bytes, rowAt, show } = useMessageWindow(summary, order, key);
  // In another list, or order, the first row is active.
  const list = `${key} ${order.column} ${order.descending}`;
  const [at, setAt] = useState({ list, row: 0 });
  if (at.list !== list) setAt({ list, row: 0 });
  const active = Math.max(0, Math.min(at.row, (total ?? 1) - 1));
  const setActive = (row: number): void => setAt({ list, row });
  /** The row that a key went to before it was fetched. */
  const awaited = useRef<typeof at | null>(null);
  const anchor = useRef(0);
  /** Ordinal of the message that was clicked without a modifier. */
  const clicked = useRef<number | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = ROW_HEIGHT * useTextScale();
  // It begins at its top, also where it is as long and comes at once, so that nothing else moves it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each list
  useLayoutEffect(() => scroller.current?.scrollTo(0, 0), [list]);
  const rows = useVirtualizer({
    count: total ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  usePlacesOf(rows, rowHeight);
  const items = rows.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => show(first, last + 1), [show, first, last]);
  const isListed = total !== null;
  const inView = useRef('');
  // A message that was opened elsewhere comes into view once: sorting and filtering then keep the list at its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a click on a row opens what is in view already
  useEffect(() => {
    const message = `${opened} ${summary?.name}`;
    if (!isListed || inView.current === message) return;
    inView.current = message;
    if (rowAt(active)?.ordinal === opened) return;
    const abort = new AbortController();
    void rowOf({ ordinal: opened, order }, abort.signal).then((row) => {
      if (row === null || abort.signal.aborted) return;
      setActive(row);
      rows.scrollToIndex(row);
    });
    return () => abort.abort();
  }, [opened, summary?.name, isListed]);
  const groups = useMemo(() => new Map(summary?.groups.map((group) => [group.key, group])), [summary]);
  const typeOf = useMemo(() => groupTypes(summary?.groups ?? [], readings), [summary, readings]);
  const methodOf = useMemo(
    () => distinctMethods(summary?.groups.flatMap(({ method }) => method ?? []) ?? []),
    [summary],
  );
  const isCapture = summary?.kind === 'capture';
  const hasFiles =
    summary?.kind === 'payloads' && summary.steps.some(({ files, member }) => files !== null && member === null);
  const columns = useMemo(
    () => COLUMNS.filter(({ of }) => of === 'all' || (of === 'files' ? hasFiles : isCapture)),
    [isCapture, hasFiles],
  );
  const begin = isCapture ? beginOf(summary) : 0;

  const extendTo = async (index: number): Promise<void> => {
    const [from, to] = [Math.min(anchor.current, index), Math.max(anchor.current, index) + 1];
    void chooseMessages(await rangesOf({ from, to, order }));
  };
  const walk = (index: number, extend: boolean): void => {
    const to = Math.max(0, Math.min((total ?? 1) - 1, index));
    setActive(to);
    rows.scrollToIndex(to);
    if (extend) {
      void extendTo(to);
      return;
    }
    anchor.current = to;
    openRow(to);
  };
  /** A row that is not fetched yet is opened when it arrives. */
  const openRow = (index: number): void => {
    const row = rowAt(index);
    awaited.current = row === undefined ? { list, row: index } : null;
    if (row !== undefined) selectMessage(row.ordinal);
  };
  useEffect(() => {
    if (awaited.current?.list !== list) awaited.current = null;
    else if (rowAt(awaited.current.row) !== undefined) openRow(awaited.current.row);
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1);
    const to = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: (total ?? 1) - 1,
    }[event.key];
    const row = rowAt(active);
    if (to !== undefined) walk(to, event.shiftKey);
    else if (event.key === 'Enter' && row) void chooseMessages([[row.ordinal, row.ordinal + 1]]);
    else if (event.key === ' ' && row) void chooseMessages(toggled(scope.ordinals, row.ordinal));
    else if (event.key === 'Escape' && scope.ordinals.length > 0) void chooseMessages([]);
    else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent, index: number): void => {
    const row = rowAt(index);
    setActive(index);
    awaited.current = null;
    if (event.shiftKey) {
      void extendTo(index);
      return;
    }
    anchor.current = index;
    if (!row) return;
    if (event.ctrlKey || event.metaKey) {
      // The message that was clicked before belongs to the choice.
      const isFirst = chosen === 0 && clicked.current !== null && clicked.current === opened;
      const before = isFirst && row.ordinal !== opened ? toggled([], clicked.current!) : scope.ordinals;
      void chooseMessages(toggled(before, row.ordinal));
      return;
    }
    clicked.current = row.ordinal;
    selectMessage(row.ordinal);
  };
  const isCompressed = summary !== null && summary.capturedBytes < summary.payloadBytes;
  const counted = total === null ? 'Reading…' : listedWords(total, bytes, summary?.messages ?? 0, isCompressed);
  const chosen = scope.ordinals.reduce((sum, [from, to]) => sum + to - from, 0);

  return (
    <div
      className={`message-list ${isCapture ? 'of-capture' : hasFiles ? 'of-files' : ''}`}
      style={summary ? (widestOf(summary) as object) : undefined}
    >
      <p className="flex items-center gap-3 px-3 py-1 text-ink-muted" role="status">
        <span className="truncate" title={counted}>
          {counted}
        </span>
        {chosen > 0 && (
          <span className="shrink-0">
            <span className="text-ink">{formatCount(chosen)} chosen</span>{' '}
            <button type="button" className="underline hover:text-ink" onClick={() => void chooseMessages([])}>
              all again
            </button>
          </span>
        )}
      </p>
      <div className="message-line message-titles" data-terms="">
        {columns.map(({ id: column, title, term, sort, isNumber }) => (
          <span key={column} data-term={term} className={`at-${column} ${isNumber ? 'is-number' : ''}`}>
            {sort === null ? (
              <span className="font-semibold">{title}</span>
            ) : (
              <button
                type="button"
                aria-label={sortLabel(title, order.column !== sort || sort === 'ordinal' ? null : order.descending)}
                onClick={() => setOrder(({ column: by, descending }) => nextOrder(sort, by, descending))}
              >
                {title}
                {order.column === sort && sort !== 'ordinal' ? (order.descending ? ' ↓' : ' ↑') : ''}
              </button>
            )}
          </span>
        ))}
      </div>
      <div
        ref={scroller}
        role="listbox"
        aria-label="Messages"
        aria-multiselectable="true"
        aria-activedescendant={items.some(({ index }) => index === active) ? `${id}-${active}` : undefined}
        tabIndex={0}
        className="min-h-0 flex-1 overflow-auto"
        onKeyDown={onKeyDown}
      >
        <div style={{ height: rows.getTotalSize() }} className="relative" role="presentation">
          {items.map(({ index, start }) => {
            const row = rowAt(index);
            const isOpen = row?.ordinal === opened;
            const isChosen = row !== undefined && holds(scope.ordinals, row.ordinal);
            const group = row && groups.get(row.group);
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: focus and keys stay on the list
              <div
                key={index}
                id={`${id}-${index}`}
                role="option"
                aria-selected={chosen > 0 ? isChosen : isOpen}
                aria-posinset={index + 1}
                aria-setsize={total ?? 0}
                className={`message-line message-row select-none ${isChosen ? 'is-chosen' : ''} ${isOpen ? 'is-open' : ''} ${
                  index === active ? 'is-active' : ''
                }`}
                style={{ height: rowHeight, transform: `translateY(${start}px)` }}
                onClick={(event) => onClick(event, index)}
                onDoubleClick={() => row && void chooseMessages([[row.ordinal, row.ordinal + 1]])}
              >
                {columns.map(({ id: column, isNumber, say }) => {
                  const text =
                    row === undefined
                      ? ''
                      : say({
                          row,
                          group,
                          type: typeOf.get(row.group) ?? '',
                          method: methodOf.get(row.method ?? '') ?? row.method ?? '',
                          begin,
                        });
                  return (
                    <span
                      key={column}
                      className={`at-${column} ${isNumber ? 'is-number' : ''} ${column === 'method' ? 'cut-before' : ''}`}
                      title={column === 'method' ? (row?.method ?? '') : text}
                    >
                      {column === 'method' ? <bdi>{text}</bdi> : text}
                    </span>
                  );
                })}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

/**
 * A first click sorts the largest number or the letter A first; a second reverses the order; a third restores capture
 * order.
 */
function nextOrder(wanted: MessageOrder['column'], by: MessageOrder['column'], descending: boolean): MessageOrder {
  const downFirst = wanted === 'bytes' || wanted === 'capturedBytes';
  if (wanted !== by) return { column: wanted, descending: downFirst };
  return descending === downFirst ? { column: wanted, descending: !descending } : IN_ORDER;
}

const holds = (ranges: MessageScope['ordinals'], ordinal: number): boolean =>
  ranges.some(([from, to]) => ordinal >= from && ordinal < to);

/** With the ordinal, or without it. */
function toggled(ranges: MessageScope['ordinals'], ordinal: number): MessageScope['ordinals'] {
  if (!holds(ranges, ordinal)) return [...ranges, [ordinal, ordinal + 1] as const].sort((a, b) => a[0] - b[0]);
  return ranges.flatMap(([from, to]) =>
    ordinal < from || ordinal >= to
      ? [[from, to] as const]
      : ([[from, ordinal] as const, [ordinal + 1, to] as const] as const).filter(([start, end]) => end > start),
  );
}
