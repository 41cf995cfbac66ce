/** Compressed bytes → the plain bytes, and the bits that each of them costs. To add a format, add a row to READERS. */

import { decodeBrotli } from '../brotli.ts';
import { type Decode, type Decoded, decodeFailure, PLAIN_LIMIT } from '../codec.ts';
import { inflateRaw } from '../deflate.ts';
import type { FormatId } from '../formats.ts';
import { decodeDeflate, decodeDfl, decodeGzip } from '../inflate.ts';
import { bookLz4 } from '../lz4.ts';
import { isDfl, sniffCodec } from '../signatures.ts';
import { decodeSnappy, decodeSnappyFramed } from '../snappy.ts';
import { bookZstd } from '../zstd.ts';
import { BitBook, type BitFailure } from './book.ts';
import type { Container } from './container.ts';
import { walkDfl, walkGzip, walkRawDeflate, walkZlib } from './deflate-containers.ts';
import { type Books, booked, keepPlain, openBooks } from './kernel.ts';
import { walkSnappy, walkSnappyFramed } from './snappy-bits.ts';
import { NO_LENGTHS, type StreamTokens } from './tokens.ts';

/** Σ bits of the plain bytes + Σ container = 8 × compressed bytes. */
export interface StreamBits {
  readonly ok: true;
  readonly format: FormatId;
  readonly plain: Uint8Array;
  readonly compressedBytes: number;
  readonly tokens: StreamTokens;
  readonly container: Container;
}

type Booked = { readonly decoded: Decoded; readonly offset: number };
type Read = (bytes: Uint8Array, limit: number, book: BitBook) => Booked;

/** Reads a format whose decoder writes tokens. If decoding fails, the ordinary decoder gives the reason. */
const walked =
  (decode: Decode, walk: (bytes: Uint8Array, limit: number, books: Books) => BitFailure | null): Read =>
  (bytes, limit, book) => {
    const failure = walk(bytes, limit, openBooks(bytes, book));
    if (failure === null) return { decoded: { ok: true, bytes: booked.plain(0, book.tokens.end) }, offset: 0 };
    const decoded = decode(bytes, limit);
    return { decoded: decoded.ok ? failure : decoded, offset: failure.offset };
  };

/** Reads a format without tokens: the use of its bits is unknown, so all count as unexplained container bits. */
const totalOnly =
  (decode: Decode): Read =>
  (bytes, limit, book) => {
    const decoded = decode(bytes, limit);
    book.container.add('not_attributed', bytes.length * 8);
    if (decoded.ok && decoded.bytes.length > 0) {
      book.tokens.price(NO_LENGTHS);
      book.tokens.literals(decoded.bytes.length, 0);
    }
    return { decoded, offset: bytes.length };
  };

const READERS = {
  snappy: walked(decodeSnappy, walkSnappy),
  'snappy-framed': walked(decodeSnappyFramed, walkSnappyFramed),
  'lz4-block': (bytes, limit, book) => bookLz4(bytes, 'block', limit, openBooks(bytes, book)),
  'lz4-frame': (bytes, limit, book) => bookLz4(bytes, 'frame', limit, openBooks(bytes, book)),
  deflate: walked(inflateRaw, walkRawDeflate),
  zlib: walked(decodeDeflate, walkZlib),
  gzip: walked(decodeGzip, walkGzip),
  dfl: walked(decodeDfl, walkDfl),
  zstd: (bytes, limit, book) => bookZstd(bytes, limit, openBooks(bytes, book)),
  brotli: totalOnly(decodeBrotli),
} as const satisfies Record<FormatId, Read>;

export const BIT_FORMATS = Object.keys(READERS) as readonly FormatId[];

export const isBitFormat = (id: string): id is FormatId => Object.hasOwn(READERS, id);

/** @param limit maximum plain bytes */
export function readBits(bytes: Uint8Array, format: string, limit: number = PLAIN_LIMIT): StreamBits | BitFailure {
  if (!isBitFormat(format)) return { ...decodeFailure('missing', `no reader for the bits of ${format}`), offset: 0 };
  const book = new BitBook(bytes.length);
  const { decoded, offset } = READERS[format](bytes, limit, book);
  if (!decoded.ok) return { ...decoded, offset };
  const { tokens, container } = book;
  const plain = booked.holds(decoded.bytes) ? keepPlain(decoded.bytes) : decoded.bytes;
  return { ok: true, format, plain, compressedBytes: bytes.length, tokens, container };
}

/** The format by the first bytes; null: unknown, because raw blocks have no signature. */
export function sniffBitFormat(bytes: Uint8Array): FormatId | null {
  if (isDfl(bytes)) return 'dfl';
  const codec = sniffCodec(bytes);
  return codec === 'deflate' ? 'zlib' : codec;
}
