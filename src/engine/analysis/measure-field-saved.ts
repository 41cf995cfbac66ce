/** Messages of one type → the bytes that their compressed streams save if a field is removed. */

import { delimiterOf } from '../bytes/delimiter.ts';
import { joinBytes } from '../bytes/join.ts';
import type { Compressor } from '../compression/compressors.ts';
import { type Saved, savedOf, sizesBehindNoise } from '../compression/saved-bytes.ts';
import { CAPTURED_FORMATS } from '../encodings/captured-encodings.ts';
import { type EncodingRow, encode } from '../encodings/encoding-row.ts';
import { encodingById, encodingSubject } from '../encodings/encodings.ts';
import type { CompressionUnit, MessageSample, SampledMessage } from '../encodings/message-sample.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { annotate } from '../wire/annotate.ts';
import { withoutField } from '../wire/without-field.ts';

interface Request {
  readonly type: MessageDescriptor;
  readonly sample: MessageSample;
  readonly per: CompressionUnit;
  readonly compressor: Compressor;
  /** The row of the captured encoding; undefined: protobuf was captured. */
  readonly captured: EncodingRow | undefined;
}

type Pause = (shift: number) => void | Promise<void>;

/** Measures one field after another. The messages with all their fields are compressed only once. */
export class FieldSavings {
  /** The messages are written in it, with and without the field; undefined: protobuf. */
  readonly encoding: EncodingRow | undefined;
  readonly #request: Request;
  #whole: readonly number[] | null = null;

  constructor(request: Request) {
    this.#request = request;
    // A field cannot be cut out of captured text: both sides are written anew.
    const format = Object.values(CAPTURED_FORMATS).find(({ row }) => row === request.captured);
    this.encoding = format && encodingById(format.written);
  }

  /** @param path of the field, as profiles have it @param pause called before each shift. Throws to end the measurement */
  async of(path: string, pause?: Pause): Promise<Saved> {
    this.#whole ??= await this.#sizes((message) => message, pause);
    const { type } = this.#request;
    const without = await this.#sizes((message) => withoutField(message, annotate(message, type).table, path), pause);
    return savedOf(this.#whole, without);
  }

  #sizes(change: (message: Uint8Array) => Uint8Array, pause?: Pause): Promise<readonly number[]> {
    const { sample, per, compressor } = this.#request;
    const streams = sample
      .streams(per)
      .map((stream) => joinBytes(stream.flatMap((message) => this.#delimited(message, change))));
    return sizesBehindNoise(streams, compressor.compress, pause);
  }

  #written(message: Uint8Array): Uint8Array {
    const { type } = this.#request;
    const { encoding } = this;
    if (encoding === undefined) return message;
    const read = encodingSubject(message, type);
    const encoded = read.ok ? encode(encoding, read.subject) : read;
    return encoded.ok ? encoded.bytes.slice() : new Uint8Array();
  }

  /** The message, and what delimits it from the next one. */
  #delimited(
    { protobuf, delimiter }: SampledMessage,
    change: (message: Uint8Array) => Uint8Array,
  ): readonly Uint8Array[] {
    const { per } = this.#request;
    const { encoding } = this;
    const message = this.#written(change(protobuf));
    if (delimiter === null || per === 'message') return [message];
    if (encoding === undefined) return [delimiterOf(delimiter, message.length), message];
    return encoding.separator === undefined ? [message] : [message, Uint8Array.of(encoding.separator)];
  }
}
