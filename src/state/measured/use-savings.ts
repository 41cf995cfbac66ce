/** Measures the savings of fields for a view, with progress and cancellation. */
import { useEffect, useRef, useState } from 'react';
import { useActions, useApp } from '../context.tsx';
import type { Progress } from '../session-state.ts';
import { shownProfile } from '../shown-profile.ts';

export interface SavingsJob {
  readonly isRunning: boolean;
  readonly progress: Progress | null;
  readonly hasFailed: boolean;
  readonly measure: (paths: readonly string[]) => void;
  readonly cancel: () => void;
}

export function useSavings(): SavingsJob {
  const { measureSaved } = useActions();
  const profile = useApp(shownProfile);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [state, setState] = useState<'idle' | 'running' | 'failed'>('idle');
  const running = useRef<AbortController | null>(null);
  const cancel = (): void => {
    running.current?.abort();
    setState('idle');
  };
  // Another profile, or another view, ends the measurement.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs because the profile changed
  useEffect(() => {
    setState('idle');
    return () => running.current?.abort();
  }, [profile]);
  const measure = (paths: readonly string[]): void => {
    running.current?.abort();
    const mine = new AbortController();
    running.current = mine;
    setProgress(null);
    setState('running');
    void measureSaved(paths, mine.signal, setProgress).then((isDone) => {
      if (!mine.signal.aborted) setState(isDone ? 'idle' : 'failed');
    });
  };
  return { isRunning: state === 'running', progress, hasFailed: state === 'failed', measure, cancel };
}
