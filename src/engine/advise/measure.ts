/** What units take, raw and compressed; and how far a compressed size moves by chance. */
import { joinUnit, type Unit } from './payload.ts';

export interface Compressor {
  /** `zstd`. */
  readonly id: string;
  /** Bytes that `bytes` take compressed, alone. */
  readonly size: (bytes: Uint8Array) => Promise<number>;
}

export interface Measure {
  readonly bytes: number;
  readonly compressed: Readonly<Record<string, number>>;
}

/** A compressed size moves when bytes are put before it: 0 to 31. */
const SHIFTS = 32;
/** Bytes that all shifts of one measure may come to; of larger units fewer shifts are looked at. */
const SHIFTED_BYTES = 600_000;
const LEAST_SHIFTS = 3;

export async function measureUnits(units: readonly Uint8Array[], compressors: readonly Compressor[]): Promise<Measure> {
  const compressed: Record<string, number> = {};
  for (const compressor of compressors) compressed[compressor.id] = await sizeOf(units, compressor);
  return { bytes: units.reduce((sum, bytes) => sum + bytes.length, 0), compressed };
}

async function sizeOf(units: readonly Uint8Array[], { size }: Compressor): Promise<number> {
  let sum = 0;
  for (const bytes of units) sum += await size(bytes);
  return sum;
}

export const joinUnits = (units: readonly Unit[]): readonly Uint8Array[] => units.map(joinUnit);

/** Compressed sizes with 0, 1, 2 … bytes before each unit. */
export async function shiftedSizes(units: readonly Uint8Array[], compressor: Compressor): Promise<readonly number[]> {
  const bytes = units.reduce((sum, unit) => sum + unit.length, 0);
  const shifts = Math.max(LEAST_SHIFTS, Math.min(SHIFTS, Math.floor(SHIFTED_BYTES / Math.max(1, bytes))));
  const sizes: number[] = [];
  for (let at = 0; at < shifts; at++) {
    const shift = Math.floor((at * SHIFTS) / shifts);
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
  /** Half of the spread of the savings, in bytes: a saving within it is none. */
  readonly band: number;
  /** The median of the savings. */
  readonly median: number;
}

export function noiseOf(before: readonly number[], after: readonly number[]): Noise {
  const savings = before.map((size, at) => size - after[at]!).sort((a, b) => a - b);
  const median = savings[Math.floor(savings.length / 2)] ?? 0;
  return { band: Math.ceil(((savings.at(-1) ?? 0) - (savings[0] ?? 0)) / 2), median };
}
