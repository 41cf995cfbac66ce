/** The line above a capture's headline: the share of messages that the figures cover; nothing if they cover all. */
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
