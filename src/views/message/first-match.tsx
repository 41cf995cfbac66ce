/** A search of the messages for the first that matches: a button, the way out of a long search, and its failure. */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { FIRST_MATCH_NOTES } from '#wording/first-match-words.ts';

export function FirstMatch({
  label,
  look,
  none,
  search,
}: {
  readonly label: string;
  /** Classes of the button. */
  readonly look: string;
  /** There is no such message. */
  readonly none: string;
  /** Shows what it finds. false: it found nothing; null: it was cancelled, or it failed. */
  readonly search: (signal: AbortSignal) => Promise<boolean | null>;
}): ReactNode {
  const [state, setState] = useState<'asked' | 'nowhere' | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const start = async (): Promise<void> => {
    const mine = new AbortController();
    running.current = mine;
    setState('asked');
    const isFound = await search(mine.signal);
    if (!mine.signal.aborted) setState(isFound === false ? 'nowhere' : null);
  };
  const cancel = (): void => {
    running.current?.abort();
    setState(null);
  };
  return (
    <>
      {state === 'asked' && (
        <button type="button" className="control" onClick={cancel}>
          {FIRST_MATCH_NOTES.cancel}
        </button>
      )}
      {state === null && (
        <button type="button" className={look} onClick={() => void start()}>
          {label}
        </button>
      )}
      <span role="status">
        {state === 'nowhere' && none}
        {state === 'asked' && FIRST_MATCH_NOTES.searching}
      </span>
    </>
  );
}
