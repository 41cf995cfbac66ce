/**
 * Messages compressed with a dictionary that was trained on other messages. libzstd trains it on every second message,
 * and the other messages are measured. No message is measured with a dictionary that it helped to train.
 */
import { needed } from '../model/needed-file.ts';
import type { MeasuringCompressor } from './measure.ts';

export interface WithDictionary {
  /** Number of messages for training, and number of the measured ones. */
  readonly trainedOn: number;
  readonly messages: number;
  /** Bytes of the dictionary, which both sides have. The measured bytes do not include it. */
  readonly dictionary: number;
  /** Bytes of the measured messages, each compressed alone. */
  readonly bytes: number;
  readonly plain: number;
  readonly compressed: number;
}

/** The library's default level. */
const LEVEL = 3;
/** Minimum number of messages; fewer are not representative. */
const MIN_MESSAGES = 16;
/** Maximum bytes of all messages; more take seconds. */
const MAX_BYTES = 1 << 20;

const loadLibrary = () => needed(() => import('../compression/dictionary/zstd-dictionary.ts'));

const lengthOf = (messages: readonly Uint8Array[]): number => messages.reduce((sum, { length }) => sum + length, 0);

/**
 * Maximum bytes of a dictionary for these messages: a power of two, about a twentieth of their size; undefined: the
 * messages are too few or too large.
 */
export function dictionaryBytes(messages: readonly Uint8Array[]): number | undefined {
  const total = lengthOf(messages);
  if (messages.length < MIN_MESSAGES || total > MAX_BYTES) return undefined;
  return 2 ** Math.max(10, Math.floor(Math.log2(total / 20)));
}

const everySecond = (messages: readonly Uint8Array[], from: number): readonly Uint8Array[] =>
  messages.filter((_, at) => at % 2 === from);

/** Trains on messages 0, 2, 4 … and measures messages 1, 3, 5 …; undefined: training is impossible. */
export async function withDictionary(messages: readonly Uint8Array[]): Promise<WithDictionary | undefined> {
  const capacity = dictionaryBytes(messages);
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
 * Compresses each half of the units with a dictionary of the other half, so that every unit is measured and none helped
 * to train its own dictionary. Later units, which are shifted, use the same two dictionaries. undefined: training is
 * impossible.
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
