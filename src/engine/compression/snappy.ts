/**
 * Snappy, both dresses. https://github.com/google/snappy, format_description.txt and framing_format.txt
 *
 *   block   varint plain length │ elements: tag, then a literal's bytes or a copy's offset
 *   framed  ff 06 00 00 "sNaPpY" │ chunks: kind, length as 3 bytes little-endian, (masked CRC-32C of the plain bytes, data)
 */
import { crc32c } from './checksums.ts';
import { type Decode, decodeFailure } from './codec.ts';
import { scratch } from './scratch.ts';

/** No element yields more than 64 bytes from 3. A preamble that claims more lies, and allocates nothing. */
const MOST_PLAIN_PER_BYTE = 22;
/** Up to this length a loop is quicker than a call. */
const SHORT = 32;

export const decodeSnappy: Decode = (bytes, limit) => {
  let size = 0;
  let at = 0;
  for (let scale = 1; ; scale *= 128) {
    const byte = bytes[at];
    if (byte === undefined) return decodeFailure('truncated', 'ends within the plain length');
    at++;
    size += (byte & 127) * scale;
    if (byte < 128) break;
    if (at === 5) return decodeFailure('malformed', 'the plain length takes more than five bytes');
  }
  if (size > limit) return decodeFailure('limit', `claims ${size} bytes, more than ${limit}`);
  if (size > bytes.length * MOST_PLAIN_PER_BYTE) {
    return decodeFailure('malformed', `claims ${size} bytes, more than ${bytes.length} can hold`);
  }
  // Copying by fours writes up to three bytes more.
  const plain = scratch(size + 3);
  const view = new DataView(plain.buffer);
  let written = 0;
  while (at < bytes.length) {
    const tag = bytes[at++]!;
    if ((tag & 3) === 0) {
      let length = (tag >> 2) + 1;
      if (length > 60) {
        const width = length - 60;
        if (at + width > bytes.length) return decodeFailure('truncated', 'ends within a literal length');
        length = littleEndian(bytes, at, width) + 1;
        at += width;
      }
      if (at + length > bytes.length) return decodeFailure('truncated', 'ends within a literal');
      if (written + length > size) return decodeFailure('malformed', 'more bytes than claimed');
      if (length > SHORT) plain.set(bytes.subarray(at, at + length), written);
      else for (let i = 0; i < length; i++) plain[written + i] = bytes[at + i]!;
      at += length;
      written += length;
      continue;
    }
    const kind = tag & 3;
    const width = kind === 3 ? 4 : kind;
    if (at + width > bytes.length) return decodeFailure('truncated', 'ends within a copy');
    const length = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
    let back = bytes[at]!;
    if (kind === 1) back |= (tag >> 5) << 8;
    else back |= bytes[at + 1]! << 8;
    if (kind === 3) back = littleEndian(bytes, at, 4);
    at += width;
    if (back === 0 || back > written) return decodeFailure('malformed', 'a copy reaches before the start');
    if (written + length > size) return decodeFailure('malformed', 'more bytes than claimed');
    const stop = written + length;
    if (back >= 4) {
      for (; written < stop; written += 4) view.setInt32(written, view.getInt32(written - back));
      written = stop;
    } else for (; written < stop; written++) plain[written] = plain[written - back]!;
  }
  return written === size
    ? { ok: true, bytes: plain.subarray(0, size) }
    : decodeFailure('truncated', `${written} of ${size} claimed bytes`);
};

export const decodeSnappyFramed: Decode = (bytes, limit) => {
  const parts: Uint8Array[] = [];
  let size = 0;
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
      kind === 1 ? { ok: true as const, bytes: data.subarray(4) } : decodeSnappy(data.subarray(4), limit - size);
    if (!plain.ok) return plain;
    const masked = littleEndian(data, 0, 4);
    const sum = crc32c(plain.bytes);
    if ((((sum >>> 15) | (sum << 17)) + 0xa282ead8) >>> 0 !== masked) {
      return decodeFailure('malformed', 'chunk checksum does not fit');
    }
    size += plain.bytes.length;
    if (size > limit) return decodeFailure('limit', `more than ${limit} bytes come out`);
    parts.push(plain.bytes.slice());
  }
  const whole = new Uint8Array(size);
  let written = 0;
  for (const part of parts) {
    whole.set(part, written);
    written += part.length;
  }
  return { ok: true, bytes: whole };
};

export const isSnappyFramed = (bytes: Uint8Array): boolean =>
  [0xff, 6, 0, 0, 0x73, 0x4e, 0x61, 0x50, 0x70, 0x59].every((byte, at) => bytes[at] === byte);

function littleEndian(bytes: Uint8Array, at: number, width: number): number {
  let value = 0;
  for (let i = width - 1; i >= 0; i--) value = value * 256 + bytes[at + i]!;
  return value;
}
