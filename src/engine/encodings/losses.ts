/** Counts values of a message that an encoding loses: a decoder cannot restore them. */
import { countedWords } from '../model/counted-words.ts';

export const LOSSES = {
  unknown: 'unknown fields are dropped',
  unheld: 'names and values that no field holds are dropped',
  unlisted: 'values that a closed enum does not list are dropped',
  extension: 'extensions have no position',
  nan: 'NaN is refused',
  'nan-bits': 'NaN loses its bits',
  float32: 'float32 values are written as doubles, without their width',
  'float32-digits': 'float32 values are written in their own digits, which a reader with doubles reads as other values',
  'unsafe-integer': '64-bit integers above 2⁵³ are numbers, which a reader with doubles rounds',
  rounded: 'numbers have more digits than their type holds',
  'negative-zero': '−0.0 is left out as 0',
  unsigned: 'large unsigned values are written as negative ones of the same bits',
  vlong: 'values from 2⁶³ on have no VLong (OpenSearch refuses to write them)',
  'invalid-utf8': 'text that is not UTF-8 is replaced by U+FFFD',
  'field-number': 'fields with numbers above 32,767 have no place',
  'key-with-nul': 'keys with U+0000 are cut there',
  'not-canonical': 'values outside the range of their JSON form are written as plain messages',
  'unread-any': 'messages in an Any whose type no schema has, or that cannot be read, stay bytes',
  layout: 'values that the layout does not hold',
} as const;
export type Loss = keyof typeof LOSSES;

/** Number of lost values by kind. */
export type LossCounts = Partial<Record<Loss, number>>;

/** The losses of one captured text. */
export class PlacedLosses {
  readonly counts: LossCounts = {};
  /** The place of the first value of each kind, in the text. */
  readonly firsts: Partial<Record<Loss, Place>> = {};

  add(loss: Loss, { start, end }: Place): void {
    countLoss(this.counts, loss);
    this.firsts[loss] ??= { start, end };
  }
}

interface Place {
  readonly start: number;
  readonly end: number;
}

export function addLosses(counts: LossCounts, more: LossCounts): void {
  for (const [loss, values] of Object.entries(more) as [Loss, number][]) countLoss(counts, loss, values);
}

/** A sentence for each kind, with its count. */
export const lossSentences = (counts: LossCounts): readonly string[] =>
  (Object.entries(counts) as [Loss, number][]).map(([loss, count]) => countedWords(LOSSES[loss], count));

/**
 * The kind that a sentence counts. Profiles hold the sentences: a reader of links needs no list of kinds, and older links
 * keep their words.
 * @param sentence of `lossSentences`
 */
export const lossKind = (sentence: string): Loss =>
  (Object.keys(LOSSES) as Loss[]).find((loss) => sentence.startsWith(`${LOSSES[loss]}: `))!;

export function countLoss(counts: LossCounts, loss: Loss, values = 1): void {
  if (values > 0) counts[loss] = (counts[loss] ?? 0) + values;
}
