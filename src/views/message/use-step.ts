/** The message before or after the shown one: the next one that passes the filter, if there is a filter. */
import { useActions, useApp } from '#state/context.tsx';
import { isNarrowed } from '#state/view-state.ts';

const order = { column: 'ordinal', descending: false } as const;

export function useStep(): (ordinal: number, by: 1 | -1) => Promise<void> {
  const isFiltered = useApp(({ view }) => isNarrowed(view.scope));
  const { messages, rowOf, selectMessage } = useActions();
  return async (ordinal, by) => {
    const { signal } = new AbortController();
    const row = isFiltered ? await rowOf({ ordinal, order }, signal) : null;
    // A message that was opened from outside the filter has no place in the list.
    if (row === null) return selectMessage(ordinal + by);
    const from = row + by;
    const next = from < 0 ? undefined : (await messages({ from, to: from + 1, order }, signal))?.rows[0];
    if (next) selectMessage(next.ordinal);
  };
}
