/** The verdict for screen readers, once it is known and whenever it changes. */
import type { ReactNode } from 'react';
import { isImplausible, type Profile } from '#engine/cost/profile.ts';
import { useApp } from '#state/context.tsx';
import { shownProfile, shownQuestion } from '#state/shown-profile.ts';
import { useWords } from '#views/verdict/questions.tsx';
import { useCoverage } from '#views/verdict/use-coverage.ts';
import { VERDICT_NOTES } from '#wording/verdict-notes.ts';
import { plainText } from '#wording/verdict-words.ts';

export function VerdictStatus(): ReactNode {
  const profile = useApp(shownProfile);
  const said = useWords(useApp(shownQuestion));
  const a = useApp(({ session }) => session.baseline?.profile ?? null);
  const coverage = useCoverage(profile?.messages ?? 0);
  const isBusy = useApp(({ session }) => session.job !== null);
  const saidOf = (shown: Profile): string =>
    isImplausible(shown) ? VERDICT_NOTES.unread : plainText(said?.headline(shown, a) ?? []);
  const verdict = profile && !isBusy ? saidOf(profile) : '';
  return (
    <p role="status" aria-label="Verdict" className="sr-only">
      {coverage?.share && verdict !== '' ? `${coverage.share} ${verdict}` : verdict}
    </p>
  );
}
