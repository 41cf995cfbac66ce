/** Some values are not carried by an encoding: a way to the first of them. */
import type { ReactNode } from 'react';
import type { LostValues } from '#engine/model/diagnostic.ts';
import { useActions } from '#state/context.tsx';
import { FIRST_MATCH_NOTES } from '#wording/first-match-words.ts';
import { FirstMatch } from './first-match.tsx';

export function FirstLoss({ lost }: { readonly lost: LostValues }): ReactNode {
  const { firstLoss, selectSpan } = useActions();

  const search = async (signal: AbortSignal): Promise<boolean | null> => {
    const found = await firstLoss(lost, signal);
    if (found === null || signal.aborted) return null;
    if (found.place !== null) await selectSpan(found.place.ordinal, found.place.start);
    return found.place !== null;
  };
  return (
    <FirstMatch
      label={FIRST_MATCH_NOTES.withLoss}
      look="py-0.5 text-accent hover:underline"
      none={FIRST_MATCH_NOTES.noLoss}
      search={search}
    />
  );
}
