/**
 * DEFLATE: raw, in zlib (RFC 1950), in gzip (RFC 1952), and in OpenSearch's transport.
 *
 *   zlib  CMF FLG │ deflate │ Adler-32, big-endian
 *   gzip  1f 8b 08 FLG MTIME×4 XFL OS │ extra? name? comment? crc16? │ deflate │ CRC-32 and length, little-endian
 *   DFL   44 46 4c 00 │ deflate        gzip members may follow one another
 */

import { littleEndian, uint32be } from '../bytes/integers.ts';
import { joinBytes } from '../bytes/join.ts';
import { atOnce, type Decode, type Decoded, decodeFailure, SLICE, type Slices } from './codec.ts';
import { inflateSlices } from './deflate.ts';
import { type DecodeSlices, decoders, type PlainKernel } from './kernel.ts';
import { isDfl, isGzip, isZlib } from './signatures.ts';

/**
 * A stream that is flushed and never finished is complete up to its last flush, which is an empty stored block that
 * ends at a byte boundary (RFC 1951 §3.2.4). It has no checksum that could be verified.
 */
function* inflateFlushed(bytes: Uint8Array, limit: number, kernel: PlainKernel): Slices<Decoded | null> {
  const { length } = bytes;
  const marks = [0, 0, 0xff, 0xff];
  if (length < 5 || marks.some((mark, at) => bytes[length - 4 + at] !== mark)) return null;
  const finished = new Uint8Array(length + FINAL_BLOCK.length);
  finished.set(bytes);
  finished.set(FINAL_BLOCK, length);
  const begun = inflateSlices(finished, limit, kernel);
  const plain = 'ok' in begun ? begun : yield* begun;
  return plain.ok && plain.consumed === finished.length ? plain : null;
}

/** An empty block with fixed codes. */
const FINAL_BLOCK = Uint8Array.of(3, 0);

function* inflateBare(bytes: Uint8Array, limit: number, kernel: PlainKernel): Slices<Decoded> {
  const begun = inflateSlices(bytes, limit, kernel);
  const plain = 'ok' in begun ? begun : yield* begun;
  return plain.ok || plain.reason !== 'truncated' ? plain : ((yield* inflateFlushed(bytes, limit, kernel)) ?? plain);
}

/** A flag of zlib's header: the bytes before the stream are agreed upon, and only named. RFC 1950 §2.2 */
const PRESET_DICTIONARY = 0x20;
const NEEDS_DICTIONARY = decodeFailure('malformed', 'the zlib stream needs a dictionary');

/** The coding `deflate` of HTTP and gRPC: zlib by the standard, but often raw DEFLATE in practice. */
export const deflateSlices: DecodeSlices = function* (bytes, limit, kernel) {
  if (!isZlib(bytes)) return yield* inflateBare(bytes, limit, kernel);
  const begun = inflateSlices(bytes.subarray(2), limit, kernel);
  const plain = 'ok' in begun ? begun : yield* begun;
  if (!plain.ok) {
    const bare = yield* inflateBare(bytes.subarray(2), limit, kernel);
    return bare.ok || (bytes[1]! & PRESET_DICTIONARY) === 0 ? bare : NEEDS_DICTIONARY;
  }
  const trailer = 2 + plain.consumed;
  if (trailer + 4 > bytes.length) return decodeFailure('truncated', 'ends within the zlib checksum');
  return uint32be(bytes, trailer) === kernel.sum('adler32', plain.bytes)
    ? plain
    : decodeFailure('malformed', 'the zlib checksum does not fit');
};

/** gzip. Checksum and length of each member are verified; zeros may follow the last member. */
export const gzipSlices: DecodeSlices = function* (bytes, limit, kernel) {
  const members: Uint8Array[] = [];
  let size = 0;
  let pause = SLICE;
  let at = 0;
  do {
    const member = bytes.subarray(at);
    const start = gzipHeaderEnd(member);
    if (start < 0) return decodeFailure('malformed', 'no gzip header');
    if (start + 8 > member.length) return decodeFailure('truncated', 'ends within the gzip header or trailer');
    const begun = inflateSlices(member.subarray(start), limit - size, kernel);
    const plain = 'ok' in begun ? begun : yield* begun;
    if (!plain.ok) return members.length === 0 ? yield* inflateBare(member.subarray(start), limit, kernel) : plain;
    const trailer = start + plain.consumed;
    if (trailer + 8 > member.length) return decodeFailure('truncated', 'ends within the gzip trailer');
    const sound =
      littleEndian(member, trailer) === kernel.sum('crc32', plain.bytes) &&
      littleEndian(member, trailer + 4) === plain.bytes.length % 2 ** 32;
    if (!sound) return decodeFailure('malformed', 'gzip checksum or length does not fit');
    at += trailer + 8;
    const isLast = bytes[at] === 0 ? bytes.subarray(at).every((byte) => byte === 0) : at === bytes.length;
    if (isLast && members.length === 0) return plain;
    members.push(plain.bytes.slice());
    size += plain.bytes.length;
    if (size >= pause) {
      pause = size + SLICE;
      yield;
    }
    if (isLast) break;
  } while (at < bytes.length);
  return { ok: true, bytes: joinBytes(members) };
};

/** A compressed body of OpenSearch's transport. */
export const dflSlices: DecodeSlices = function* (bytes, limit, kernel) {
  return isDfl(bytes)
    ? yield* inflateBare(bytes.subarray(4), limit, kernel)
    : decodeFailure('malformed', 'no DFL marker');
};

export const decodeDeflate: Decode = (bytes, limit) => atOnce(deflateSlices(bytes, limit, decoders));
export const decodeGzip: Decode = (bytes, limit) => atOnce(gzipSlices(bytes, limit, decoders));
export const decodeDfl: Decode = (bytes, limit) => atOnce(dflSlices(bytes, limit, decoders));

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
