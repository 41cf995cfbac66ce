/** CRC-32 (RFC 1952) and CRC-32C (RFC 3720, B.4), four bytes a step, reflected; Adler-32 (RFC 1950). */

/** Row `n` of 256: what a byte with n bytes behind it in the step does to the sum. */
function table(polynomial: number): Int32Array {
  const rows = new Int32Array(1024);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
    rows[byte] = crc;
  }
  for (let at = 256; at < 1024; at++) rows[at] = (rows[at - 256]! >>> 8) ^ rows[rows[at - 256]! & 255]!;
  return rows;
}

const IEEE = table(0xedb88320);
const CASTAGNOLI = table(0x82f63b78);

export const crc32 = (bytes: Uint8Array): number => checksum(IEEE, bytes);
export const crc32c = (bytes: Uint8Array): number => checksum(CASTAGNOLI, bytes);

function checksum(rows: Int32Array, bytes: Uint8Array): number {
  let crc = -1;
  let at = 0;
  for (const end = bytes.length - 3; at < end; at += 4) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc =
      rows[768 + (crc & 255)]! ^
      rows[512 + ((crc >>> 8) & 255)]! ^
      rows[256 + ((crc >>> 16) & 255)]! ^
      rows[crc >>> 24]!;
  }
  for (; at < bytes.length; at++) crc = (crc >>> 8) ^ rows[(crc ^ bytes[at]!) & 255]!;
  return ~crc >>> 0;
}

/** Most bytes whose sums stay below 2³² before they are reduced. */
const ADLER_RUN = 5552;

export function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (let at = 0; at < bytes.length; ) {
    for (const end = Math.min(bytes.length, at + ADLER_RUN); at < end; at++) {
      a += bytes[at]!;
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  return ((b << 16) | a) >>> 0;
}
