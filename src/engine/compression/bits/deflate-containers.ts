/** The containers of DEFLATE (see ../inflate.ts) → the items of the container, and the tokens in it. */

import { littleEndian } from '../../bytes/integers.ts';
import { MALFORMED, TRUNCATED } from '../fault.ts';
import { gzipHeaderEnd } from '../inflate.ts';
import { isDfl, isZlib } from '../signatures.ts';
import { type BitFailure, bitFailure } from './book.ts';
import type { ContainerItem } from './container.ts';
import type { Books } from './kernel.ts';

const GZIP_TRAILER = 8;
const ZLIB_HEADER = 2;
const ZLIB_TRAILER = 4;
const MARK_SIZE = 4;

interface Walked {
  readonly ok: true;
  /** Offset after the last block. */
  readonly end: number;
  /** Whether the last block is marked as the last one; otherwise the bytes end after it. */
  readonly isFinished: boolean;
}

/** @param from offset of the first block in `bytes` */
function walkDeflate(
  bytes: Uint8Array,
  from: number,
  limit: number,
  { kernel, book, end }: Books,
): Walked | BitFailure {
  const { exports, input, output } = kernel;
  const begin = book.tokens.end;
  const count = exports.inflate(input + from, end, output + begin, kernel.most(limit) - begin, limit);
  const behind = from + exports.consumed.value;
  if (count < 0) {
    const reason = count === TRUNCATED ? 'truncated' : count === MALFORMED ? 'malformed' : 'limit';
    return bitFailure(reason, 'not a deflate stream', behind);
  }
  const isFinished = exports.isFinished() !== 0;
  // A stream that was flushed and never finished ends with an empty stored block.
  const isFlushed = behind - from >= 5 && littleEndian(bytes, behind - 4) === 0xffff0000;
  if (!isFinished && !isFlushed) return bitFailure('truncated', 'the deflate stream does not end', behind);
  return { ok: true, end: behind, isFinished };
}

/** Raw DEFLATE. Bytes after the last block are not counted. */
export function walkRawDeflate(bytes: Uint8Array, limit: number, books: Books): BitFailure | null {
  const walked = walkDeflate(bytes, 0, limit, books);
  if (!walked.ok) return walked;
  books.book.container.add('trailing_bytes', (bytes.length - walked.end) * 8);
  return null;
}

export function walkDfl(bytes: Uint8Array, limit: number, books: Books): BitFailure | null {
  if (!isDfl(bytes)) return bitFailure('malformed', 'no DFL marker', 0);
  books.book.container.add('mark', MARK_SIZE * 8);
  const walked = walkDeflate(bytes, MARK_SIZE, limit, books);
  if (!walked.ok) return walked;
  books.book.container.add('trailing_bytes', (bytes.length - walked.end) * 8);
  return null;
}

export function walkZlib(bytes: Uint8Array, limit: number, books: Books): BitFailure | null {
  if (!isZlib(bytes)) return bitFailure('malformed', 'no zlib header', 0);
  const { container, tokens } = books.book;
  container.add('header', ZLIB_HEADER * 8);
  const walked = walkDeflate(bytes, ZLIB_HEADER, limit, books);
  if (!walked.ok) return walked;
  if (!walked.isFinished) return null;
  const end = walked.end + ZLIB_TRAILER;
  if (end > bytes.length) return bitFailure('truncated', 'ends within the checksum', walked.end);
  const sum = books.kernel.sum('adler32', books.kernel.plain(0, tokens.end));
  if (new DataView(bytes.buffer, bytes.byteOffset + walked.end).getUint32(0) !== sum) {
    return bitFailure('malformed', 'the zlib checksum does not fit', bytes.length);
  }
  container.add('trailer', ZLIB_TRAILER * 8);
  container.add('trailing_bytes', (bytes.length - end) * 8);
  return null;
}

export function walkGzip(bytes: Uint8Array, limit: number, books: Books): BitFailure | null {
  const { kernel } = books;
  const { container, tokens } = books.book;
  const add = (item: ContainerItem, size: number) => container.add(item, size * 8);
  let at = 0;
  do {
    const begin = tokens.end;
    const start = gzipHeaderEnd(bytes.subarray(at));
    if (start < 0) return bitFailure('malformed', 'no gzip header', at);
    if (at + start + GZIP_TRAILER > bytes.length) {
      return bitFailure('truncated', 'ends within the gzip header or trailer', at);
    }
    add('header', start);
    const walked = walkDeflate(bytes, at + start, limit, books);
    if (!walked.ok) return walked;
    // Only the first member may be incomplete.
    if (!walked.isFinished && at === 0) return null;
    const trailer = walked.end;
    at = trailer + GZIP_TRAILER;
    if (!walked.isFinished || at > bytes.length) {
      return bitFailure('truncated', 'ends within the gzip trailer', trailer);
    }
    const plain = kernel.plain(begin, tokens.end);
    const isSound =
      littleEndian(bytes, trailer) === kernel.sum('crc32', plain) &&
      littleEndian(bytes, trailer + 4) === plain.length % 2 ** 32;
    if (!isSound) return bitFailure('malformed', 'gzip checksum or length does not fit', bytes.length);
    add('trailer', GZIP_TRAILER);
  } while (at < bytes.length && bytes[at] !== 0);
  const rest = bytes.subarray(at);
  if (rest.some((byte) => byte !== 0)) return bitFailure('malformed', 'no gzip header', at);
  add('padding', rest.length);
  return null;
}
