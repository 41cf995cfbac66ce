/** Writes what stands in front of each message of a sequence. `frame/framing/sizes.ts` reads it. */
import { setVarint, varintWidth } from './varint.ts';

/** A size, in gRPC after a flag. The ids are those of framings. */
export type Delimiter = 'varint' | 'be32' | 'le32' | 'be16' | 'le16' | 'grpc';

/** Bytes of a size, and of gRPC's flag. null: those of a varint. */
const WIDTHS: Readonly<Record<Delimiter, number | null>> = {
  varint: null,
  be32: 4,
  le32: 4,
  be16: 2,
  le16: 2,
  grpc: 5,
};

export const isDelimiter = (framing: string): framing is Delimiter => Object.hasOwn(WIDTHS, framing);

/** The delimiter of a message of `size` bytes. A size that is too large for its bytes loses the highest ones. */
export function delimiterOf(delimiter: Delimiter, size: number): Uint8Array {
  const bytes = new Uint8Array(WIDTHS[delimiter] ?? varintWidth(size, 0));
  const view = new DataView(bytes.buffer);
  if (delimiter === 'varint') setVarint(bytes, 0, size);
  else if (delimiter === 'be16' || delimiter === 'le16') view.setUint16(0, size, delimiter === 'le16');
  else view.setUint32(bytes.length - 4, size, delimiter === 'le32');
  return bytes;
}
