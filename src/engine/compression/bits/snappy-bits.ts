/** Snappy → tokens. The elements are walked; the plain bytes are the decoder's affair. See ../snappy.ts for the format. */
import { littleEndian } from '../../bytes/integers.ts';
import { varintEnd, varintNumber } from '../../bytes/varint.ts';
import { isSnappyFramed } from '../snappy.ts';
import { type BitBook, type BitFailure, bitFailure } from './book.ts';
import { RAW_LENGTHS } from './tokens.ts';

export const walkSnappy = (bytes: Uint8Array, limit: number, book: BitBook): BitFailure | null =>
  walkBlock(bytes, 0, bytes.length, limit, book);

const LENGTH_BYTES = 5;

/** @param from offset of the preamble in `bytes` */
function walkBlock(bytes: Uint8Array, from: number, end: number, limit: number, book: BitBook): BitFailure | null {
  const { tokens } = book;
  const start = tokens.end;
  let at = varintEnd(bytes, from, Math.min(end, from + LENGTH_BYTES));
  if (at < 0 && end - from <= LENGTH_BYTES) return bitFailure('truncated', 'ends within the plain length', end);
  if (at < 0) return bitFailure('malformed', 'the plain length takes more than five bytes', from + LENGTH_BYTES);
  const size = varintNumber(bytes, from, at);
  if (size > limit - start) return bitFailure('limit', `claims ${size} bytes`, from);
  book.container.add('length_preamble', (at - from) * 8);
  tokens.price(RAW_LENGTHS);
  const stop = start + size;
  let plain = start;
  while (at < end) {
    const element = at;
    const tag = bytes[at++]!;
    const kind = tag & 3;
    let length = (tag >> 2) + 1;
    if (kind === 0) {
      if (length > 60) {
        const width = length - 60;
        if (at + width > end) return bitFailure('truncated', 'ends within a literal length', element);
        length = littleEndian(bytes, at, width) + 1;
        at += width;
      }
      if (length > end - at) return bitFailure('truncated', 'ends within a literal', element);
      if (length > stop - plain) return bitFailure('malformed', 'more bytes than claimed', element);
      plain += length;
      tokens.literals(plain, (at - element) * 8);
      at += length;
      continue;
    }
    const width = kind === 3 ? 4 : kind;
    if (at + width > end) return bitFailure('truncated', 'ends within a copy', element);
    let distance = littleEndian(bytes, at, width);
    if (kind === 1) {
      length = ((tag >> 2) & 7) + 4;
      distance += (tag >> 5) * 256;
    }
    at += width;
    if (distance === 0 || distance > plain - start) {
      return bitFailure('malformed', 'a copy reaches before the start', element);
    }
    if (length > stop - plain) return bitFailure('malformed', 'more bytes than claimed', element);
    plain += length;
    tokens.match(plain, distance, (at - element) * 8);
  }
  return plain === stop ? null : bitFailure('truncated', `${plain - start} of ${size} claimed bytes`, at);
}

const IDENTIFIER_SIZE = 10;
const HEADER_SIZE = 4;
const SUM_SIZE = 4;
const Chunk = { COMPRESSED: 0, STORED: 1, LEAST_SKIPPED: 0x80, PADDING: 0xfe, IDENTIFIER: 0xff } as const;

export function walkSnappyFramed(bytes: Uint8Array, limit: number, book: BitBook): BitFailure | null {
  const { tokens, container } = book;
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
      if (kind >= Chunk.LEAST_SKIPPED) {
        container.add(kind === Chunk.PADDING ? 'padding' : 'skipped_chunks', (end - data) * 8);
      } else {
        if (kind > Chunk.STORED) return bitFailure('malformed', `chunk of reserved kind ${kind}`, at);
        if (end < data + SUM_SIZE) return bitFailure('malformed', 'chunk without a checksum', at);
        container.add('checksums', SUM_SIZE * 8);
        if (kind === Chunk.COMPRESSED) {
          const failure = walkBlock(bytes, data + SUM_SIZE, end, limit, book);
          if (failure !== null) return failure;
        } else if (end > data + SUM_SIZE) {
          const plain = tokens.end + end - data - SUM_SIZE;
          if (plain > limit) return bitFailure('limit', `more than ${limit} bytes come out`, at);
          tokens.price(RAW_LENGTHS);
          tokens.literals(plain, 0);
        }
      }
    }
    at = end;
  }
  return null;
}
