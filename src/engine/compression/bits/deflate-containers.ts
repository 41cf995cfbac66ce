/** The containers of DEFLATE (see ../inflate.ts) → the items of the container, and the tokens inside. */
import { gzipHeaderEnd, isDfl, isZlib } from '../inflate.ts';
import { type BitBook, type BitFailure, bitFailure } from './book.ts';
import type { ContainerItem } from './container.ts';
import { walkDeflate } from './deflate-bits.ts';

const GZIP_TRAILER = 8;
const ZLIB_HEADER = 2;
const ZLIB_TRAILER = 4;
const MARK_SIZE = 4;

/** Bare DEFLATE. Bytes behind the last block belong to nothing. */
export const walkRawDeflate = (bytes: Uint8Array, limit: number, book: BitBook): BitFailure | null =>
  walkBehind(bytes, 0, limit, book);

export function walkDfl(bytes: Uint8Array, limit: number, book: BitBook): BitFailure | null {
  if (!isDfl(bytes)) return bitFailure('malformed', 'no DFL marker', 0);
  book.container.add('mark', MARK_SIZE * 8);
  return walkBehind(bytes, MARK_SIZE, limit, book);
}

export function walkZlib(bytes: Uint8Array, limit: number, book: BitBook): BitFailure | null {
  if (!isZlib(bytes)) return bitFailure('malformed', 'no zlib header', 0);
  book.container.add('header', ZLIB_HEADER * 8);
  return walkBehind(bytes, ZLIB_HEADER, limit, book, ZLIB_TRAILER);
}

function walkBehind(bytes: Uint8Array, from: number, limit: number, book: BitBook, trailer = 0): BitFailure | null {
  const walked = walkDeflate(bytes, from, limit, book);
  if (!walked.ok) return walked;
  if (!walked.isFinished) return null;
  const end = walked.end + trailer;
  if (end > bytes.length) return bitFailure('truncated', 'ends within the checksum', walked.end);
  book.container.add('trailer', trailer * 8);
  book.container.add('trailing_bytes', (bytes.length - end) * 8);
  return null;
}

export function walkGzip(bytes: Uint8Array, limit: number, book: BitBook): BitFailure | null {
  const add = (item: ContainerItem, size: number) => book.container.add(item, size * 8);
  let at = 0;
  do {
    const start = gzipHeaderEnd(bytes.subarray(at));
    if (start < 0) return bitFailure('malformed', 'no gzip header', at);
    if (at + start + GZIP_TRAILER > bytes.length) {
      return bitFailure('truncated', 'ends within the gzip header or trailer', at);
    }
    add('header', start);
    const walked = walkDeflate(bytes, at + start, limit, book);
    if (!walked.ok) return walked;
    if (!walked.isFinished) return null;
    at = walked.end + GZIP_TRAILER;
    if (at > bytes.length) return bitFailure('truncated', 'ends within the gzip trailer', walked.end);
    add('trailer', GZIP_TRAILER);
  } while (at < bytes.length && bytes[at] !== 0);
  const rest = bytes.subarray(at);
  if (rest.some((byte) => byte !== 0)) return bitFailure('malformed', 'no gzip header', at);
  add('padding', rest.length);
  return null;
}
