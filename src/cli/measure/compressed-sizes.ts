/** Both encodings of every message → their sizes after compression, each message alone, by profile. */

import type { MessageOrigin } from '#engine/analysis/message-profiler.ts';
import { GZIP } from '#engine/compression/compressors/gzip.ts';
import { SNAPPY } from '#engine/compression/compressors/snappy.ts';
import { ZSTD } from '#engine/compression/compressors/zstd.ts';
import { labelAt } from '#engine/compression/compressors.ts';
import type { BothEncodings } from '#engine/cost/encodings.ts';
import type { Profile } from '#engine/cost/profile.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { includedWords } from '#wording/compressed-words.ts';
import { sideNames } from '#wording/side-words.ts';
import { formatOfProfile, formatOfRow } from '../inputs/captured-format.ts';
import { type Column, printCount, printDelta, printSignedPercent, printTable } from '../output/text-table.ts';

export interface CompressedSize {
  readonly codec: string;
  readonly protobuf: number;
  readonly native: number;
}

const ROWS = [GZIP, SNAPPY, ZSTD] as const;

interface Measure {
  readonly codec: string;
  readonly size: (plain: Uint8Array) => number;
}

export class CompressedSizes {
  readonly #measures: readonly Measure[];
  readonly #sums = new Map<string, readonly CompressedSize[]>();

  // biome-ignore lint/style/useConsistentMemberAccessibility: a constructor cannot be private with #
  private constructor(measures: readonly Measure[]) {
    this.#measures = measures;
  }

  static async load(): Promise<CompressedSizes> {
    return new CompressedSizes(await Promise.all(ROWS.map(measureWith)));
  }

  /** Compresses at once: a queue of all messages would take more memory than they do. */
  readonly add = (
    { fullName }: MessageDescriptor,
    { protobuf, native }: BothEncodings,
    { row }: Pick<MessageOrigin, 'row'>,
  ): void => {
    const key = keyOf(fullName, formatOfRow(row));
    const before = this.#sums.get(key) ?? [];
    const sizes = this.#measures.map(({ codec, size }, at) => ({
      codec,
      protobuf: (before[at]?.protobuf ?? 0) + size(protobuf),
      native: (before[at]?.native ?? 0) + size(native),
    }));
    this.#sums.set(key, sizes);
  };

  /**
   * By codec, `protobuf` and `native` the sides of the profile; none where no message of it was entered, or its second
   * side is an encoding that is not written here: `matrix` measures it.
   */
  of(profile: Pick<Profile, 'type' | 'ledgers' | 'other'>): readonly CompressedSize[] {
    if (profile.other?.isCaptured === false) return [];
    return this.#sums.get(keyOf(profile.type, formatOfProfile(profile))) ?? [];
  }
}

/** The encodings whose compressed sizes are asked for, and are not measured here. */
export const unmeasuredNotes = (profiles: readonly Pick<Profile, 'other'>[]): readonly string[] => {
  const labels = new Set(profiles.flatMap(({ other }) => (other?.isCaptured === false ? [other.label] : [])));
  return [...labels].map((label) => `wirecost: --compressed does not measure ${label}; wirecost matrix does`);
};

const keyOf = (type: string, format: string): string => `${type} ${format}`;

async function measureWith(row: (typeof ROWS)[number]): Promise<Measure> {
  const encode: (plain: Uint8Array, level: number) => Uint8Array = await row.load();
  return { codec: labelAt(row, row.level), size: (plain) => encode(plain, row.level).length };
}

export function printCompressed(sizes: readonly CompressedSize[], profile: Profile): string {
  const included = includedWords(profile);
  const columns: readonly Column[] = [
    { title: 'each message compressed', align: 'left' },
    ...[...sideNames(profile), 'delta', ''].map((title): Column => ({ title, align: 'right' })),
  ];
  const table = printTable(
    columns,
    sizes.map(({ codec, protobuf, native }) => {
      const share = native === 0 ? '' : printSignedPercent((protobuf - native) / native);
      return [codec, printCount(protobuf), printCount(native), printDelta(protobuf - native), share];
    }),
  );
  return included === null ? table : `${table}${included}\n`;
}
