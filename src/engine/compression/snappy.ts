/**
 * Snappy, block and framed. https://github.com/google/snappy, format_description.txt and framing_format.txt
 *
 *   block   varint plain length │ elements: tag, then a literal's bytes or a copy's offset
 *   framed  ff 06 00 00 "sNaPpY" │ chunks: kind, length as 3 bytes little-endian, (masked CRC-32C of the plain bytes, data)
 */

import { maskedSum } from '../bytes/crc32.ts';
import { littleEndian } from '../bytes/integers.ts';
import { joinBytes } from '../bytes/join.ts';
import { varintEnd, varintNumber } from '../bytes/varint.ts';
import { countText } from '../model/count-text.ts';
import { atOnce, type Decode, type DecodeFailure, decodeFailure, limitFailure, SLICE } from './codec.ts';
import * as Fault from './fault.ts';
import { type DecodeSlices, decoders, STEP } from './kernel.ts';
import { isSnappyFramed, MAX_SNAPPY_PER_BYTE } from './signatures.ts';

const FAULTS: Readonly<Record<number, DecodeFailure>> = {
  [Fault.LITERAL_LENGTH_CUT]: decodeFailure('truncated', 'ends within a literal length'),
  [Fault.LITERAL_CUT]: decodeFailure('truncated', 'ends within a literal'),
  [Fault.COPY_CUT]: decodeFailure('truncated', 'ends within a copy'),
  [Fault.COPY_BEFORE_START]: decodeFailure('malformed', 'a copy reaches before the start'),
  [Fault.MORE_THAN_CLAIMED]: decodeFailure('malformed', 'more bytes than claimed'),
  [Fault.NO_MEMORY]: decodeFailure('limit', 'its plain bytes do not fit into memory'),
};

const LENGTH_BYTES = 5;

export const snappySlices: DecodeSlices = function* (bytes, limit, kernel) {
  const at = varintEnd(bytes, 0, Math.min(bytes.length, LENGTH_BYTES));
  if (at < 0 && bytes.length < LENGTH_BYTES) return decodeFailure('truncated', 'ends within the plain length');
  if (at < 0) return decodeFailure('malformed', 'the plain length takes more than five bytes');
  const size = varintNumber(bytes, 0, at);
  if (size > limit) return decodeFailure('limit', `claims ${countText(size)} bytes, more than ${countText(limit)}`);
  // Nothing is allocated for a wrong size.
  if (size > bytes.length * MAX_SNAPPY_PER_BYTE) {
    return decodeFailure('malformed', `claims ${countText(size)} bytes, more than ${countText(bytes.length)} can hold`);
  }
  const end = kernel.place(bytes);
  const { exports, output } = kernel;
  let from = kernel.input + at;
  let written = 0;
  let due = SLICE;
  do {
    if (written >= due) {
      due = written + SLICE;
      yield;
    }
    written = exports.snappy(from, Math.min(end, from + STEP), end, output, written, size);
    if (written < 0) return FAULTS[written]!;
    from += exports.consumed.value;
  } while (from < end);
  return written === size
    ? { ok: true, bytes: kernel.plain(0, size) }
    : decodeFailure('truncated', `${written} of ${size} claimed bytes`);
};

export const decodeSnappy: Decode = (bytes, limit) => atOnce(snappySlices(bytes, limit, decoders));

export const snappyFramedSlices: DecodeSlices = function* (bytes, limit, kernel) {
  const parts: Uint8Array[] = [];
  let size = 0;
  let due = SLICE;
  let at = 0;
  while (at < bytes.length) {
    if (at + 4 > bytes.length) return decodeFailure('truncated', 'ends within a chunk header');
    const kind = bytes[at]!;
    const length = littleEndian(bytes, at + 1, 3);
    const data = bytes.subarray(at + 4, at + 4 + length);
    if (data.length < length) return decodeFailure('truncated', 'ends within a chunk');
    if (at === 0 && !isSnappyFramed(bytes)) return decodeFailure('malformed', 'no stream identifier');
    at += 4 + length;
    if (kind > 1) {
      if (kind < 0x80) return decodeFailure('malformed', `chunk of reserved kind ${kind}`);
      continue;
    }
    if (length < 4) return decodeFailure('malformed', 'chunk without a checksum');
    const plain =
      kind === 1
        ? { ok: true as const, bytes: data.subarray(4) }
        : yield* snappySlices(data.subarray(4), limit - size, kernel);
    if (!plain.ok) return plain;
    const masked = littleEndian(data, 0, 4);
    if (maskedSum(kernel.sum('crc32c', plain.bytes)) !== masked) {
      return decodeFailure('malformed', 'chunk checksum does not fit');
    }
    size += plain.bytes.length;
    if (size > limit) return limitFailure(limit);
    parts.push(plain.bytes.slice());
    if (size >= due) {
      due = size + SLICE;
      yield;
    }
  }
  return { ok: true, bytes: joinBytes(parts) };
};

export const decodeSnappyFramed: Decode = (bytes, limit) => atOnce(snappyFramedSlices(bytes, limit, decoders));
