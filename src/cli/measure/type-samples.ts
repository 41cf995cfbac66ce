/** The messages of each profile with a type, to be measured in every encoding. */

import { sizesOf } from '#engine/analysis/measure/matrix-sizes.ts';
import { type MeasuredMatrix, measureMatrix } from '#engine/analysis/measure/measure-matrix.ts';
import type { MessageOrigin } from '#engine/analysis/message-profiler.ts';
import { firstCompressor } from '#engine/compression/captured-with.ts';
import type { CompressorId } from '#engine/compression/compressor-row.ts';
import { COMPRESSORS, loadCompressor } from '#engine/compression/compressors.ts';
import type { BothEncodings } from '#engine/cost/encodings.ts';
import type { Profile } from '#engine/cost/profile.ts';
import type { EncodingRow } from '#engine/encodings/encoding-row.ts';
import { ENCODINGS } from '#engine/encodings/encodings.ts';
import { type CompressionUnit, MessageSample } from '#engine/encodings/message-sample.ts';
import { PROTOBUF } from '#engine/encodings/protobuf.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import type { FigureSubject } from '#figures/subject.ts';
import { formatOfProfile, formatOfRow } from '../inputs/captured-format.ts';
import { progressOf } from '../output/progress.ts';
import { plural, printCount } from '../output/text-table.ts';
import type { CompressedTotal } from './budget.ts';
import type { Measured } from './measure.ts';

/** Bytes of messages of a type that are measured. */
const MAX_BYTES = 32 << 20;
/** The same where all encodings and compressors are measured, which takes one or two minutes of CPU. */
export const MATRIX_BYTES = 8 << 20;

export interface TypeSample {
  readonly type: MessageDescriptor;
  readonly sample: MessageSample;
  /** The row of the captured encoding, where that is not protobuf. */
  captured: EncodingRow | undefined;
}

export class TypeSamples {
  readonly #most: number;
  /** By type, then by text format. */
  readonly #known = new Map<MessageDescriptor, Map<string, TypeSample>>();

  /** @param most bytes of messages of a type */
  constructor(most: number = MAX_BYTES) {
    this.#most = most;
  }

  readonly add = (type: MessageDescriptor, { protobuf }: BothEncodings, from: MessageOrigin): void => {
    let ofType = this.#known.get(type);
    if (ofType === undefined) {
      ofType = new Map();
      this.#known.set(type, ofType);
    }
    const format = formatOfRow(from.row);
    let found = ofType.get(format);
    if (found === undefined) {
      found = { type, sample: new MessageSample(this.#most), captured: undefined };
      ofType.set(format, found);
    }
    found.captured ??= from.row;
    found.sample.add(protobuf, from);
  };

  /** Most bytes first. */
  get all(): readonly TypeSample[] {
    const all = [...this.#known.values()].flatMap((ofType) => [...ofType.values()]);
    return all.sort((a, b) => b.sample.bytes - a.sample.bytes);
  }

  /** The types of which not all messages are measured. */
  get sampleNotes(): readonly string[] {
    return this.all
      .filter(({ sample }) => sample.isSampled)
      .map(
        ({ type, sample: { keptCount, count } }) =>
          `wirecost: of ${type.fullName}, ${printCount(keptCount)} of ${plural(count, 'message')} are measured, and extrapolated to all`,
      );
  }

  /** The messages that are left out where the first of all is measured alone. */
  get othersNotes(): readonly string[] {
    const [shown, ...others] = this.all;
    return others.map(({ type }) =>
      type === shown!.type
        ? `wirecost: messages of ${type.fullName} that were captured in another format are left out`
        : `wirecost: there are messages of ${type.fullName}, too; --type selects them`,
    );
  }

  /** The messages of a profile; undefined: none of them can be measured. */
  of(profile: Pick<Profile, 'type' | 'ledgers'>): TypeSample | undefined {
    const format = formatOfProfile(profile);
    return this.all.find(({ type, captured }) => type.fullName === profile.type && formatOfRow(captured) === format);
  }

  /** Protobuf after one compressor; undefined: no message of the profile can be measured. */
  async compressed(
    profile: Profile,
    compressor: CompressorId,
    measured: Measured,
  ): Promise<CompressedTotal | undefined> {
    const sample = this.of(profile);
    if (sample === undefined) return undefined;
    const matrix = await matrixOf(sample, measured, { encodings: [PROTOBUF], compressors: [compressor] });
    const bytes = matrix.rows.find(({ id }) => id === PROTOBUF.id)?.compressed[compressor];
    return bytes === undefined ? undefined : { compressor, bytes };
  }

  /** The common encodings of a profile's messages, to be drawn; null: none of them can be measured. */
  async figure(profile: Profile, measured: Measured): Promise<FigureSubject['matrix']> {
    const sample = this.of(profile);
    if (sample === undefined) return null;
    const encodings = ENCODINGS.filter(({ isCommon }) => isCommon);
    return {
      sizes: sizesOf(await matrixOf(sample, measured, { encodings })),
      by: firstCompressor(sample.sample.capturedWith),
    };
  }
}

interface Choice {
  readonly per?: CompressionUnit | undefined;
  readonly levels?: ReadonlyMap<CompressorId, number>;
  readonly encodings?: readonly EncodingRow[];
  readonly compressors?: readonly CompressorId[];
}

export async function matrixOf(
  { type, sample, captured }: TypeSample,
  { reports }: Measured,
  { per, levels, encodings = ENCODINGS, compressors = COMPRESSORS.map(({ id }) => id) }: Choice = {},
): Promise<MeasuredMatrix> {
  const request = {
    ...{ type, sample, per, kind: reports[0]!.input.kind, encodings },
    compressors: await Promise.all(compressors.map((id) => loadCompressor(id, levels?.get(id)))),
    captured,
  };
  return measureMatrix(request, progressOf('Compressing every encoding'));
}
