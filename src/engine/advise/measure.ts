/** Sizes of units, raw and compressed, and the random variation of a compressed size. */
import { joinUnit, type Unit } from './payload.ts';

export interface MeasuringCompressor {
  /** `zstd`. */
  readonly id: string;
  /** Size of `bytes`, compressed alone. */
  readonly size: (bytes: Uint8Array) => Promise<number>;
  /** The size is that of the bytes themselves. */
  readonly isPlain?: true;
  /** Total size of all units, if they are not compressed independently. */
  readonly sizes?: (units: readonly Uint8Array[]) => Promise<number>;
}

export interface Measure {
  readonly bytes: number;
  readonly compressed: Readonly<Record<string, number>>;
}

/** Number of shifts: a compressed size varies if 0 to 31 bytes precede the data. */
const SHIFTS = 32;
/** Maximum total bytes of all shifts of one measurement. Larger units use fewer shifts. */
const SHIFTED_BYTES = 600_000;
const MIN_SHIFTS = 3;

export async function measureUnits(
  units: readonly Uint8Array[],
  compressors: readonly MeasuringCompressor[],
): Promise<Measure> {
  const compressed: Record<string, number> = {};
  for (const compressor of compressors) compressed[compressor.id] = await sizeOf(units, compressor);
  return { bytes: units.reduce((sum, bytes) => sum + bytes.length, 0), compressed };
}

async function sizeOf(units: readonly Uint8Array[], { size, sizes }: MeasuringCompressor): Promise<number> {
  if (sizes !== undefined) return sizes(units);
  let sum = 0;
  for (const bytes of units) sum += await size(bytes);
  return sum;
}

export const joinUnits = (units: readonly Unit[]): readonly Uint8Array[] => units.map(joinUnit);

/** The shifts of a measurement with this number of bytes. Before and after use the same shifts. */
export function shiftsFor(bytes: number): readonly number[] {
  const count = Math.max(MIN_SHIFTS, Math.min(SHIFTS, Math.floor(SHIFTED_BYTES / Math.max(1, bytes))));
  return Array.from({ length: count }, (_, at) => Math.floor((at * SHIFTS) / count));
}

/** Compressed sizes with that number of bytes before each unit. */
export async function shiftedSizes(
  units: readonly Uint8Array[],
  compressor: MeasuringCompressor,
  shifts: readonly number[],
): Promise<readonly number[]> {
  const sizes: number[] = [];
  for (const shift of shifts) {
    const shifted = units.map((unit) => {
      const moved = new Uint8Array(shift + unit.length);
      moved.set(unit, shift);
      return moved;
    });
    sizes.push(await sizeOf(shifted, compressor));
  }
  return sizes;
}

export interface Noise {
  /** Half of the range of the savings, in bytes. A smaller saving does not count. */
  readonly band: number;
  /** The median of the savings. */
  readonly median: number;
}

export function noiseOf(before: readonly number[], after: readonly number[]): Noise {
  const savings = before.map((size, at) => size - after[at]!).sort((a, b) => a - b);
  const median = savings[Math.floor(savings.length / 2)] ?? 0;
  return { band: Math.ceil(((savings.at(-1) ?? 0) - (savings[0] ?? 0)) / 2), median };
}

/** Before minus after. */
export function difference(before: Measure, after: Measure): Measure {
  const compressed: Record<string, number> = {};
  for (const [id, bytes] of Object.entries(before.compressed)) compressed[id] = bytes - after.compressed[id]!;
  return { bytes: before.bytes - after.bytes, compressed };
}

/** The bytes by the ranking compressor; undefined: raw bytes rank. */
export const leftBy = ({ bytes, compressed }: Measure, rankedBy: string | undefined): number =>
  rankedBy === undefined ? bytes : compressed[rankedBy]!;
