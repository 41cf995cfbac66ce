/** Views and words that only a comparison of two inputs needs, in one chunk. */

export {
  afterPairWords,
  capturedPairWords,
  pairHeadline,
  pairReason,
  shownDiffOf,
  untypedSide,
} from '#wording/pair-words.ts';
export { PairField } from './pair-field.tsx';
export { PairPicture } from './pair-picture.tsx';
export { PairTable } from './pair-table.tsx';
