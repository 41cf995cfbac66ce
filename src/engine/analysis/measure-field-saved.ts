/** Messages of one type → the bytes that their compressed streams save if a field is removed. */
import { joinBytes } from '../bytes/join.ts';
import type { Compressor } from '../compression/compressors.ts';
import { type Saved, savedOf, sizesBehindNoise } from '../compression/saved-bytes.ts';
import { type EncodingRow, encode } from '../encodings/encoding-row.ts';
import { encodingSubject } from '../encodings/encodings.ts';
import { lengthPrefix } from '../encodings/matrix.ts';
import type { CompressionUnit, MessageSample, SampledMessage } from '../encodings/message-sample.ts';
import { typesWithin } from '../encodings/types-within.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { annotate } from '../wire/annotate.ts';
import { withoutField } from '../wire/without-field.ts';

interface Request {
  readonly type: MessageDescriptor;
  readonly sample: MessageSample;
  readonly per: CompressionUnit;
  readonly compressor: Compressor;
  /** The encoding that the messages are written in, with and without the field; absent: protobuf. */
  readonly encoding?: EncodingRow | undefined;
}

type Pause = (shift: number) => void | Promise<void>;

/** Measures one field after another. The messages with all their fields are compressed only once. */
export class FieldSavings {
  readonly #request: Request;
  readonly #types: ReturnType<typeof typesWithin>;
  #whole: readonly number[] | null = null;

  constructor(request: Request) {
    this.#request = request;
    this.#types = typesWithin(request.type);
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
    const { type, encoding } = this.#request;
    if (encoding === undefined) return message;
    const read = encodingSubject(message, type, (name) => this.#types.get(name));
    const encoded = read.ok ? encode(encoding, read.subject) : read;
    return encoded.ok ? encoded.bytes.slice() : new Uint8Array();
  }

  /** The message, and what delimits it from the next one. */
  #delimited(
    { protobuf, isPrefixed }: SampledMessage,
    change: (message: Uint8Array) => Uint8Array,
  ): readonly Uint8Array[] {
    const { per, encoding } = this.#request;
    const message = this.#written(change(protobuf));
    if (!isPrefixed || per === 'message') return [message];
    if (encoding === undefined) return [lengthPrefix(message), message];
    return encoding.separator === undefined ? [message] : [message, Uint8Array.of(encoding.separator)];
  }
}
