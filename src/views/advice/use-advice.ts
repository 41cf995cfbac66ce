/**
 * The advice for the shown messages, as far as it is measured; requested again when the messages or the compressor
 * change.
 */
import { useEffect, useRef, useState } from 'react';
import type { Advised, RefusedAdvice } from '#state/advice-actions.ts';
import { useActions, useApp } from '#state/context.tsx';
import type { Progress } from '#state/session-state.ts';

export interface KnownAdvice {
  readonly advised: Advised | null;
  readonly refused: string | null;
  /** Ids of the compressors to rank by, as last known. */
  readonly compressors: readonly string[];
  /** null: nothing is being measured. */
  readonly progress: Progress | null;
  readonly cancel: () => void;
}

const NO_PROGRESS: Progress = { done: 0, total: 0, unit: 'changes' };

export function useAdvice(): KnownAdvice {
  const { advise } = useActions();
  const analysis = useApp(({ session }) => session.analysis);
  const shown = useApp(({ view }) => view.shown);
  const compressor = useApp(({ view }) => view.compressor);
  const [advised, setAdvised] = useState<Advised | RefusedAdvice | null>(null);
  const [compressors, setCompressors] = useState<readonly string[]>([]);
  const [progress, setProgress] = useState<Progress | null>(null);
  const running = useRef<AbortController | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs because what it is about changed
  useEffect(() => {
    if (analysis === null) return;
    const mine = new AbortController();
    running.current = mine;
    const learn = (known: Advised | RefusedAdvice): void => {
      if (mine.signal.aborted) return;
      setAdvised(known);
      if ('rows' in known) setCompressors(known.compressors);
    };
    setAdvised(null);
    setProgress(NO_PROGRESS);
    void advise(mine.signal, learn, setProgress).then((found) => {
      if (mine.signal.aborted) return;
      if (found !== null) learn(found);
      setProgress(null);
    });
    return () => mine.abort();
  }, [advise, analysis, shown, compressor]);

  return {
    advised: advised !== null && 'rows' in advised ? advised : null,
    refused: advised !== null && 'refused' in advised ? advised.refused : null,
    compressors,
    progress,
    cancel: () => {
      running.current?.abort();
      setProgress(null);
    },
  };
}
