/** A button that forgets what cannot be had back, after a second press on another. */
import { type ReactNode, useState } from 'react';
import { KEPT_NOTES } from '#wording/kept-notes.ts';

export function ForgetAll({
  onForget,
  isAtEnd = false,
}: {
  readonly onForget: () => void;
  /** Whether it is at the right edge: the question then grows to the left. */
  readonly isAtEnd?: boolean;
}): ReactNode {
  const [isAsked, setAsked] = useState(false);
  // The first button keeps its place and the focus: a double press forgets nothing.
  return (
    <span className={`flex flex-wrap items-center gap-1 ${isAtEnd ? 'ml-auto flex-row-reverse' : ''}`}>
      <button type="button" className="control" onClick={() => setAsked(!isAsked)}>
        {isAsked ? KEPT_NOTES.keepAll : KEPT_NOTES.forgetAll}
      </button>
      {isAsked && (
        <button
          type="button"
          className="control control-framed text-bad"
          onClick={() => {
            setAsked(false);
            onForget();
          }}
        >
          {KEPT_NOTES.forgetThem}
        </button>
      )}
      <span role="status">{isAsked && KEPT_NOTES.forgetsForGood}</span>
    </span>
  );
}
