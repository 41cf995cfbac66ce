/** About an analysis that was opened from a link or a file: its parts, its date, and the parts that cannot be shown. */
import type { ReactNode } from 'react';
import { useActions, useApp } from '#state/context.tsx';
import type { SharedFrom } from '#state/session-state.ts';
import { shownProfile } from '#state/shown-profile.ts';
import { partWords } from '#wording/coverage-words.ts';
import { formatBytes, formatCount } from '#wording/number-text.ts';

const WORDS: Readonly<Partial<Record<SharedFrom['kind'], string>>> = {
  profile:
    'The figures were shared without their messages: there are no bytes or trees, and type, native profile and writers stay as they are.',
  shape:
    'The shape was shared without its contents: texts and numbers are filler of the same size, every figure is the true one.',
};

export function SharedNote(): ReactNode {
  const sharedFrom = useApp(({ session }) => session.sharedFrom);
  const shown = useApp((state) => shownProfile(state)?.messages);
  if (!sharedFrom) return null;
  const { source, made, kind, how } = sharedFrom;
  const messages = source.messages === 1 ? '1 message' : `${formatCount(source.messages)} messages`;
  return (
    <p className="border-b border-rule bg-paper-sunk px-4 py-1 text-ink-muted" role="note">
      From a {how}: <span className="text-ink">{source.name}</span>, {messages}, {formatBytes(source.size)}, measured on{' '}
      {made.date} with version {made.by}.{' '}
      {kind === 'profile' && shown !== undefined && partWords(shown, source.messages)} {WORDS[kind]}
    </p>
  );
}

/** A link that wants to fetch its input: no request is made before a person agrees. */
export function ConsentNote(): ReactNode {
  const consent = useApp(({ session }) => session.consent);
  const { answerConsent } = useActions();
  if (!consent) return null;
  const { data } = consent.shared;
  return (
    <div role="alert" className="border-b border-rule border-l-4 border-l-warn px-4 py-2">
      <p>
        <strong>
          This {consent.from.how} fetches its input from {consent.origin}.
        </strong>{' '}
        That server will see your network address and that you asked for {data.kind === 'address' ? data.address : 'it'}
        ; nothing else is sent to it.
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
