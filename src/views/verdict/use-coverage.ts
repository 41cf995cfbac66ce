/** The share of a capture's messages that the figures cover, short and in full; null: they cover all. */
import { useMemo } from 'react';
import { useShownSource } from '#state/use-shown-source.ts';
import { coverageShare, coverageWords } from '#wording/coverage-words.ts';

export function useCoverage(): { readonly share: string; readonly words: string } | null {
  const { coverage } = useShownSource();
  return useMemo(() => {
    const words = coverage && coverageWords(coverage);
    return words === null ? null : { share: coverageShare(coverage!), words };
  }, [coverage]);
}
