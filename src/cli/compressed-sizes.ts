/** Both encodings of every message → what they take after compression, each message alone, by the type's name. */
import { gzipSync } from 'node:zlib';
import { Zstd } from '@hpcc-js/wasm-zstd';
import { type Encoder, SNAPPY, zstdOf } from '#engine/compression/encoders.ts';
import type { BothEncodings } from '#engine/cost/encodings.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { type Column, printCount, printDelta, printPercent, printTable } from './text-table.ts';

export interface CompressedSize {
  readonly codec: string;
  readonly protobuf: number;
  readonly native: number;
}

const GZIP: Encoder = { codec: 'gzip level 6', size: (bytes) => gzipSync(bytes, { level: 6 }).length };

export class CompressedSizes {
  private readonly encoders: readonly Encoder[];
  private readonly sums = new Map<string, CompressedSize[]>();

  private constructor(encoders: readonly Encoder[]) {
    this.encoders = encoders;
  }

  static async load(): Promise<CompressedSizes> {
    return new CompressedSizes([GZIP, SNAPPY, zstdOf(await Zstd.load())]);
  }

  readonly add = ({ fullName }: MessageDescriptor, { protobuf, native }: BothEncodings): void => {
    const before = this.of(fullName);
    const sizes = this.encoders.map(({ codec, size }, index) => ({
      codec,
      protobuf: (before[index]?.protobuf ?? 0) + size(protobuf),
      native: (before[index]?.native ?? 0) + size(native),
    }));
    this.sums.set(fullName, sizes);
  };

  /** By codec; none where nothing of the type was entered. */
  of(type: string): readonly CompressedSize[] {
    return this.sums.get(type) ?? [];
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
