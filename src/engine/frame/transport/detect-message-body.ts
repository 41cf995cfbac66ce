/**
 * A body without a declared type, or declared as plain bytes → whether it is a message. The contents decide: records
 * must tile the body and look like an encoder's output, and the body must not be text. A picture, a page or a word is
 * not a message.
 */
import { isText } from '../../bytes/text-byte.ts';
import { varintEnd, varintNumber } from '../../bytes/varint.ts';
import { textStart } from '../../capture/text/ascii.ts';
import type { PayloadFormat } from '../../model/payload-format.ts';
import { isFiller, looksLikeMessage, plausibleMessage } from '../plausible-message.ts';

/** Shorter bodies may repeat a byte by chance. */
const MIN_FILLER = 16;

const isLongFiller = (bytes: Uint8Array): boolean => bytes.length >= MIN_FILLER && isFiller(bytes);

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
  return mayBeMessage && looksLikeMessage(bytes, 0, bytes.length, new Map()) && !areSized(bytes);
}

/**
 * Whether the bytes are messages after their sizes, each a varint, as Centrifugo sends them. Each looks at least as much
 * like a message as all bytes together do.
 */
function areSized(bytes: Uint8Array): boolean {
  const { quality } = plausibleMessage(bytes, 0, bytes.length);
  for (let at = 0, end: number; at < bytes.length; at = end) {
    const start = varintEnd(bytes, at, bytes.length);
    if (start < 0) return false;
    end = start + varintNumber(bytes, at, start);
    if (end > bytes.length) return false;
    const message = plausibleMessage(bytes, start, end);
    if (!message.whole || message.quality < quality) return false;
  }
  return bytes.length > 0;
}
