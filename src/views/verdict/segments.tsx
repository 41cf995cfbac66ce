/** A choice of one among a few words, side by side. */
import type { ReactNode } from 'react';
import type { TermName } from '#wording/terms.ts';

export function Segments<Word extends string>({
  label,
  term,
  words,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly term?: TermName;
  readonly words: Partial<Readonly<Record<Word, string>>>;
  readonly chosen: Word;
  readonly onChoose: (word: Word) => void;
}): ReactNode {
  return (
    <fieldset className="segments" data-term={term}>
      <legend className="sr-only">{label}</legend>
      {(Object.keys(words) as Word[]).map((word) => (
        <button key={word} type="button" aria-pressed={word === chosen} onClick={() => onChoose(word)}>
          {words[word]}
        </button>
      ))}
    </fieldset>
  );
}
