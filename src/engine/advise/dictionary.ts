/**
 * Messages compressed with a dictionary that was trained on other messages: libzstd trains one on every second message,
 * and the others are measured. A dictionary is not measured on what it was trained on.
 */
import type { MeasuringCompressor } from './measure.ts';

export interface WithDictionary {
  /** Messages that were trained on, and the others, which were measured. */
  readonly trainedOn: number;
  readonly messages: number;
  /** Bytes of the dictionary itself, which both sides have; no message pays for it. */
  readonly dictionary: number;
  /** The measured messages, each compressed alone. */
  readonly bytes: number;
  readonly plain: number;
  readonly compressed: number;
}

/** The library's usual level. */
const LEVEL = 3;
/** Fewer messages say nothing about others. */
const LEAST_MESSAGES = 16;
/** Bytes of all messages; more take seconds. */
const MOST_BYTES = 1 << 20;

const loadLibrary = () => import('../compression/dictionary/zstd-dictionary.ts');

const lengthOf = (messages: readonly Uint8Array[]): number => messages.reduce((sum, { length }) => sum + length, 0);

/** Most bytes of a dictionary for these messages: a power of two, about a twentieth of them; undefined: too few or too many. */
export function dictionaryBytes(messages: readonly Uint8Array[]): number | undefined {
  const total = lengthOf(messages);
  if (messages.length < LEAST_MESSAGES || total > MOST_BYTES) return undefined;
  return 2 ** Math.max(10, Math.floor(Math.log2(total / 20)));
}

const everySecond = (messages: readonly Uint8Array[], from: number): readonly Uint8Array[] =>
  messages.filter((_, at) => at % 2 === from);

/** Trained on the messages 0, 2, 4 …, measured on 1, 3, 5 …; undefined: none can be trained. */
export async function withDictionary(
  messages: readonly Uint8Array[],
  capacity = dictionaryBytes(messages),
): Promise<WithDictionary | undefined> {
  if (capacity === undefined) return undefined;
  const { trainDictionary, sizeWithDictionary } = await loadLibrary();
  const [samples, others] = [everySecond(messages, 0), everySecond(messages, 1)];
  const dictionary = trainDictionary(samples, capacity, LEVEL);
  if (dictionary === undefined) return undefined;
  return {
    trainedOn: samples.length,
    messages: others.length,
    dictionary: dictionary.length,
    bytes: lengthOf(others),
    plain: sizeWithDictionary(others, undefined, LEVEL),
    compressed: sizeWithDictionary(others, dictionary, LEVEL),
  };
}

/**
 * Each half of the units by a dictionary of the other half, so that every unit is measured and none helped to train its
 * own. Units that come later, shifted ones, are compressed with the same two. undefined: none can be trained.
 */
export async function dictionaryCompressor(
  id: string,
  units: readonly Uint8Array[],
  capacity: number,
): Promise<MeasuringCompressor | undefined> {
  const { trainDictionary, sizeWithDictionary } = await loadLibrary();
  const trained = [0, 1].map((half) => trainDictionary(everySecond(units, 1 - half), capacity, LEVEL));
  if (trained.includes(undefined)) return undefined;
  const sizes = (some: readonly Uint8Array[]): number =>
    trained.reduce((sum, dictionary, half) => sum + sizeWithDictionary(everySecond(some, half), dictionary, LEVEL), 0);
  return { id, size: async (bytes) => sizes([bytes]), sizes: async (some) => sizes(some) };
}
