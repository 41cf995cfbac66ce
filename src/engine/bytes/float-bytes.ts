/** A floating-point value as protobuf writes it: little-endian, 8 bytes as `double`, 4 as any other type. */
export function floatBytes(value: number, type: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(type === 'double' ? 8 : 4);
  const view = new DataView(bytes.buffer);
  if (type === 'double') view.setFloat64(0, value, true);
  else view.setFloat32(0, value, true);
  return bytes;
}
