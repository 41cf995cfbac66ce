/** The answer in words: a headline, and below it one reason, of which a line is shown until it is asked for whole. */
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
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
  const line = useRef<HTMLParagraphElement>(null);
  const [isCut, setCut] = useState(false);
  const [isWhole, setWhole] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words need other room
  useLayoutEffect(() => {
    const text = line.current;
    // Shown whole, it is not measured: the button stays, and cuts it again.
    if (text === null || isWhole) return;
    // In the next frame: the button takes room from the text, whose size must not change while sizes are reported.
    const observer = new ResizeObserver(() =>
      requestAnimationFrame(() =>
        setCut(
          [text, ...text.children].some(
            (part) => part.scrollHeight > part.clientHeight + 2 || part.scrollWidth > part.clientWidth,
          ),
        ),
      ),
    );
    observer.observe(text);
    return () => observer.disconnect();
  }, [reason, isWhole]);
  return (
    <div className="verdict-words">
      <h1 id="verdict">
        <Phrases phrases={headline} />
      </h1>
      {reason !== '' && (
        <div className={isWhole ? 'verdict-reason is-whole' : 'verdict-reason'}>
          <p ref={line} title={reason} data-term="label-explained">
            {reason.split(SENTENCES).flatMap((sentence, at) => [at > 0 && ' ', <span key={sentence}>{sentence}</span>])}
          </p>
          {isCut && (
            <button type="button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
              {isWhole ? 'less' : 'more'}
            </button>
          )}
        </div>
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
