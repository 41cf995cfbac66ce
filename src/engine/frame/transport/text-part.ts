/** A text of JSON among others of a body, without the white space around it. */
import type { EnvelopePart } from './envelope-part.ts';

export const [LF, CR, SPACE, OPEN] = [0x0a, 0x0d, 0x20, 0x7b];

export const isLineEnd = (byte: number | undefined): boolean => byte === LF || byte === CR;

/** A byte order mark may be at the beginning of a body. */
export const isMark = (body: Uint8Array, at: number): boolean =>
  body[at] === 0xef && body[at + 1] === 0xbb && body[at + 2] === 0xbf;

/** The part with the text in [start, end), without the line ends after it. */
export function textPart(body: Uint8Array, from: number, to: number, next: number): EnvelopePart {
  const start = from + (isMark(body, from) ? 3 : 0);
  let end = Math.max(start, to);
  while (end > start && isLineEnd(body[end - 1])) end--;
  let first = start;
  while (first < end && (body[first] === SPACE || body[first] === 0x09 || isLineEnd(body[first]))) first++;
  const isMessage = body[first] === OPEN && first < end;
  return { start, end, next, isMessage, isOther: !isMessage && first < end, codec: null };
}
