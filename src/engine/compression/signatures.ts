/** The first bytes of compressed data → their format. Decoders load later (`load-decoders.ts`). */
import { varintEnd, varintNumber } from '../bytes/varint.ts';
import type { FormatId } from './formats.ts';
import { firstMagic } from './skippable.ts';

/** Little-endian: 28 b5 2f fd. RFC 8878 §3.1.1. */
export const ZSTD_MAGIC = 0xfd2fb528;
/** Little-endian: 04 22 4d 18, 02 21 4c 18. lz4_Frame_format.md. */
export const LZ4_MAGIC = 0x184d2204;
export const LZ4_LEGACY_MAGIC = 0x184c2102;

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;

export const isZlib = (bytes: Uint8Array): boolean =>
  bytes.length > 6 && (bytes[0]! & 15) === 8 && (bytes[0]! * 256 + bytes[1]!) % 31 === 0;

/** A compressed body of OpenSearch's transport. */
export const isDfl = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x44 && bytes[1] === 0x46 && bytes[2] === 0x4c && bytes[3] === 0;

export const isZstd = (bytes: Uint8Array): boolean => firstMagic(bytes) === ZSTD_MAGIC;

export const isLz4Frame = (bytes: Uint8Array): boolean => [LZ4_MAGIC, LZ4_LEGACY_MAGIC].includes(firstMagic(bytes));

export const isSnappyFramed = (bytes: Uint8Array): boolean =>
  [0xff, 6, 0, 0, 0x73, 0x4e, 0x61, 0x50, 0x70, 0x59].every((byte, at) => bytes[at] === byte);

export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && ((bytes[2] === 3 && bytes[3] === 4) || (bytes[2] === 5 && bytes[3] === 6));

/** Maximum size of snappy's output for an input: https://github.com/google/snappy, MaxCompressedLength. */
const mostSnappy = (plain: number): number => 32 + plain + plain / 6;
/** A snappy element yields at most 64 bytes from 3. */
export const MAX_SNAPPY_PER_BYTE = 22;
/** Shorter streams may decode by chance. */
const MIN_SNAPPY = 12;

/** A snappy block begins with the length of its plain bytes. */
export function maySnappy(head: Uint8Array, size: number): boolean {
  const end = varintEnd(head, 0, Math.min(head.length, 5));
  const plain = end < 0 ? 0 : varintNumber(head, 0, end);
  return (
    size >= MIN_SNAPPY &&
    plain > 0 &&
    plain < 2 ** 32 &&
    size <= mostSnappy(plain) &&
    plain <= size * MAX_SNAPPY_PER_BYTE
  );
}

/** Names the codec by the first bytes; null: no codec matches. */
export function sniffCodec(bytes: Uint8Array): FormatId | null {
  if (isGzip(bytes)) return 'gzip';
  if (isZstd(bytes)) return 'zstd';
  if (isLz4Frame(bytes)) return 'lz4-frame';
  if (isSnappyFramed(bytes)) return 'snappy-framed';
  return isZlib(bytes) ? 'deflate' : null;
}
