/** The length of a link, on a scale of the software that accepts it. */
import type { ReactNode } from 'react';
import { formatCount } from '#wording/number-text.ts';
import { LENGTH_MARKS } from '#wording/share-words.ts';

const LONGEST = 10_500;
const at = (characters: number): string => `${(Math.min(characters, LONGEST) / LONGEST) * 100}%`;

export const LengthScale = ({ characters }: { readonly characters: number }): ReactNode => (
  <div className="length-scale relative mt-2 h-8" aria-hidden="true">
    <div className="absolute inset-x-0 top-0 h-1.5 bg-rule" />
    <div
      className={`absolute top-0 left-0 h-1.5 forced-color-adjust-none ${characters > LENGTH_MARKS[2].characters ? 'bg-bad' : 'bg-accent'}`}
      style={{ width: at(characters) }}
    />
    {LENGTH_MARKS.map(({ characters: mark, where }) => (
      <div
        key={mark}
        className="absolute top-0 h-3 border-l border-rule-strong pt-2.5 pl-1 text-2xs whitespace-nowrap text-ink-muted"
        style={{ left: at(mark) }}
      >
        {formatCount(mark)} <span className="max-sm:hidden">{where}</span>
      </div>
    ))}
  </div>
);
