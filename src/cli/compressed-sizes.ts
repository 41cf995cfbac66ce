/** Both encodings of every message → their sizes after compression, each message alone, by the type's name. */
import { type Compressor, loadCompressor } from '#engine/compression/compressors.ts';
import type { BothEncodings } from '#engine/cost/encodings.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { type Column, printCount, printDelta, printPercent, printTable } from './text-table.ts';

export interface CompressedSize {
  readonly codec: string;
  readonly protobuf: number;
  readonly native: number;
}

export class CompressedSizes {
  readonly #compressors: readonly Compressor[];
  readonly #sums = new Map<string, readonly CompressedSize[]>();
  #entered: Promise<void> = Promise.resolve();

  // biome-ignore lint/style/useConsistentMemberAccessibility: a constructor cannot be private with #
  private constructor(compressors: readonly Compressor[]) {
    this.#compressors = compressors;
  }

  static async load(): Promise<CompressedSizes> {
    const ids = ['gzip', 'snappy', 'zstd'] as const;
    return new CompressedSizes(await Promise.all(ids.map((id) => loadCompressor(id))));
  }

  readonly add = ({ fullName }: MessageDescriptor, both: BothEncodings): void => {
    const copy = { protobuf: both.protobuf.slice(), native: both.native.slice() };
    this.#entered = this.#entered.then(() => this.#enter(fullName, copy));
  };

  /** Resolves when all added messages are compressed. */
  readonly settled = (): Promise<void> => this.#entered;

  async #enter(type: string, { protobuf, native }: BothEncodings): Promise<void> {
    const before = this.of(type);
    const sizes: CompressedSize[] = [];
    for (const [index, { label, compress }] of this.#compressors.entries()) {
      sizes.push({
        codec: label,
        protobuf: (before[index]?.protobuf ?? 0) + (await compress(protobuf)).length,
        native: (before[index]?.native ?? 0) + (await compress(native)).length,
      });
    }
    this.#sums.set(type, sizes);
  }

  /** By codec; none where nothing of the type was entered. */
  of(type: string): readonly CompressedSize[] {
    return this.#sums.get(type) ?? [];
  }
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
