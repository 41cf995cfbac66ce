/**
 * DEFLATE: raw, in zlib (RFC 1950), in gzip (RFC 1952), and in OpenSearch's transport.
 *
 *   zlib  CMF FLG │ deflate │ Adler-32, big-endian
 *   gzip  1f 8b 08 FLG MTIME×4 XFL OS │ extra? name? comment? crc16? │ deflate │ CRC-32 and length, little-endian
 *   DFL   44 46 4c 00 │ deflate        gzip members may follow one another
 */

import { littleEndian, uint32be } from '../bytes/integers.ts';
import { joinBytes } from '../bytes/join.ts';
import { type Decode, type Decoded, decodeFailure } from './codec.ts';
import { inflateRaw } from './deflate.ts';
import { adler32, crc32 } from './kernel.ts';
import { isDfl, isGzip, isZlib } from './signatures.ts';

/**
 * A stream that is flushed and never finished is complete up to its last flush, which is an empty stored block that
 * ends at a byte boundary (RFC 1951 §3.2.4). It has no checksum that could be verified.
 */
function inflateFlushed(bytes: Uint8Array, limit: number): Decoded | null {
  const { length } = bytes;
  const marks = [0, 0, 0xff, 0xff];
  if (length < 5 || marks.some((mark, at) => bytes[length - 4 + at] !== mark)) return null;
  const finished = new Uint8Array(length + FINAL_BLOCK.length);
  finished.set(bytes);
  finished.set(FINAL_BLOCK, length);
  const plain = inflateRaw(finished, limit);
  return plain.ok && plain.consumed === finished.length ? plain : null;
}

/** An empty block with fixed codes. */
const FINAL_BLOCK = Uint8Array.of(3, 0);

const inflateBare: Decode = (bytes, limit) => {
  const plain = inflateRaw(bytes, limit);
  return plain.ok || plain.reason !== 'truncated' ? plain : (inflateFlushed(bytes, limit) ?? plain);
};

/** The coding `deflate` of HTTP and gRPC: zlib by the standard, but often raw DEFLATE in practice. */
export const decodeDeflate: Decode = (bytes, limit) => {
  if (!isZlib(bytes)) return inflateBare(bytes, limit);
  const plain = inflateRaw(bytes.subarray(2), limit);
  if (!plain.ok) return inflateBare(bytes.subarray(2), limit);
  const trailer = 2 + plain.consumed;
  if (trailer + 4 > bytes.length) return decodeFailure('truncated', 'ends within the zlib checksum');
  return uint32be(bytes, trailer) === adler32(plain.bytes)
    ? plain
    : decodeFailure('malformed', 'the zlib checksum does not fit');
};

/** gzip. Checksum and length of each member are verified; zeros may follow the last member. */
export const decodeGzip: Decode = (bytes, limit) => {
  const members: Uint8Array[] = [];
  let size = 0;
  let at = 0;
  do {
    const member = bytes.subarray(at);
    const start = gzipHeaderEnd(member);
    if (start < 0) return decodeFailure('malformed', 'no gzip header');
    if (start + 8 > member.length) return decodeFailure('truncated', 'ends within the gzip header or trailer');
    const plain = inflateRaw(member.subarray(start), limit - size);
    if (!plain.ok) return members.length === 0 ? inflateBare(member.subarray(start), limit) : plain;
    const trailer = start + plain.consumed;
    if (trailer + 8 > member.length) return decodeFailure('truncated', 'ends within the gzip trailer');
    const sound =
      littleEndian(member, trailer) === crc32(plain.bytes) &&
      littleEndian(member, trailer + 4) === plain.bytes.length % 2 ** 32;
    if (!sound) return decodeFailure('malformed', 'gzip checksum or length does not fit');
    at += trailer + 8;
    const isLast = bytes[at] === 0 ? bytes.subarray(at).every((byte) => byte === 0) : at === bytes.length;
    if (isLast && members.length === 0) return plain;
    members.push(plain.bytes.slice());
    size += plain.bytes.length;
    if (isLast) break;
  } while (at < bytes.length);
  return { ok: true, bytes: joinBytes(members) };
};

/** A compressed body of OpenSearch's transport. */
export const decodeDfl: Decode = (bytes, limit): Decoded =>
  isDfl(bytes) ? inflateBare(bytes.subarray(4), limit) : decodeFailure('malformed', 'no DFL marker');

/** Offset of the first deflate byte; −1: not gzip. An offset beyond the end: the header is cut. */
export function gzipHeaderEnd(bytes: Uint8Array): number {
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
