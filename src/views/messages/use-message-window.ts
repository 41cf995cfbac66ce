/** The message list as the thread holds it, fetched in pages as they come into sight. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { useActions } from '#state/context.tsx';
import type { MessageOrder, MessageSummary } from '#state/session-state.ts';

const PAGE = 100;

export interface MessageWindowState {
  /** null: not known yet. */
  readonly total: number | null;
  readonly rowAt: (index: number) => MessageSummary | undefined;
  /** Fetches the pages that hold [from, to). */
  readonly show: (from: number, to: number) => void;
}

/** `input` stands for the opened input: another one, another list. */
export function useMessageWindow(input: unknown, order: MessageOrder, filter: string): MessageWindowState {
  const { messages } = useActions();
  const [total, setTotal] = useState<number | null>(null);
  const [, setArrivals] = useState(0);
  const list = useRef({ pages: new Map<number, readonly MessageSummary[] | null>(), abort: new AbortController() });

  const fetchPage = useCallback(
    async (page: number): Promise<void> => {
      const { pages, abort } = list.current;
      if (pages.has(page)) return;
      pages.set(page, null);
      const window = await messages({ from: page * PAGE, to: (page + 1) * PAGE, order, filter }, abort.signal);
      if (abort.signal.aborted) return;
      if (!window) {
        pages.delete(page);
        return;
      }
      pages.set(page, window.rows);
      setTotal(window.total);
      setArrivals((count) => count + 1);
    },
    [messages, order, filter],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: another input is another list
  useEffect(() => {
    const abort = new AbortController();
    list.current = { pages: new Map(), abort };
    setTotal(null);
    void fetchPage(0);
    return () => abort.abort();
  }, [input, fetchPage]);

  const rowAt = useCallback((index: number) => list.current.pages.get(Math.floor(index / PAGE))?.[index % PAGE], []);
  const show = useCallback(
    (from: number, to: number) => {
      for (let page = Math.floor(from / PAGE); page * PAGE < to; page++) void fetchPage(page);
    },
    [fetchPage],
  );
  return { total, rowAt, show };
}
