/** The contents of a JSON string: its end, and its decoded UTF-8. RFC 8259, section 7. */

export interface TextFault {
  readonly code: string;
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** Offset of the quote that ends the text; −1: it is not terminated. */
export function endOfText(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  return -1;
}

const SHORT: Readonly<Record<number, number>> = {
  34: 0x22,
  92: 0x5c,
  47: 0x2f,
  98: 8,
  102: 12,
  110: 10,
  114: 13,
  116: 9,
};

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * UTF-8 of the text in [start, end). Without escapes, the result is a view of `bytes`. Invalid bytes become U+FFFD, and
 * each is a fault.
 */
export function decodeEscapes(
  bytes: Uint8Array,
  start: number,
  end: number,
  report: (fault: TextFault) => void,
): Uint8Array {
  let isAscii = true;
  let isPlain = true;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte >= 0x80) isAscii = false;
    else if (byte === BACKSLASH) isPlain = false;
    else if (byte < 0x20) {
      const message = `A control character (U+${hex4(byte)}) stands in a text without an escape.`;
      report({ code: 'json/control-character', message, start: at, end: at + 1 });
    }
  }
  const sound = isAscii ? bytes.subarray(start, end) : soundUtf8(bytes, start, end, report);
  if (isPlain) return sound;
  // U+FFFD is longer than the byte that it replaces. Only valid text therefore keeps its offsets.
  const shift = sound.length === end - start ? start : -1;
  // U+FFFD is longer than an incomplete \u at the end.
  const out = new Uint8Array(sound.length + 1);
  let length = 0;
  for (let at = 0; at < sound.length; at++) {
    const byte = sound[at]!;
    if (byte !== BACKSLASH) {
      out[length++] = byte;
      continue;
    }
    const from = at;
    const next = sound[++at] ?? 0;
    const fault = (code: string, message: string): void => {
      const place = shift < 0 ? { start, end } : { start: shift + from, end: shift + Math.min(at + 1, sound.length) };
      report({ code, message, ...place });
    };
    if (next !== LETTER_U) {
      const plain = SHORT[next];
      if (plain === undefined) fault('json/escape', 'JSON has no such escape.');
      out[length++] = plain ?? next;
      continue;
    }
    let unit = unitAt(sound, at + 1);
    at = Math.min(at + 4, sound.length - 1);
    if (unit >= 0xd800 && unit < 0xdc00 && sound[at + 1] === BACKSLASH && sound[at + 2] === LETTER_U) {
      const low = unitAt(sound, at + 3);
      if (low >= 0xdc00 && low < 0xe000) {
        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        at += 6;
      }
    }
    if (unit < 0) fault('json/escape', 'Four hexadecimal digits should follow \\u.');
    else if (unit >= 0xd800 && unit < 0xe000) {
      fault('json/lone-surrogate', `U+${hex4(unit)} is half a character: no text holds it.`);
    }
    const isCharacter = unit >= 0 && !(unit >= 0xd800 && unit < 0xe000);
    const encoded = encoder.encode(String.fromCodePoint(isCharacter ? unit : 0xfffd));
    out.set(encoded, length);
    length += encoded.length;
  }
  return out.subarray(0, length);
}

function soundUtf8(bytes: Uint8Array, start: number, end: number, report: (fault: TextFault) => void): Uint8Array {
  const text = bytes.subarray(start, end);
  try {
    strict.decode(text);
    return text;
  } catch {
    report({ code: 'json/invalid-utf8', message: 'The text is not UTF-8.', start, end });
    return encoder.encode(lenient.decode(text));
  }
}

/** −1: not four hexadecimal digits. */
function unitAt(bytes: Uint8Array, at: number): number {
  let unit = 0;
  for (let digit = 0; digit < 4; digit++) {
    const value = hexDigit(bytes[at + digit] ?? 0);
    if (value < 0) return -1;
    unit = unit * 16 + value;
  }
  return unit;
}

/** −1: not a hexadecimal digit. */
export function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

const hex4 = (unit: number): string => unit.toString(16).toUpperCase().padStart(4, '0');
