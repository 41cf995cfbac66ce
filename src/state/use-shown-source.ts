/** The source of the shown figures, as a hook. */
import { useMemo } from 'react';
import { useApp } from './context.tsx';
import { type ShownSource, shownSource } from './shown-source.ts';

export function useShownSource(): ShownSource {
  const analysis = useApp(({ session }) => session.analysis);
  const inputSummary = useApp(({ session }) => session.inputSummary);
  const sharedFrom = useApp(({ session }) => session.sharedFrom);
  return useMemo(() => shownSource({ analysis, inputSummary, sharedFrom }), [analysis, inputSummary, sharedFrom]);
}
