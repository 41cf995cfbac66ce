/** The fields `data` of a server-sent event → its data: https://html.spec.whatwg.org/multipage/server-sent-events.html */
import { type Decode, limitFailure } from './codec.ts';

/** The id of the step. */
export const EVENT_DATA = 'event-data';

const [LF, CR, SPACE, COLON] = [0x0a, 0x0d, 0x20, 0x3a];
const NAME = [0x64, 0x61, 0x74, 0x61];

/** Where the value of the field `data` begins that the line [start, end) is; null: it is another line. */
export function eventValue(bytes: Uint8Array, start: number, end: number): number | null {
  const colon = start + NAME.length;
  if (colon > end || NAME.some((char, i) => bytes[start + i] !== char)) return null;
  if (colon === end) return end;
  if (bytes[colon] !== COLON) return null;
  return bytes[colon + 1] === SPACE && colon + 1 < end ? colon + 2 : colon + 1;
}

/** The lines of an event from the value of the first field `data` on → the values of all, with a line feed between two. */
export const decodeEventData: Decode = (bytes, limit) => {
  const plain = new Uint8Array(bytes.length);
  let size = 0;
  for (let line = 0; line < bytes.length; ) {
    let stop = line;
    while (stop < bytes.length && bytes[stop] !== LF && bytes[stop] !== CR) stop++;
    const value = line === 0 ? 0 : eventValue(bytes, line, stop);
    if (value !== null) {
      if (line > 0) plain[size++] = LF;
      plain.set(bytes.subarray(value, stop), size);
      size += stop - value;
    }
    line = stop + 1;
  }
  return size > limit ? limitFailure(limit) : { ok: true, bytes: plain.subarray(0, size) };
};
