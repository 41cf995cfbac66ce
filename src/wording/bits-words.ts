/** Compressed bits per field → sentences. */

import type { CopiedStretch } from '#engine/analysis/measure/copied-from.ts';
import { type FieldBits, isAttributed, type Parts, partsOf, sumOfParts } from '#engine/cost/bit-parts.ts';
import { plural } from '#engine/model/count-text.ts';
import { STREAM_CONTENTS } from './matrix-words.ts';
import { bytesOfBits, formatBytes, formatCount, formatPercent, shareOf } from './number-text.ts';
import { afterWords, type StreamFacts } from './paid-words.ts';

export const BITS_NOTES = {
  totalsOnly: 'Brotli’s bits are not known by field, only its totals.',
} as const;

/** Facts about streams: captured ones, or those of a named encoder. */
export interface BitsFacts extends StreamFacts {
  readonly streams: number;
  readonly messages: number;
  readonly outOf: number;
  readonly plainBytes: number;
  readonly compressedBytes: number;
  /** Bits by item. */
  readonly container: Readonly<Record<string, number>>;
  readonly fields: readonly FieldBits[];
}

/** `After zstd level 3 43,335 bytes are 7,112: tags are 17.8 % of the plain bytes and 7.90 % after, lengths 12.4 % and 7.90 %.` */
export function bitsWords(bits: BitsFacts): string {
  const { fields, plainBytes, compressedBytes } = bits;
  const after = afterWords(bits);
  const sizes = `${after.charAt(0).toUpperCase()}${after.slice(1)}, ${formatBytes(plainBytes)} are ${formatCount(compressedBytes)}`;
  if (!isAttributed(bits.container)) return `${sizes}. ${BITS_NOTES.totalsOnly}`;
  const plain = sumOfParts(fields.map(({ bytes }) => partsOf(bytes)));
  if (plain.tag === 0 && plain.length === 0) return `${sizes}.`;
  const paid = sumOfParts(fields.map((field) => partsOf(field.paid)));
  const pair = (part: keyof Parts): readonly [string, string] => [
    formatPercent(shareOf(plain[part], plainBytes)),
    formatPercent(shareOf(paid[part], 8 * compressedBytes)),
  ];
  const [tag, tagAfter] = pair('tag');
  const [length, lengthAfter] = pair('length');
  const tags = plain.tag === 0 ? '' : `tags are ${tag} of the plain bytes and ${tagAfter} after, `;
  const lengths =
    plain.tag === 0
      ? `lengths are ${length} of the plain bytes and ${lengthAfter} after`
      : `lengths ${length} and ${lengthAfter}`;
  return `${sizes}: ${tags}${lengths}.`;
}

/** The measured streams, and the library that made them. */
export function bitsSource({ by, streams, messages, outOf }: BitsFacts): string {
  const of =
    messages < outOf ? `${formatCount(messages)} of ${formatCount(outOf)} messages` : plural(messages, 'message');
  const in_ = `${of} in ${plural(streams, 'stream')}`;
  if (by.kind === 'captured') return `${in_}, as they were sent.`;
  const how =
    messages === 1 ? '' : streams === 1 ? STREAM_CONTENTS.joined : streams === messages && STREAM_CONTENTS.message;
  return `${how ? `${of}, ${how}` : in_}, by ${by.library} ${by.version}.`;
}

/** `Container: block headers 0.4, huffman tables 68.5 bytes.` The largest first; empty: nothing is known of it. */
export function containerWords({
  container,
  compressedBytes,
}: Pick<BitsFacts, 'container' | 'compressedBytes'>): string {
  if (!isAttributed(container)) return '';
  const items = Object.entries(container).sort(([, a], [, b]) => b - a);
  const total = items.reduce((sum, [, bits]) => sum + bits, 0);
  const list = items.map(([item, bits]) => `${item.replaceAll('_', ' ')} ${bytesOfBits(bits)}`).join(', ');
  return `Container, ${formatPercent(shareOf(total, 8 * compressedBytes))}: ${list}.`;
}

/** `bytes 4 to 19, 1.9 bytes after compression: copied from byte 44 of this message, 120 bytes back` */
export function copiedWords({ start, end, bits, from }: CopiedStretch, ordinal: number): string {
  const own = `${end - start === 1 ? `byte ${formatCount(start)}` : `bytes ${formatCount(start)} to ${formatCount(end - 1)}`}, ${bytesOfBits(bits)} bytes after compression`;
  if (from === null) return `${own}: not copied`;
  const message = from.ordinal === ordinal ? 'this message' : `message ${formatCount(from.ordinal ?? 0)}`;
  const source =
    from.ordinal === undefined ? 'from before the message' : `from byte ${formatCount(from.offset)} of ${message}`;
  return `${own}: copied ${source}, ${formatBytes(from.distance)} back`;
}
