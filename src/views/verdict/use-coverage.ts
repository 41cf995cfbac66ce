/** Before a capture's headline: of how much of its messages the figures are; nothing where they are of all. */
import { useMemo } from 'react';
import { useShownSource } from '#state/use-shown-source.ts';
import { coverageWords } from '#wording/coverage-words.ts';
import type { Phrase } from '#wording/verdict-words.ts';

export function useCoverage(): readonly Phrase[] {
  const { coverage } = useShownSource();
  return useMemo(() => {
    const words = coverage && coverageWords(coverage);
    return words === null ? [] : [{ text: `${words} `, tone: 'subject' }];
  }, [coverage]);
}
