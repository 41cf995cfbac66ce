/** The verdict for who hears the page, once it is known and whenever it changes. */
import type { ReactNode } from 'react';
import { useApp } from '#state/context.tsx';
import { shownProfile } from '#state/shown-profile.ts';
import { plainText, verdictOf } from '#wording/verdict-words.ts';

export function VerdictStatus(): ReactNode {
  const profile = useApp(shownProfile);
  const isBusy = useApp(({ session }) => session.job !== null);
  return (
    <p role="status" aria-label="Verdict" className="sr-only">
      {profile && !isBusy && plainText(verdictOf(profile))}
    </p>
  );
}
