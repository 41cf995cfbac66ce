/** The messages before and after the shown one: the next ones that pass the filter, if there is a filter. */
import { useEffect, useState } from 'react';
import { useActions, useApp } from '#state/context.tsx';
import { isNarrowed } from '#state/view-state.ts';

const order = { column: 'ordinal', descending: false } as const;

/** Opens the message before or after. `ends`: whether the shown one is the first, and the last. */
export function useStep(ordinal: number): {
  readonly step: (by: 1 | -1) => Promise<void>;
  readonly ends: readonly [isFirst: boolean, isLast: boolean];
} {
  const scope = useApp(({ view }) => view.scope);
  const types = useApp(({ view }) => view.types);
  const total = useApp(({ session }) => session.inputSummary?.messages ?? 0);
  const { messages, rowOf, selectMessage } = useActions();
  const [listed, setListed] = useState<readonly (number | undefined)[] | null>(null);
  const neighbours = async ({ signal }: AbortController): Promise<readonly (number | undefined)[] | null> => {
    const row = isNarrowed(scope) ? await rowOf({ ordinal, order }, signal) : null;
    // A message that was opened from outside the filter has no place in the list.
    if (row === null) return null;
    const from = Math.max(0, row - 1);
    const rows = (await messages({ from, to: row + 2, order }, signal))?.rows ?? [];
    return [row - 1, row + 1].map((at) => rows[at - from]?.ordinal);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another message, filter or input has other neighbours
  useEffect(() => {
    const abort = new AbortController();
    void neighbours(abort).then((found) => {
      if (!abort.signal.aborted) setListed(found);
    });
    return () => abort.abort();
  }, [ordinal, scope, types, total]);
  return {
    async step(by) {
      const found = await neighbours(new AbortController());
      const next = found === null ? ordinal + by : found[by === 1 ? 1 : 0];
      if (next !== undefined) selectMessage(next);
    },
    ends: listed === null ? [ordinal === 0, ordinal >= total - 1] : [listed[0] === undefined, listed[1] === undefined],
  };
}
