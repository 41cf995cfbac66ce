/**
 * A body without a declared type, or declared as plain bytes → whether it is a message. The contents decide: records
 * must tile the body and look like an encoder's output, and the body must not be text. A picture, a page or a word is
 * not a message.
 */
import { isText } from '../../bytes/text-byte.ts';
import { textStart } from '../../capture/text/ascii.ts';
import type { PayloadFormat } from '../../model/payload-format.ts';
import { isFiller, looksLikeMessage } from '../plausible-message.ts';

/** Shorter bodies may repeat a byte by chance. */
const MIN_FILLER = 16;

const isLongFiller = (bytes: Uint8Array): boolean => bytes.length >= MIN_FILLER && isFiller(bytes);

const [LINE_END, OPEN, CLOSE] = [0x0a, 0x7b, 0x7d];

/**
 * The ends of the lines of a body in JSON, each an object, as servers send events: `{…}` LF `{…}` LF. An object that is
 * spread over lines is not whole in the first one. null: it is one object.
 */
export function jsonLines(bytes: Uint8Array): readonly number[] | null {
  const ends: number[] = [];
  for (let at = 0; at < bytes.length; at = ends.at(-1)!) {
    const next = bytes.indexOf(LINE_END, at);
    const end = next < 0 ? bytes.length : next + 1;
    const last = bytes[next < 0 ? end - 1 : bytes[next - 1] === 0x0d ? next - 2 : next - 1];
    if (bytes[at] !== OPEN || (last !== CLOSE && next >= 0)) return null;
    ends.push(end);
  }
  return ends.length > 1 && isJson(bytes.subarray(0, ends[0])) ? ends : null;
}

/** Whether all bytes are one text of JSON, an object or a list. As protobuf, it would begin with a group of field 15 or 11. */
export function isJson(bytes: Uint8Array): boolean {
  if (bytes[0] !== 0x7b && bytes[0] !== 0x5b) return false;
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

/** @param bytes decoded */
export function isMessageByContents(bytes: Uint8Array, format: PayloadFormat | undefined): boolean {
  // Only objects are messages.
  if (format !== undefined) return bytes[textStart(bytes)] === 0x7b;
  // A message may begin with a line feed, which is the tag of field 1, and continue with text.
  const mayBeMessage = bytes.length === 0 || ((bytes[0]! < 0x20 || !isText(bytes)) && !isLongFiller(bytes));
  return mayBeMessage && looksLikeMessage(bytes, 0, bytes.length, new Map());
}
