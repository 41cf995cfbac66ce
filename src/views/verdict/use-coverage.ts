/**
 * The share of a capture's messages that the figures cover, short and in full; null: they cover all. If none is
 * explained, the short form is all there is: what is known without a schema is in the profile's own words.
 */
import { useMemo } from 'react';
import { useShownSource } from '#state/use-shown-source.ts';
import { coverageShare, coverageWords } from '#wording/coverage-words.ts';

/** @param shown the messages of the headline */
export function useCoverage(shown: number): { readonly share: string; readonly words: string } | null {
  const { coverage } = useShownSource();
  return useMemo(() => {
    const words = coverage && coverageWords(coverage);
    if (words === null) return null;
    return { share: coverageShare(coverage!, shown), words: coverage!.explained.bytes === 0 ? '' : words };
  }, [coverage, shown]);
}
