/** Bytes as text, one character a byte: for protocol headers and names. */

/** Maximum number of arguments in one call. Engines accept tens of thousands. */
const RUN = 4096;
/** From this length on, a decoder is faster for ASCII. */
const LONG = 16;
const ascii = new TextDecoder();

/** One character a byte, so an index in the text is an offset in the bytes. */
export function latin1(bytes: Uint8Array, start = 0, end = bytes.length): string {
  let text = '';
  if (end - start < LONG) {
    for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at]!);
    return text;
  }
  let plain = start;
  while (plain < end && bytes[plain]! < 0x80) plain++;
  if (plain === end) return ascii.decode(bytes.subarray(start, end));
  for (let at = start; at < end; at += RUN) {
    text += String.fromCharCode.apply(null, bytes.subarray(at, Math.min(end, at + RUN)) as unknown as number[]);
  }
  return text;
}
