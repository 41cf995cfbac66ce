/**
 * The chosen changes, applied and measured together; requested again when they, the messages or the compressor change.
 */
import { useEffect, useState } from 'react';
import type { Advised, Applied, Faulty, RefusedAdvice } from '#state/advice-actions.ts';
import { useActions, useApp } from '#state/context.tsx';

/** null: nothing is chosen, or the measurement is running. */
export function useApplied(advised: Advised | null): Applied | Faulty | RefusedAdvice | null {
  const changes = useApp(({ view }) => view.changes);
  const { applyChanges } = useActions();
  const [answer, setAnswer] = useState<Applied | Faulty | RefusedAdvice | null>(null);
  const { type, rankedBy, messages } = advised ?? {};
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the advice only its subject matters, not each new row
  useEffect(() => {
    if (type === undefined || changes.length === 0) {
      setAnswer(null);
      return;
    }
    const mine = new AbortController();
    void applyChanges(changes, mine.signal).then((found) => {
      if (!mine.signal.aborted) setAnswer(found);
    });
    return () => mine.abort();
  }, [applyChanges, changes, type, rankedBy, messages]);
  return answer;
}
