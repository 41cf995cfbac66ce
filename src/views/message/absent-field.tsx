/** The selected field is not in the shown message: a way to the first message that has it. */
import type { ReactNode } from 'react';
import { useActions } from '#state/context.tsx';
import { absentField, FIRST_MATCH_NOTES, nowhere } from '#wording/first-match-words.ts';
import { FirstMatch } from './first-match.tsx';

export function AbsentField({ path, ordinal }: { readonly path: string; readonly ordinal: number }): ReactNode {
  const { firstWith, selectMessage } = useActions();

  const search = async (signal: AbortSignal): Promise<boolean | null> => {
    const found = await firstWith(path, signal);
    if (found === null || signal.aborted) return null;
    if (found.ordinal !== null) selectMessage(found.ordinal);
    return found.ordinal !== null;
  };
  return (
    <div className="flex flex-wrap items-center gap-1 border-b border-rule bg-paper-sunk px-2 py-0.5">
      <span className="min-w-0 break-words px-1">{absentField(path, ordinal)}</span>
      <FirstMatch
        label={FIRST_MATCH_NOTES.withField}
        look="control control-framed"
        none={nowhere(path)}
        search={search}
      />
    </div>
  );
}
