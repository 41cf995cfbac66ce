/** CRC-32 (RFC 1952) and CRC-32C (RFC 3720, B.4), table-driven, reflected. */

function table(polynomial: number): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
    return crc;
  });
}

const IEEE = table(0xedb88320);
const CASTAGNOLI = table(0x82f63b78);

export const crc32 = (bytes: Uint8Array): number => checksum(IEEE, bytes);
export const crc32c = (bytes: Uint8Array): number => checksum(CASTAGNOLI, bytes);

function checksum(rows: Uint32Array, bytes: Uint8Array): number {
  let crc = -1;
  for (let at = 0; at < bytes.length; at++) crc = (crc >>> 8) ^ rows[(crc ^ bytes[at]!) & 255]!;
  return ~crc >>> 0;
}
