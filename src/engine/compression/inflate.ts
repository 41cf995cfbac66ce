/**
 * DEFLATE (RFC 1951) bare, in its zlib (RFC 1950) and gzip (RFC 1952) dress, and as OpenSearch's transport wears it.
 *
 *   zlib  CMF FLG │ deflate │ Adler-32, big-endian
 *   gzip  1f 8b 08 FLG MTIME×4 XFL OS │ extra? name? comment? crc16? │ deflate │ CRC-32 and length, little-endian
 *   DFL   44 46 4c 00 │ deflate
 */
import { Inflate } from 'fflate';
import { crc32 } from './checksums.ts';
import { type Decode, decodeFailure } from './codec.ts';

/** A deflate byte yields at most 1,032 plain ones; so one step of this size stays below 17 MB whatever it holds. */
const STEP = 16 * 1024;

/** Bare DEFLATE. */
export const decodeRawDeflate: Decode = (bytes, limit) => {
  const parts: Uint8Array[] = [];
  let size = 0;
  const inflate = new Inflate((part) => {
    parts.push(part);
    size += part.length;
  });
  try {
    for (let at = 0; at < bytes.length || at === 0; at += STEP) {
      inflate.push(bytes.subarray(at, at + STEP), at + STEP >= bytes.length);
      if (size > limit) return decodeFailure('limit', `more than ${limit} bytes come out`);
    }
  } catch (error) {
    const text = error instanceof Error ? error.message : '';
    return text.includes('EOF')
      ? decodeFailure('truncated', 'the deflate stream does not end')
      : decodeFailure('malformed', 'not a deflate stream');
  }
  return { ok: true, bytes: parts.length === 1 ? parts[0]! : join(parts, size) };
};

/** HTTP's and gRPC's `deflate`: zlib by the book, bare DEFLATE by widespread habit. */
export const decodeDeflate: Decode = (bytes, limit) =>
  isZlib(bytes) ? decodeRawDeflate(bytes.subarray(2, -4), limit) : decodeRawDeflate(bytes, limit);

/** gzip of one member, with its checksum and length held against the plain bytes. */
export const decodeGzip: Decode = (bytes, limit) => {
  if (bytes.length < 18) return decodeFailure('truncated', 'shorter than a gzip header and trailer');
  const start = gzipHeaderEnd(bytes);
  if (start < 0) return decodeFailure('malformed', 'no gzip header');
  if (start > bytes.length - 8) return decodeFailure('truncated', 'ends within the gzip header');
  const plain = decodeRawDeflate(bytes.subarray(start, -8), limit);
  if (!plain.ok) return plain;
  const trailer = bytes.length - 8;
  const sound =
    uint32(bytes, trailer) === crc32(plain.bytes) && uint32(bytes, trailer + 4) === plain.bytes.length % 2 ** 32;
  return sound ? plain : decodeFailure('malformed', 'gzip checksum or length does not fit');
};

/** OpenSearch's compressed body. */
export const decodeDfl: Decode = (bytes, limit) =>
  isDfl(bytes) ? decodeRawDeflate(bytes.subarray(4), limit) : decodeFailure('malformed', 'no DFL marker');

export const isDfl = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x44 && bytes[1] === 0x46 && bytes[2] === 0x4c && bytes[3] === 0;

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;

const isZlib = (bytes: Uint8Array): boolean =>
  bytes.length > 6 && (bytes[0]! & 15) === 8 && (bytes[0]! * 256 + bytes[1]!) % 31 === 0;

/** Offset of the first deflate byte; −1: not gzip; beyond the end: cut. */
function gzipHeaderEnd(bytes: Uint8Array): number {
  if (!isGzip(bytes)) return -1;
  const flags = bytes[3]!;
  let at = 10;
  if (flags & 4) at += 2 + (bytes[at] ?? 0) + (bytes[at + 1] ?? 0) * 256;
  for (const bit of [8, 16]) {
    if (!(flags & bit)) continue;
    const end = bytes.indexOf(0, at);
    at = end < 0 ? bytes.length : end + 1;
  }
  return flags & 2 ? at + 2 : at;
}

const uint32 = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;

function join(parts: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
