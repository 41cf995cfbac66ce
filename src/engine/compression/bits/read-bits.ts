/** Compressed bytes → the plain ones, and what each of them costs. One more format is a row of READERS. */
import { decodeBrotli } from '../brotli.ts';
import type { Decode, Decoded } from '../codec.ts';
import { inflateRaw } from '../deflate.ts';
import type { FormatId } from '../formats.ts';
import { decodeDeflate, decodeDfl, decodeGzip, isDfl } from '../inflate.ts';
import { bookLz4 } from '../lz4.ts';
import { PLAIN_LIMIT, sniffCodec } from '../registry.ts';
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

/** The tokens are written while the stream is decoded. Where it fails, the decoder without books says why. */
const walked =
  (decode: Decode, walk: (bytes: Uint8Array, limit: number, books: Books) => BitFailure | null): Read =>
  (bytes, limit, book) => {
    const failure = walk(bytes, limit, openBooks(bytes, book));
    if (failure === null) return { decoded: { ok: true, bytes: booked.plain(0, book.tokens.end) }, offset: 0 };
    const decoded = decode(bytes, limit);
    return { decoded: decoded.ok ? failure : decoded, offset: failure.offset };
  };

/** The use of the bits is not known: they all count as the container's, as unexplained. */
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

/** @param limit most plain bytes that may come out */
export function readBits(bytes: Uint8Array, format: FormatId, limit: number = PLAIN_LIMIT): StreamBits | BitFailure {
  const book = new BitBook(bytes.length);
  const { decoded, offset } = READERS[format](bytes, limit, book);
  if (!decoded.ok) return { ...decoded, offset };
  const { tokens, container } = book;
  const plain = booked.holds(decoded.bytes) ? keepPlain(decoded.bytes) : decoded.bytes;
  return { ok: true, format, plain, compressedBytes: bytes.length, tokens, container };
}

/** By the first bytes; null where they say nothing: bare blocks have no mark. */
export function sniffBitFormat(bytes: Uint8Array): FormatId | null {
  if (isDfl(bytes)) return 'dfl';
  const codec = sniffCodec(bytes);
  return codec === 'deflate' ? 'zlib' : codec;
}
