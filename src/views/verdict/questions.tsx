/**
 * The answer to each question: a headline of one or two sentences, one reason, a picture, and the columns of the table
 * below. One more is a row here and one of `QUESTIONS` in `src/state/view-state.ts`.
 */

import type { Profile } from '#engine/cost/profile.ts';
import type { Question, TableView } from '#state/view-state.ts';
import { compositionOf, largestPart } from '#wording/composition-words.ts';
import { reasonsOf } from '#wording/difference-words.ts';
import { pairHeadline, pairReason, shownDiffOf } from '#wording/pair-words.ts';
import { VERDICT_NOTES } from '#wording/verdict-notes.ts';
import { type Phrase, verdictOf } from '#wording/verdict-words.ts';
import { type LazyPart, lazyPart } from '../progress/lazy-part.tsx';

interface OfProfile {
  readonly profile: Profile;
}

interface Answer {
  /** @param a the baseline of a comparison, if the user chose one */
  readonly headline: (profile: Profile, a: Profile | null) => readonly Phrase[];
  /** One line below the headline. */
  readonly reason: (profile: Profile, a: Profile | null) => string;
  /** It shrinks and scrolls if the table needs the height. */
  readonly Picture: LazyPart<OfProfile>;
  /** Replaces the field table if there is an A. */
  readonly Table?: LazyPart<OfProfile>;
  /** Whether the field table compares with the native side. */
  readonly compares: boolean;
  /** How the table is first sorted; null: in schema order. */
  readonly sort: TableView['sort'];
}

const pairViews = () => import('../pair/pair-views.ts');

export const ANSWERS: Readonly<Record<Question, Answer>> = {
  composition: {
    headline: compositionOf,
    reason: largestPart,
    Picture: lazyPart<OfProfile>(async () => (await import('../icicle/profile-icicle.tsx')).ProfileIcicle),
    compares: false,
    sort: { column: 'protobuf', descending: true },
  },
  native: {
    headline: verdictOf,
    reason: reasonsOf,
    Picture: lazyPart<OfProfile>(async () => (await import('./cause-waterfall.tsx')).CauseWaterfall),
    compares: true,
    sort: null,
  },
  another: {
    headline: (b, a) => (a === null ? [{ text: VERDICT_NOTES.chooseA }] : pairHeadline(b, a)),
    reason: (b, a) => (a === null ? '' : pairReason(shownDiffOf(a, b))),
    Picture: lazyPart<OfProfile>(async () => (await pairViews()).PairPicture),
    Table: lazyPart<OfProfile>(async () => (await pairViews()).PairTable),
    compares: false,
    sort: { column: 'protobuf', descending: true },
  },
};
