/** The message list, which the worker holds. Pages are fetched when they become visible. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { useActions } from '#state/context.tsx';
import type { InputSummary, MessageOrder, MessageSummary } from '#state/session-state.ts';

const PAGE = 100;

export interface MessageWindowState {
  /** Messages that pass the filter, and their bytes; null: not known yet. */
  readonly total: number | null;
  readonly bytes: number;
  readonly rowAt: (index: number) => MessageSummary | undefined;
  /** Fetches the pages that hold [from, to). */
  readonly show: (from: number, to: number) => void;
}

/** `key`: the list depends on it and on the order. While the input grows, listed rows stay until they are replaced. */
export function useMessageWindow(input: InputSummary | null, order: MessageOrder, key: string): MessageWindowState {
  const { messages } = useActions();
  const [found, setFound] = useState<{ readonly total: number; readonly bytes: number } | null>(null);
  const [, setArrivals] = useState(0);
  const list = useRef({ pages: new Map<number, readonly MessageSummary[] | null>(), abort: new AbortController() });
  const seen = useRef({ from: 0, to: 1 });

  const fetchPage = useCallback(
    async (page: number): Promise<void> => {
      const { pages, abort } = list.current;
      if (pages.has(page)) return;
      pages.set(page, null);
      const window = await messages({ from: page * PAGE, to: (page + 1) * PAGE, order }, abort.signal);
      if (abort.signal.aborted) return;
      if (!window) {
        pages.delete(page);
        return;
      }
      pages.set(page, window.rows);
      setFound({ total: window.total, bytes: window.bytes });
      setArrivals((count) => count + 1);
    },
    [messages, order],
  );
  const show = useCallback(
    (from: number, to: number) => {
      seen.current = { from, to };
      for (let page = Math.floor(from / PAGE); page * PAGE < to; page++) void fetchPage(page);
    },
    [fetchPage],
  );

  const name = input?.name;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another input or filter is another list
  useEffect(() => {
    const abort = new AbortController();
    list.current = { pages: new Map(), abort };
    setFound(null);
    void fetchPage(0);
    return () => abort.abort();
  }, [name, key, fetchPage]);

  const size = input?.messages;
  // biome-ignore lint/correctness/useExhaustiveDependencies: more messages were found
  useEffect(() => {
    list.current.pages.delete(Math.floor((seen.current.to - 1) / PAGE));
    show(seen.current.from, seen.current.to);
  }, [size]);

  const rowAt = useCallback((index: number) => list.current.pages.get(Math.floor(index / PAGE))?.[index % PAGE], []);
  return { total: found?.total ?? null, bytes: found?.bytes ?? 0, rowAt, show };
}
