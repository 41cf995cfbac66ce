/**
 * Saved if removed: messages are compressed with a field and without it. Encoders search: a byte more in front lets them
 * find other matches, so both are compressed again behind 0 to 31 bytes of noise, and the savings that come out are the
 * band of the measurement. It is not a share of the bits paid, and savings of several fields do not add up.
 */

/** How many bytes are put in front at most, less one: one measurement each. */
export const SHIFTS = 32;

export interface Saved {
  /** Bytes, with nothing in front. Negative: without the field it takes more. */
  readonly bytes: number;
  /** Least and most over all shifts. */
  readonly low: number;
  readonly high: number;
  /** False where the band holds 0. */
  readonly isMeasurable: boolean;
}

/**
 * Compressed bytes of streams, each compressed alone: with nothing in front, and behind 1 to 31 bytes of noise.
 * @param progress called before each shift. Throws to end the measurement
 */
export async function sizesBehindNoise(
  streams: readonly Uint8Array[],
  compress: (plain: Uint8Array) => Promise<Uint8Array>,
  progress: (shift: number) => void | Promise<void> = () => undefined,
): Promise<readonly number[]> {
  const sizes: number[] = [];
  for (let shift = 0; shift < SHIFTS; shift++) {
    await progress(shift);
    let size = 0;
    for (const stream of streams) size += (await compress(shifted(stream, shift))).length;
    sizes.push(size);
  }
  return sizes;
}

/** @param whole sizes by shift @param without the same without the field */
export function savedOf(whole: readonly number[], without: readonly number[]): Saved {
  const savings = whole.map((size, shift) => size - without[shift]!);
  const low = Math.min(...savings);
  const high = Math.max(...savings);
  return { bytes: savings[0]!, low, high, isMeasurable: low > 0 || high < 0 };
}

/** The same noise every time, so that a measurement can be repeated. */
function shifted(plain: Uint8Array, shift: number): Uint8Array {
  if (shift === 0) return plain;
  const longer = new Uint8Array(shift + plain.length);
  let state = 0x9e3779b9;
  for (let at = 0; at < shift; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    longer[at] = state;
  }
  longer.set(plain, shift);
  return longer;
}
