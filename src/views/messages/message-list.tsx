/** The input's messages: which, how large, how they begin. Rows are fetched and drawn where they can be seen. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { formatCount } from '#charts/figures.ts';
import { useActions, useApp } from '#state/context.tsx';
import type { MessageOrder } from '#state/session-state.ts';
import { useMessageWindow } from './use-message-window.ts';

const ROW_HEIGHT = 26;
const ORDERS: Readonly<Record<MessageOrder, string>> = {
  ordinal: 'In order',
  largest: 'Largest first',
  smallest: 'Smallest first',
};

export function MessageList(): ReactNode {
  const id = useId();
  const summary = useApp(({ session }) => session.inputSummary);
  const selected = useApp(({ view }) => view.selection.ordinal);
  const { selectMessage } = useActions();
  const [order, setOrder] = useState<MessageOrder>('ordinal');
  const [filter, setFilter] = useState('');
  const { total, rowAt, show } = useMessageWindow(summary, order, useDeferredValue(filter));
  const [active, setActive] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: total ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  const items = rows.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => show(first, last + 1), [show, first, last]);

  const walk = (index: number): void => {
    const to = Math.max(0, Math.min((total ?? 1) - 1, index));
    setActive(to);
    rows.scrollToIndex(to);
    const row = rowAt(to);
    if (row) selectMessage(row.ordinal);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1);
    const to = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: (total ?? 1) - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    walk(to);
  };

  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex items-center gap-2 border-b border-rule px-3 py-2">
        <input
          type="text"
          className="field min-w-0"
          aria-label="Only messages that hold this text"
          placeholder="Holding text"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
        <select
          className="field w-auto"
          aria-label="Order"
          value={order}
          onChange={(event) => setOrder(event.target.value as MessageOrder)}
        >
          {Object.entries(ORDERS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <p className="px-3 py-1 text-ink-muted" role="status">
        {total === null ? 'Reading…' : `${formatCount(total)} of ${formatCount(summary?.messages ?? 0)} messages`}
      </p>
      <div
        ref={scroller}
        role="listbox"
        aria-label="Messages"
        aria-activedescendant={total ? `${id}-${active}` : undefined}
        tabIndex={0}
        className="min-h-0 flex-1 overflow-auto"
        onKeyDown={onKeyDown}
      >
        <div style={{ height: rows.getTotalSize() }} className="relative" role="presentation">
          {items.map(({ index, start }) => {
            const row = rowAt(index);
            const isSelected = row?.ordinal === selected;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: focus and keys stay on the list
              <div
                key={index}
                id={`${id}-${index}`}
                role="option"
                aria-selected={isSelected}
                aria-posinset={index + 1}
                aria-setsize={total ?? 0}
                className={`absolute inset-x-0 flex items-center gap-3 border-b border-rule px-3 ${
                  isSelected ? 'bg-selected' : 'hover:bg-hover'
                }`}
                style={{ height: ROW_HEIGHT, transform: `translateY(${start}px)` }}
                onClick={() => {
                  setActive(index);
                  if (row) selectMessage(row.ordinal);
                }}
              >
                <span className="w-14 shrink-0 text-right text-ink-muted">{row ? formatCount(row.ordinal) : ''}</span>
                <span className="w-16 shrink-0 text-right">{row ? formatCount(row.size) : ''}</span>
                <span className="min-w-0 truncate text-ink-muted" title={row?.preview}>
                  {row?.preview}
                </span>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
