/**
 * A zip archive's files. Each is unpacked on demand and only up to a limit, independent of the size in the archive.
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 *
 *   end        50 4b 05 06 │ disk×2 first×2 │ entries here×2 entries×2 │ directory: size×4 offset×4 │ comment length×2
 *   directory  50 4b 01 02 │ … flags @8 method @10 … crc @16 packed×4 @20 plain×4 @24 │ name×2 @28 extra×2 comment×2 │ … offset×4 @42 │ name
 *   zip64      an extra field 01 00 │ size×2 │ those of plain×8 packed×8 offset×8 that are ff ff ff ff in the directory
 *   local      50 4b 03 04 │ … name×2 @26 extra×2 @28 │ name, extra, then the packed bytes
 */

import { littleEndian } from '../../bytes/integers.ts';
import { SLICE, type Slices } from '../codec.ts';
import { inflateRaw, inflateSlices } from '../deflate.ts';
import { decoders, ownKernel } from '../kernel.ts';
import { safePath } from './safe-path.ts';

export interface ZipEntry {
  /** A relative path with slashes, inside the archive. */
  readonly path: string;
  /** The result is a failure if the file cannot be unpacked; its detail is the reason. */
  readonly unpack: (limit: number) => Slices<Unpacked>;
}

export type Unpacked =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly reason: 'limit' | 'malformed'; readonly detail: string };

const END = 0x06054b50;
const DIRECTORY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_SIZE = 22;
const DIRECTORY_SIZE = 46;
const LOCAL_SIZE = 30;
const LONGEST_COMMENT = 65_535;
const ZIP64 = 1;
/** The value is in the field of ZIP64: .NET writes all sizes and offsets so. */
const ELSEWHERE = 0xffffffff;

const fail = (detail: string): Unpacked => ({ ok: false, reason: 'malformed', detail });

/** @returns undefined: there is no directory, because the archive is cut off or is not an archive */
export function zipEntries(bytes: Uint8Array): readonly ZipEntry[] | undefined {
  const end = endRecord(bytes);
  if (end < 0) return undefined;
  const entries: ZipEntry[] = [];
  let at = littleEndian(bytes, end + 16);
  // The count in the end record is at most 65,535.
  while (at + DIRECTORY_SIZE <= bytes.length && littleEndian(bytes, at) === DIRECTORY) {
    const nameLength = littleEndian(bytes, at + 28, 2);
    const nameStart = at + DIRECTORY_SIZE;
    const path = safePath(new TextDecoder().decode(bytes.subarray(nameStart, nameStart + nameLength)));
    const extraStart = nameStart + nameLength;
    const extraEnd = extraStart + littleEndian(bytes, at + 30, 2);
    const entry = {
      flags: littleEndian(bytes, at + 8, 2),
      method: littleEndian(bytes, at + 10, 2),
      checksum: littleEndian(bytes, at + 16),
      ...places(bytes, at, extraStart, Math.min(extraEnd, bytes.length)),
    };
    if (path !== undefined) entries.push({ path, unpack: (limit) => unpack(bytes, entry, limit) });
    at = extraEnd + littleEndian(bytes, at + 32, 2);
  }
  return entries;
}

/** The packed size and the offset of the entry at `at`. */
function places(bytes: Uint8Array, at: number, start: number, end: number): Pick<Packed, 'packed' | 'offset'> {
  let next = zip64At(bytes, start, end);
  const valueAt = (place: number): number => {
    const value = littleEndian(bytes, place);
    if (value !== ELSEWHERE || next + 8 > end) return value;
    next += 8;
    return littleEndian(bytes, next - 8, 6);
  };
  // The plain size comes first, and is not needed.
  valueAt(at + 24);
  return { packed: valueAt(at + 20), offset: valueAt(at + 42) };
}

/** Where the values of the field of ZIP64 begin; `end`: there is no such field. */
function zip64At(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at + 4 <= end; at += 4 + littleEndian(bytes, at + 2, 2))
    if (littleEndian(bytes, at, 2) === ZIP64) return at + 4;
  return end;
}

function endRecord(bytes: Uint8Array): number {
  const first = Math.max(0, bytes.length - END_SIZE - LONGEST_COMMENT);
  for (let at = bytes.length - END_SIZE; at >= first; at--) {
    if (
      bytes[at] === 0x50 &&
      littleEndian(bytes, at) === END &&
      at + END_SIZE + littleEndian(bytes, at + 20, 2) === bytes.length
    )
      return at;
  }
  return -1;
}

interface Packed {
  readonly flags: number;
  readonly method: number;
  readonly checksum: number;
  readonly packed: number;
  readonly offset: number;
}

function* unpack(
  bytes: Uint8Array,
  { flags, method, checksum, packed, offset }: Packed,
  limit: number,
): Slices<Unpacked> {
  if ((flags & 1) !== 0) return fail('it is encrypted');
  if (offset + LOCAL_SIZE > bytes.length || littleEndian(bytes, offset) !== LOCAL)
    return fail('its place in the archive is wrong');
  const start = offset + LOCAL_SIZE + littleEndian(bytes, offset + 26, 2) + littleEndian(bytes, offset + 28, 2);
  if (start + packed > bytes.length) return fail('the archive ends before it does');
  const body = bytes.subarray(start, start + packed);
  let plain: Uint8Array;
  let kernel = decoders;
  if (method === 0) {
    if (packed > limit) return { ok: false, reason: 'limit', detail: 'it is too large' };
    plain = body;
  } else if (method === 8) {
    const small = inflateRaw(body, Math.min(limit, SLICE));
    const isLarge = !small.ok && small.reason === 'limit' && limit > SLICE;
    if (isLarge) kernel = ownKernel();
    const begun = isLarge ? inflateSlices(body, limit, kernel) : small;
    const inflated = 'ok' in begun ? begun : yield* begun;
    if (!inflated.ok) {
      return { ok: false, reason: inflated.reason === 'limit' ? 'limit' : 'malformed', detail: inflated.detail };
    }
    plain = inflated.bytes;
  } else return fail(`it is packed by method ${method}, which is not read here`);
  return kernel.sum('crc32', plain) === checksum
    ? { ok: true, bytes: plain.slice() }
    : fail('its checksum does not fit');
}
