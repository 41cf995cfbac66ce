/** The protobuf bytes of a floating-point value: little-endian, 8 bytes for `double`, 4 for any other type. */
export function floatBytes(value: number, type: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(type === 'double' ? 8 : 4);
  const view = new DataView(bytes.buffer);
  if (type === 'double') view.setFloat64(0, value, true);
  else view.setFloat32(0, value, true);
  return bytes;
}

const scratch = new Uint8Array(8);
const scratchView = new DataView(scratch.buffer);

/** The value at `at`, 8 bytes for `double`, 4 for any other type: one view for many values. */
export function floatAt(bytes: Uint8Array, at: number, type: string): number {
  const width = type === 'double' ? 8 : 4;
  for (let i = 0; i < width; i++) scratch[i] = bytes[at + i]!;
  return type === 'double' ? scratchView.getFloat64(0, true) : scratchView.getFloat32(0, true);
}

/** The inverse. @param bytes of the value, as the type has them */
export function floatOf(bytes: Uint8Array, type: string): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return type === 'double' ? view.getFloat64(0, true) : view.getFloat32(0, true);
}
