/** Checksums of few bytes, or without the kernel: opening a link must not need WebAssembly. */

/** @param polynomial reflected */
function crcBy(polynomial: number): (bytes: Uint8Array) => number {
  const sums = Int32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
    return crc;
  });
  return (bytes) => {
    let crc = -1;
    for (const byte of bytes) crc = (crc >>> 8) ^ sums[(crc ^ byte) & 255]!;
    return ~crc >>> 0;
  };
}

/** RFC 1952. */
export const crc32 = /* @__PURE__ */ crcBy(0xedb88320);
/** Castagnoli's, RFC 3720. */
export const crc32c = /* @__PURE__ */ crcBy(0x82f63b78);

/** A CRC-32C as framed snappy and TFRecord write it. */
export const maskedSum = (crc: number): number => (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
