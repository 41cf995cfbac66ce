/** Snappy → tokens, and the items of its container. See ../snappy.ts for the format. */

import { maskedSum } from '../../bytes/crc32.ts';
import { littleEndian } from '../../bytes/integers.ts';
import { varintEnd, varintNumber } from '../../bytes/varint.ts';
import { countText } from '../../model/count-text.ts';
import { limitFailure } from '../codec.ts';
import { isSnappyFramed, MAX_SNAPPY_PER_BYTE } from '../signatures.ts';
import { type BitFailure, bitFailure } from './book.ts';
import type { Books } from './kernel.ts';
import { RAW_LENGTHS } from './tokens.ts';

export const walkSnappy = (bytes: Uint8Array, limit: number, books: Books): BitFailure | null =>
  walkBlock(bytes, 0, bytes.length, limit, books);

const LENGTH_BYTES = 5;

/** @param from offset of the preamble in `bytes` */
function walkBlock(
  bytes: Uint8Array,
  from: number,
  end: number,
  limit: number,
  { book, kernel }: Books,
): BitFailure | null {
  const { tokens } = book;
  const start = tokens.end;
  const at = varintEnd(bytes, from, Math.min(end, from + LENGTH_BYTES));
  if (at < 0 && end - from <= LENGTH_BYTES) return bitFailure('truncated', 'ends within the plain length', end);
  if (at < 0) return bitFailure('malformed', 'the plain length takes more than five bytes', from + LENGTH_BYTES);
  const size = varintNumber(bytes, from, at);
  if (size > limit - start) return bitFailure('limit', `claims ${countText(size)} bytes`, from);
  if (size > (end - from) * MAX_SNAPPY_PER_BYTE)
    return bitFailure('malformed', `claims ${countText(size)} bytes`, from);
  book.container.add('length_preamble', (at - from) * 8);
  tokens.price(RAW_LENGTHS);
  const { exports, input, output } = kernel;
  const count = exports.snappy(input + at, input + end, input + end, output + start, 0, size);
  const behind = at + exports.consumed.value;
  if (count < 0) return bitFailure('malformed', 'not a snappy block', behind);
  return count === size ? null : bitFailure('truncated', `${count} of ${size} claimed bytes`, behind);
}

const IDENTIFIER_SIZE = 10;
const HEADER_SIZE = 4;
const SUM_SIZE = 4;
const Chunk = { COMPRESSED: 0, STORED: 1, MIN_SKIPPED: 0x80, PADDING: 0xfe, IDENTIFIER: 0xff } as const;

export function walkSnappyFramed(bytes: Uint8Array, limit: number, books: Books): BitFailure | null {
  const { kernel } = books;
  const { tokens, container } = books.book;
  if (!isSnappyFramed(bytes)) return bitFailure('malformed', 'no stream identifier', 0);
  for (let at = 0; at < bytes.length; ) {
    if (at + HEADER_SIZE > bytes.length) return bitFailure('truncated', 'ends within a chunk header', at);
    const kind = bytes[at]!;
    const data = at + HEADER_SIZE;
    const end = data + littleEndian(bytes, at + 1, 3);
    if (end > bytes.length) return bitFailure('truncated', 'ends within a chunk', at);
    if (kind === Chunk.IDENTIFIER && end - at === IDENTIFIER_SIZE) {
      container.add('stream_identifier', IDENTIFIER_SIZE * 8);
    } else {
      container.add('chunk_headers', HEADER_SIZE * 8);
      if (kind >= Chunk.MIN_SKIPPED) {
        container.add(kind === Chunk.PADDING ? 'padding' : 'skipped_chunks', (end - data) * 8);
      } else {
        if (kind > Chunk.STORED) return bitFailure('malformed', `chunk of reserved kind ${kind}`, at);
        if (end < data + SUM_SIZE) return bitFailure('malformed', 'chunk without a checksum', at);
        container.add('checksums', SUM_SIZE * 8);
        const begin = tokens.end;
        if (kind === Chunk.COMPRESSED) {
          const failure = walkBlock(bytes, data + SUM_SIZE, end, limit, books);
          if (failure !== null) return failure;
        } else if (end > data + SUM_SIZE) {
          const stop = begin + end - data - SUM_SIZE;
          if (stop > limit || !kernel.room(stop)) return { ...limitFailure(limit), offset: at };
          const { memory, input, output } = kernel;
          memory.copyWithin(output + begin, input + data + SUM_SIZE, input + end);
          tokens.price(RAW_LENGTHS);
          tokens.literals(stop, 0);
        }
        if (maskedSum(kernel.sum('crc32c', kernel.plain(begin, tokens.end))) !== littleEndian(bytes, data)) {
          return bitFailure('malformed', 'chunk checksum does not fit', bytes.length);
        }
      }
    }
    at = end;
  }
  return null;
}
