/**
 * Every figure: those of one input, and those of two. An embed has the first kind only: with the words and the alignment
 * of two inputs its script would weigh more than an embed may.
 */

import { bytesAround } from '#engine/cost/paid-diff.ts';
import { bitsSource } from '#wording/bits-words.ts';
import { afterPairWords, aroundWords, capturedSide, pairHeadline } from '#wording/pair-words.ts';
import { plainText } from '#wording/verdict-words.ts';
import { FIGURES, type Figure } from './figures.tsx';
import { PairFigure } from './pair-figure.tsx';
import { madeWords } from './source-line.ts';

const pair: Figure = {
  title: 'A and B by field',
  heading({ profile, pair: sides }) {
    if (sides === null) return null;
    // All compressors get the same streams.
    const [first] = sides.after;
    const around = first
      ? aroundWords({
          a: bytesAround(capturedSide(sides.a), first.a),
          b: bytesAround(capturedSide(profile), first.b),
        })
      : '';
    return [plainText(pairHeadline(profile, sides.a)), ...sides.after.map(afterPairWords), around]
      .filter(Boolean)
      .join(' ');
  },
  source({ from, pair: sides }) {
    const makers = sides?.after.map(({ a, b }) => `A ${bitsSource(a)} B ${bitsSource(b)}`);
    return [`Measured from A ${sides?.name}`, `B ${from.name}`, madeWords(from), ...new Set(makers)].join(' · ');
  },
  width: 860,
  draw: ({ pair: sides, profile }, { id, width }) =>
    sides ? PairFigure({ id, pair: sides, profile, width }) : undefined,
};

export const ALL_FIGURES = { ...FIGURES, pair } as const satisfies Record<string, Figure>;
export type AnyFigureName = keyof typeof ALL_FIGURES;

export const isAnyFigureName = (name: string): name is AnyFigureName => Object.hasOwn(ALL_FIGURES, name);
