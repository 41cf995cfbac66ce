/** The selected field is not in the shown message: a way to the first message that has it. */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useActions } from '#state/context.tsx';
import { ABSENT_FIELD_NOTES, absentField, nowhere } from '#wording/absent-field-words.ts';

export function AbsentField({ path, ordinal }: { readonly path: string; readonly ordinal: number }): ReactNode {
  const { firstWith, selectMessage } = useActions();
  const [state, setState] = useState<'asked' | 'nowhere' | null>(null);
  const search = useRef<AbortController | null>(null);
  useEffect(() => () => search.current?.abort(), []);

  const show = async (): Promise<void> => {
    const mine = new AbortController();
    search.current = mine;
    setState('asked');
    const found = await firstWith(path, mine.signal);
    if (mine.signal.aborted) return;
    setState(found?.ordinal === null ? 'nowhere' : null);
    if (typeof found?.ordinal === 'number') selectMessage(found.ordinal);
  };
  const cancel = (): void => {
    search.current?.abort();
    setState(null);
  };
  return (
    <div className="flex flex-wrap items-center gap-1 border-b border-rule bg-paper-sunk px-2 py-0.5">
      <span className="min-w-0 break-words px-1" role="status">
        {state === 'nowhere' ? nowhere(path) : absentField(path, ordinal)}
        {state === 'asked' && ` ${ABSENT_FIELD_NOTES.searching}`}
      </span>
      {state === 'asked' ? (
        <button type="button" className="control" onClick={cancel}>
          {ABSENT_FIELD_NOTES.cancel}
        </button>
      ) : (
        state === null && (
          <button type="button" className="control control-framed" onClick={() => void show()}>
            {ABSENT_FIELD_NOTES.show}
          </button>
        )
      )}
    </div>
  );
}
