/** Both encodings of every message → their sizes after compression, each message alone, by the type's name. */
import { GZIP } from '#engine/compression/compressors/gzip.ts';
import { SNAPPY } from '#engine/compression/compressors/snappy.ts';
import { ZSTD } from '#engine/compression/compressors/zstd.ts';
import { labelAt } from '#engine/compression/compressors.ts';
import type { BothEncodings } from '#engine/cost/encodings.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { type Column, printCount, printDelta, printPercent, printTable } from './text-table.ts';

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
  readonly add = ({ fullName }: MessageDescriptor, { protobuf, native }: BothEncodings): void => {
    const before = this.of(fullName);
    const sizes = this.#measures.map(({ codec, size }, at) => ({
      codec,
      protobuf: (before[at]?.protobuf ?? 0) + size(protobuf),
      native: (before[at]?.native ?? 0) + size(native),
    }));
    this.#sums.set(fullName, sizes);
  };

  /** By codec; none where nothing of the type was entered. */
  of(type: string): readonly CompressedSize[] {
    return this.#sums.get(type) ?? [];
  }
}

async function measureWith(row: (typeof ROWS)[number]): Promise<Measure> {
  const encode: (plain: Uint8Array, level: number) => Uint8Array = await row.load();
  return { codec: labelAt(row, row.level), size: (plain) => encode(plain, row.level).length };
}

export function printCompressed(sizes: readonly CompressedSize[]): string {
  const columns: readonly Column[] = [
    { title: 'each message compressed', align: 'left' },
    ...['protobuf', 'native', 'delta', ''].map((title): Column => ({ title, align: 'right' })),
  ];
  return printTable(
    columns,
    sizes.map(({ codec, protobuf, native }) => {
      const share = native === 0 ? '' : printPercent(Math.abs(protobuf - native) / native);
      const sign = protobuf > native ? '+' : protobuf < native ? '−' : '';
      return [codec, printCount(protobuf), printCount(native), printDelta(protobuf - native), `${sign}${share}`];
    }),
  );
}
