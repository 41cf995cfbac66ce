/** A pcap without one of its packets; its head has 24 bytes, that of a packet 16. */
export function withoutPacket(capture: Uint8Array<ArrayBuffer>, index: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(capture.buffer, capture.byteOffset);
  const after = (start: number): number => start + 16 + view.getUint32(start + 8, true);
  let start = 24;
  for (let packet = 0; packet < index; packet++) start = after(start);
  return Uint8Array.from([...capture.subarray(0, start), ...capture.subarray(after(start))]);
}
