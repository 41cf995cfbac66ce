/**
 * The share of a capture's messages that the figures cover, short and in full; null: they cover all. If none is
 * explained, the short form is all there is: what is known without a schema is in the profile's own words.
 */
import { useMemo } from 'react';
import { formatOf } from '#engine/compression/formats.ts';
import type { Profile } from '#engine/cost/profile.ts';
import { useApp } from '#state/context.tsx';
import { shownOrigin } from '#state/shown-profile.ts';
import type { AppState } from '#state/store.ts';
import { useShownSource } from '#state/use-shown-source.ts';
import { isEveryMessage } from '#state/view-state.ts';
import { capturedWords, coverageShare, coverageWords } from '#wording/coverage-words.ts';

/** @param shown the messages of the headline */
export function useCoverage(shown: number): { readonly share: string; readonly words: string } | null {
  const { coverage } = useShownSource();
  return useMemo(() => {
    const words = coverage && coverageWords(coverage);
    if (words === null) return null;
    return { share: coverageShare(coverage!, shown), words: coverage!.explained.bytes === 0 ? '' : words };
  }, [coverage, shown]);
}

/** The size of the shown messages as they were captured, if they were compressed; empty: they were not, or it is not known. */
export function useCapturedWords(profile: Profile): string {
  const captured = useApp(capturedSize);
  return captured === null ? '' : capturedWords(captured, profile);
}

function capturedSize(state: AppState): number | null {
  const { inputSummary: summary, analysis } = state.session;
  if (summary === null || !summary.complete || analysis === null) return null;
  if (summary.kind === 'capture') return shownOrigin(state)?.capturedBytes ?? null;
  const isWhole = analysis.profiles.length === 1 && isEveryMessage(state.view.scope);
  return isWhole && summary.steps.every(({ id }) => formatOf(id) !== undefined) ? summary.size : null;
}
