/** Messages of one type → the bytes that their compressed streams save if a field is removed. */

import { joinBytes } from '../../bytes/join.ts';
import type { Compressor } from '../../compression/compressors.ts';
import { type Saved, savedOf, sizesBehindNoise } from '../../compression/saved-bytes.ts';
import { CAPTURED_FORMATS } from '../../encodings/captured-encodings.ts';
import { type EncodingRow, encode } from '../../encodings/encoding-row.ts';
import { encodingById, encodingSubject } from '../../encodings/encodings.ts';
import { joinedParts } from '../../encodings/joined-parts.ts';
import type { CompressionUnit, MessageSample, SampledMessage } from '../../encodings/message-sample.ts';
import { PROTOBUF } from '../../encodings/protobuf.ts';
import type { MessageDescriptor } from '../../schema/descriptor.ts';
import { annotate } from '../../wire/annotate.ts';
import { withoutField } from '../../wire/without-field.ts';

interface Request {
  readonly type: MessageDescriptor;
  readonly sample: MessageSample;
  readonly per: CompressionUnit;
  readonly compressor: Compressor;
  /** The row of the captured encoding; undefined: protobuf was captured. */
  readonly captured: EncodingRow | undefined;
}

type Pause = (shift: number) => void | Promise<void>;

type Change = (message: Uint8Array) => Uint8Array;

/** Measures one field after another. The messages with all their fields are compressed only once. */
export class FieldSavings {
  /** The messages are written in it, with and without the field; undefined: protobuf, in which they were captured. */
  readonly encoding: EncodingRow | undefined;
  /** Number of measured messages: those that the encoding cannot represent are left out. */
  readonly messages: number;
  readonly #request: Request;
  readonly #streams: readonly (readonly SampledMessage[])[];
  #whole: readonly number[] | null = null;

  constructor(request: Request) {
    this.#request = request;
    // A field cannot be cut out of captured text or native bytes: both sides are written anew.
    const format = Object.values(CAPTURED_FORMATS).find(({ row }) => row === request.captured);
    this.encoding = request.captured && encodingById(format?.written ?? PROTOBUF.id);
    this.#streams = request.sample
      .streams(request.per)
      .map((stream) => stream.filter(({ protobuf }) => this.#written(protobuf) !== null));
    this.messages = this.#streams.reduce((sum, { length }) => sum + length, 0);
  }

  /** @param path of the field, as profiles have it @param pause called before each shift. Throws to end the measurement */
  async of(path: string, pause?: Pause): Promise<Saved> {
    this.#whole ??= await this.#sizes((message) => message, pause);
    const { type } = this.#request;
    const without = await this.#sizes((message) => withoutField(message, annotate(message, type).table, path), pause);
    return savedOf(this.#whole, without);
  }

  #sizes(change: Change, pause: Pause | undefined): Promise<readonly number[]> {
    const streams = this.#streams.map((stream) =>
      joinBytes(stream.flatMap((message) => this.#joined(message, change))),
    );
    return sizesBehindNoise(streams, this.#request.compressor.compress, pause);
  }

  /** null: the encoding cannot represent the message. */
  #written(message: Uint8Array): Uint8Array | null {
    const { encoding } = this;
    if (encoding === undefined || encoding === PROTOBUF) return message;
    const read = encodingSubject(message, this.#request.type);
    const encoded = read.ok ? encode(encoding, read.subject) : read;
    return encoded.ok ? encoded.bytes.slice() : null;
  }

  /** The message, and what delimits it from the next one. */
  #joined({ protobuf, delimiter }: SampledMessage, change: Change): readonly Uint8Array[] {
    const message = this.#written(change(protobuf));
    if (message === null) throw new Error('A message cannot be written without a field, but with it.');
    const isAlone = this.#request.per === 'message';
    const { before, behind } = joinedParts(this.encoding ?? PROTOBUF, message.length, isAlone ? null : delimiter);
    return [before, message, behind];
  }
}
