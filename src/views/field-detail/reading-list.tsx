/** Every reading that fits the bytes of a record, the most plausible first, each with its value and its reason. */

import type { ReactNode } from 'react';
import type { Guess } from '#engine/wire/guess.ts';
import { readingsWords } from '#wording/field-detail-notes.ts';

export interface Readings {
  /** `message 0, bytes 2–4`. */
  readonly where: string;
  readonly guesses: readonly Guess[];
}

export const ReadingList = ({ where, guesses }: Readings): ReactNode => (
  <section aria-label="Readings">
    <h3 data-term="label-readings">
      Readings <span className="guess-mark">{guesses.length === 1 ? 'guess' : 'guesses'}</span>
    </h3>
    <p className="field-detail-words">{readingsWords(where)}</p>
    <ol className="reading-list">
      {guesses.map(({ reading, value, reason }) => (
        <li key={reading}>
          <span className="reading-list-name">{reading}</span>
          <code>{value}</code>
          <span className="reading-list-reason">{reason}</span>
        </li>
      ))}
    </ol>
  </section>
);
