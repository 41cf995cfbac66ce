/** Before a capture's headline: of how much of its messages the figures are; nothing where they are of all. */
import { useMemo } from 'react';
import { useApp } from '#state/context.tsx';
import { coverageOf, coverageWords } from '#wording/coverage-words.ts';
import type { Phrase } from '#wording/verdict-words.ts';

export function useCoverage(): readonly Phrase[] {
  const analysis = useApp(({ session }) => session.analysis);
  const isCapture = useApp(({ session }) => session.inputSummary?.kind === 'capture');
  return useMemo(() => {
    const words = isCapture && analysis !== null ? coverageWords(coverageOf([analysis])) : null;
    return words === null ? [] : [{ text: `${words} `, tone: 'subject' }];
  }, [analysis, isCapture]);
}
