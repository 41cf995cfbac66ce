/** The protobuf bytes of a floating-point value: little-endian, 8 bytes for `double`, 4 for any other type. */
export function floatBytes(value: number, type: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(type === 'double' ? 8 : 4);
  const view = new DataView(bytes.buffer);
  if (type === 'double') view.setFloat64(0, value, true);
  else view.setFloat32(0, value, true);
  return bytes;
}

/** The inverse. @param bytes of the value, as the type has them */
export function floatOf(bytes: Uint8Array, type: string): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return type === 'double' ? view.getFloat64(0, true) : view.getFloat32(0, true);
}
