/** The answer in words: a headline, and below it one reason. */
import type { ReactNode } from 'react';
import type { Phrase } from '#wording/verdict-words.ts';

const TONES: Readonly<Record<NonNullable<Phrase['tone']>, string>> = {
  subject: 'font-semibold',
  bad: 'font-semibold text-bad',
  good: 'font-semibold text-good',
  even: 'font-semibold',
  quiet: 'text-ink-muted',
};

/** Between sentences, which may begin with an unknown field: full stops inside of paths and numbers have no space after them. */
const SENTENCES = /(?<=\.) (?=[\p{Lu}?])/u;

export function Verdict({
  headline,
  reason,
}: {
  readonly headline: readonly Phrase[];
  readonly reason: string;
}): ReactNode {
  return (
    <div className="verdict-words">
      <h1 id="verdict">
        <Phrases phrases={headline} />
      </h1>
      {reason !== '' && (
        <p title={reason} data-term="label-explained">
          {reason.split(SENTENCES).flatMap((sentence, at) => [at > 0 && ' ', <span key={sentence}>{sentence}</span>])}
        </p>
      )}
    </div>
  );
}

export const Phrases = ({ phrases }: { readonly phrases: readonly Phrase[] }): ReactNode =>
  phrases.map(({ text, tone }) => (
    <span key={text} className={tone && TONES[tone]}>
      {text}
    </span>
  ));
