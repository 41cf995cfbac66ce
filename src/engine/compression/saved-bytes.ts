/**
 * Measures the bytes that are saved if a field is removed: messages are compressed with the field and without it. An
 * additional byte at the start makes encoders find other matches. Both are therefore compressed again after 0 to 31
 * bytes of noise, and the range of the resulting savings is the band of the measurement. The saving is not a share of
 * the bits paid, and savings of several fields do not add up.
 */

/** Number of measurements, with 0 to 31 bytes of noise. */
export const SHIFTS = 32;

export interface Saved {
  /** Saved bytes, without noise. Negative: the result without the field is larger. */
  readonly bytes: number;
  /** Minimum and maximum over all measurements. */
  readonly low: number;
  readonly high: number;
  /** False if the band includes 0. */
  readonly isMeasurable: boolean;
}

/**
 * Compressed bytes of streams, each compressed alone: without noise, and after 1 to 31 bytes of noise.
 * @param progress called before each measurement. It may throw to end the measurement
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

/** @param whole sizes by shift @param without sizes without the field, by shift */
export function savedOf(whole: readonly number[], without: readonly number[]): Saved {
  const savings = whole.map((size, shift) => size - without[shift]!);
  const low = Math.min(...savings);
  const high = Math.max(...savings);
  return { bytes: savings[0]!, low, high, isMeasurable: low > 0 || high < 0 };
}

/** The noise is always the same, so that a measurement can be repeated. */
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
