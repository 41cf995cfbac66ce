/** About an analysis that was opened from a link or a file: its parts, its date, and the parts that cannot be shown. */
import type { ReactNode } from 'react';
import { useActions, useApp } from '#state/context.tsx';
import { shownProfile } from '#state/shown-profile.ts';
import { partWords } from '#wording/coverage-words.ts';
import { noteWords } from '#wording/figure-notes.ts';
import { formatCount } from '#wording/number-text.ts';
import { fetchesInput, otherMessagesRead, sharedFromWords } from '#wording/share-notes.ts';
import { fetchWarning, sharedWithout } from '#wording/share-words.ts';

/** Loaded with the first link or shared file. */
export function SharedNotes(): ReactNode {
  return (
    <>
      <ConsentNote />
      <SharedNote />
    </>
  );
}

function SharedNote(): ReactNode {
  const sharedFrom = useApp(({ session }) => session.sharedFrom);
  const shown = useApp((state) => shownProfile(state)?.messages);
  const summary = useApp(({ session }) => session.inputSummary);
  if (!sharedFrom) return null;
  const { source, made, kind, how, excerpt } = sharedFrom;
  // Files of "wirecost open" are not read before.
  const count = source.messages > 0 ? source.messages : shown;
  const messages = count === undefined ? null : countMessages(count);
  return (
    <p className="break-words border-b border-rule bg-paper-sunk px-4 py-1 text-ink-muted" role="note">
      {sharedFromWords(how, { name: source.name, messages, size: source.size }, made)}{' '}
      {kind === 'profile' && shown !== undefined && partWords(shown, source.messages)}{' '}
      {source.notes && noteWords(source.notes)} {sharedWithout(kind, excerpt !== null)}
      {sharedFrom.awaited && summary?.complete && otherMessagesRead(countMessages(summary.messages))}
    </p>
  );
}

const countMessages = (count: number): string => (count === 1 ? '1 message' : `${formatCount(count)} messages`);

/** A link that wants to fetch its input: no request is made before a person agrees. */
function ConsentNote(): ReactNode {
  const consent = useApp(({ session }) => session.consent);
  const { answerConsent } = useActions();
  if (!consent) return null;
  const { data } = consent.shared;
  return (
    <div role="alert" className="border-b border-rule border-l-4 border-l-warn px-4 py-2">
      <p className="max-h-[40vh] overflow-y-auto break-words">
        <strong>{fetchesInput(consent.from.how, consent.origin)}</strong>{' '}
        {fetchWarning(data.kind === 'address' ? data.address : null)}
      </p>
      <div className="mt-1 flex gap-2">
        <button type="button" className="control control-framed" onClick={() => void answerConsent(consent, true)}>
          Fetch it
        </button>
        <button type="button" className="control" onClick={() => void answerConsent(consent, false)}>
          Do not
        </button>
      </div>
    </div>
  );
}
