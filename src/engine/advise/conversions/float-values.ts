/** Floating-point values in the form of the tree: little-endian bytes. */
import type { FieldType } from '../../schema/descriptor.ts';

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export const floatOf = (bytes: Uint8Array, type: FieldType): number =>
  type === 'double' ? view(bytes).getFloat64(0, true) : view(bytes).getFloat32(0, true);

/** The value if it is a nonzero integer below 2⁵³ in magnitude; otherwise undefined. */
export const wholeOf = (value: number): number | undefined =>
  value !== 0 && Number.isSafeInteger(value) ? value : undefined;
