/** Compressed streams of messages → the bits of each field path, summed over the streams. */

import { GrowingBytes } from '../../bytes/growing-bytes.ts';
import type { ContainerItem } from '../../compression/bits/container.ts';
import { readBits, type StreamBits } from '../../compression/bits/read-bits.ts';
import type { Compressor } from '../../compression/compressors.ts';
import type { FormatId } from '../../compression/formats.ts';
import { type ByCategory, type FieldBits, MESSAGE_PATH, valueOfPath } from '../../cost/bit-parts.ts';
import { BodySpans, settleFields } from '../../cost/field-bits.ts';
import { type EncodingRow, encode } from '../../encodings/encoding-row.ts';
import { encodingSubject } from '../../encodings/encodings.ts';
import { joinedParts } from '../../encodings/joined-parts.ts';
import type { CompressionUnit, MessageSample, SampledMessage } from '../../encodings/message-sample.ts';
import type { MessageDescriptor } from '../../schema/descriptor.ts';
import { enterAt } from './body-bits.ts';

/** Σ fields + Σ container = 8 × compressed bytes. */
export interface MeasuredBits {
  readonly formats: readonly FormatId[];
  readonly streams: number;
  readonly messages: number;
  readonly plainBytes: number;
  readonly compressedBytes: number;
  readonly container: Readonly<Partial<Record<ContainerItem, number>>>;
  /** In the order in which they first occur. */
  readonly fields: readonly FieldBits[];
}

type Amounts = Record<'bytes' | 'paid' | 'shared', Partial<Record<string, number>>>;

export class BitsSum {
  readonly #formats = new Set<FormatId>();
  readonly #container: Partial<Record<ContainerItem, number>> = {};
  readonly #fields = new Map<string, Amounts>();
  readonly #sums = { streams: 0, messages: 0, plainBytes: 0, compressedBytes: 0 };

  /** Adds one stream with the rows of its plain bytes. @param messages number of messages in the stream */
  add(stream: StreamBits, body: BodySpans, messages: number): void {
    this.#formats.add(stream.format);
    this.#sums.streams++;
    this.#sums.messages += messages;
    this.#sums.plainBytes += stream.plain.length;
    this.#sums.compressedBytes += stream.compressedBytes;
    addTo(this.#container, stream.container.items);
    for (const { path, bytes, paid, shared = {} } of settleFields(stream, body, { isShared: true })) {
      const field = valueOfPath(this.#fields, path, () => ({ bytes: {}, paid: {}, shared: {} }));
      addTo(field.bytes, bytes);
      addTo(field.paid, paid);
      addTo(field.shared, shared);
    }
  }

  finish(): MeasuredBits {
    const fields = [...this.#fields].map(([path, amounts]): FieldBits => ({ path, ...amounts }));
    return { formats: [...this.#formats], ...this.#sums, container: this.#container, fields };
  }
}

function addTo(sums: Partial<Record<string, number>>, amounts: ByCategory | Readonly<Record<string, number>>): void {
  for (const [name, amount] of Object.entries(amounts)) sums[name] = (sums[name] ?? 0) + amount;
}

/** The maker of streams of messages. */
export interface StreamMaker {
  readonly type: MessageDescriptor;
  readonly per: CompressionUnit;
  readonly encoding: EncodingRow;
  readonly compressor: Compressor;
}

export interface MadeStream {
  readonly stream: StreamBits;
  readonly spans: BodySpans;
  /** The place of each message in the plain bytes; null: the encoding cannot represent it. */
  readonly places: readonly (MessagePlace | null)[];
}

/** Half-open, in the plain bytes of a stream. */
export interface MessagePlace {
  readonly start: number;
  readonly end: number;
}

/** Compresses the messages, written in the encoding, to one stream. */
export async function makeStream(
  { type, per, encoding, compressor }: StreamMaker,
  messages: readonly SampledMessage[],
): Promise<MadeStream> {
  const spans = new BodySpans();
  const written = new GrowingBytes();
  const places = messages.map(({ protobuf, captured, delimiter: ofInput }): MessagePlace | null => {
    const read = encodingSubject(protobuf, type);
    const delimiter = per === 'message' ? null : ofInput;
    const isDelimited = delimiter !== null;
    const encoded = read.ok ? encode(encoding, { ...read.subject, captured, isDelimited }) : read;
    if (!encoded.ok) return null;
    const { before, behind } = joinedParts(encoding, encoded.bytes.length, delimiter);
    written.add(before);
    const start = written.length;
    written.add(encoded.bytes);
    const end = written.length;
    enterAt(spans, encoded.bytes, { start, end, isText: false }, encoded.table);
    if (behind.length > 0) {
      written.add(behind);
      spans.enter(written.length, MESSAGE_PATH, 'punctuation');
    }
    return { start, end };
  });
  const plain = written.whole();
  const stream = readBits(await compressor.compress(plain), compressor.id, Math.max(plain.length, 1));
  if (!stream.ok) throw new Error(`${compressor.label} wrote what cannot be read: ${stream.detail}`);
  return { stream, spans, places };
}

/**
 * Writes the messages in an encoding, compresses them to streams, and measures the bits. Messages that the encoding
 * cannot represent are left out. @param onStream called before each. Throws to end the measurement
 */
export async function measureBits(
  { sample, ...maker }: StreamMaker & { readonly sample: MessageSample },
  onStream: (done: number, total: number) => void | Promise<void> = () => undefined,
): Promise<MeasuredBits> {
  const sum = new BitsSum();
  const streams = sample.streams(maker.per);
  for (const [done, messages] of streams.entries()) {
    await onStream(done, streams.length);
    const { stream, spans, places } = await makeStream(maker, messages);
    sum.add(stream, spans, places.filter((place) => place !== null).length);
  }
  return sum.finish();
}
