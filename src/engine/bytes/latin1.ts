/** Bytes as text, a character each: what protocol heads and names are made of. */

/** Arguments of one call: engines take tens of thousands. */
const RUN = 4096;

export function latin1(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; at += RUN) {
    text += String.fromCharCode.apply(null, bytes.subarray(at, Math.min(end, at + RUN)) as unknown as number[]);
  }
  return text;
}
