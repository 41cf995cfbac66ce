/**
 * The answer to each question: a headline of one or two sentences, one reason, a picture, and the columns of the table
 * below. One more is a row here and one of `QUESTIONS` in `src/state/view-state.ts`.
 */

import { useEffect, useState } from 'react';
import type { Profile } from '#engine/cost/profile.ts';
import { useApp } from '#state/context.tsx';
import type { usePairAfter } from '#state/measured/use-measured-sides.ts';
import { shownQuestion } from '#state/shown-profile.ts';
import type { Question, TableView } from '#state/view-state.ts';
import { compositionOf, largestPart } from '#wording/composition-words.ts';
import { capturedWords } from '#wording/coverage-words.ts';
import { reasonsOf } from '#wording/difference-words.ts';
import { VERDICT_NOTES } from '#wording/verdict-notes.ts';
import { type Phrase, verdictOf } from '#wording/verdict-words.ts';
import { type LazyPart, lazyPart } from '../progress/lazy-part.tsx';

interface OfProfile {
  readonly profile: Profile;
}

interface CompressedSizes {
  /** The bytes of either side as captured; null: it is not known. */
  readonly captured: Readonly<Record<'a' | 'b', number | null>>;
  /** Both sides after the compressors that are shown and measured. */
  readonly after: ReturnType<typeof usePairAfter>;
}

/** Causes are of plain bytes, and come before what was captured. */
const capturedOf = (profile: Profile, { captured: { b } }: CompressedSizes): string =>
  b === null ? '' : capturedWords(b, profile);

interface Words {
  /** @param a the baseline of a comparison, if the user chose one */
  readonly headline: (profile: Profile, a: Profile | null) => readonly Phrase[];
  /** One line below the headline. */
  readonly reason: (profile: Profile, a: Profile | null, sizes: CompressedSizes) => string;
}

interface Answer {
  /** null: they are not loaded yet. */
  readonly words: () => Words | null;
  /** It shrinks and scrolls if the table needs the height. */
  readonly Picture: LazyPart<OfProfile>;
  /** Replaces the field table if there is an A. */
  readonly Table?: LazyPart<OfProfile>;
  /** Whether the field table compares with the native side. */
  readonly compares: boolean;
  /** How the table is first sorted; null: in schema order. */
  readonly sort: TableView['sort'];
}

const COMPOSITION: Words = {
  headline: compositionOf,
  reason: (profile, _, sizes) => {
    const sentences = [capturedOf(profile, sizes), largestPart(profile)];
    // Without a type, the line begins with what a type would add.
    return (profile.type === '' ? sentences.reverse() : sentences).join(' ').trim();
  },
};
const NATIVE: Words = {
  headline: verdictOf,
  reason: (profile, _, sizes) => `${reasonsOf(profile)} ${capturedOf(profile, sizes)}`.trim(),
};
/** They load together with the picture: most analyses have no A. */
let another: Words | null = null;

async function pairViews() {
  const part = await import('../pair/pair-views.ts');
  another ??= {
    headline: (b, a) => (a === null ? [{ text: VERDICT_NOTES.chooseA }] : part.pairHeadline(b, a)),
    reason: (b, a, { captured, after }) =>
      a === null
        ? ''
        : [
            part.capturedPairWords({ profile: a, captured: captured.a }, { profile: b, captured: captured.b }),
            ...after.map(part.afterPairWords),
            `${part.untypedSide(a, b)}${part.pairReason(part.shownDiffOf(a, b))}`,
          ]
            .filter(Boolean)
            .join(' '),
  };
  return part;
}

export const ANSWERS: Readonly<Record<Question, Answer>> = {
  composition: {
    words: () => COMPOSITION,
    Picture: lazyPart<OfProfile>(async () => (await import('../icicle/profile-icicle.tsx')).ProfileIcicle),
    compares: false,
    sort: { column: 'protobuf', descending: true },
  },
  native: {
    words: () => NATIVE,
    Picture: lazyPart<OfProfile>(async () => (await import('./cause-waterfall.tsx')).CauseWaterfall),
    compares: true,
    sort: null,
  },
  another: {
    words: () => another,
    Picture: lazyPart<OfProfile>(async () => (await pairViews()).PairPicture),
    Table: lazyPart<OfProfile>(async () => (await pairViews()).PairTable),
    compares: false,
    sort: { column: 'protobuf', descending: true },
  },
};

/** The shown question, once its parts are loaded. Until then the old answer stays. */
export function useAnswered(): Question {
  const asked = useApp(shownQuestion);
  const [held, hold] = useState(asked);
  const { Picture, Table } = ANSWERS[asked];
  const isReady = Picture.isLoaded() && Table?.isLoaded() !== false;
  useEffect(() => {
    if (isReady) return hold(asked);
    let isAsked = true;
    void Promise.all([Picture.prepare(), Table?.prepare()]).then(() => isAsked && hold(asked));
    return () => {
      isAsked = false;
    };
  }, [asked, isReady, Picture, Table]);
  return isReady ? asked : held;
}

/** null until they are loaded. Parts that are drawn without their words are not asked for here: they appear at once. */
export function useWords(question: Question): Words | null {
  const { words, Picture } = ANSWERS[question];
  const said = words();
  const [, drawAgain] = useState(said);
  useEffect(() => {
    if (said === null) void Picture.prepare().then(() => drawAgain(words()));
  }, [said, words, Picture]);
  return said;
}
