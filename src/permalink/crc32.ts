/** CRC-32 (RFC 1952), reflected, for the few bytes of a link. Opening a link must not need WebAssembly. */

const SUMS = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

export function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) crc = (crc >>> 8) ^ SUMS[(crc ^ byte) & 255]!;
  return ~crc >>> 0;
}
