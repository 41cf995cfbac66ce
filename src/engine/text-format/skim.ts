/** Checks how far a text follows the grammar of protobuf's text format. It needs no schema. */
import {
  bracketEnd,
  CLOSE_LIST,
  COLON,
  COMMA,
  closeOf,
  fieldNumberEnd,
  isQuote,
  MINUS,
  numberEnd,
  OPEN_LIST,
  SEMICOLON,
  spaceEnd,
  textEnd,
  wordEnd,
} from './tokens.ts';

export interface SkimmedText {
  /** Number of fields whose name and separator were read, including nested fields. */
  readonly fields: number;
  /** Offset of the first byte that breaks the grammar; the length: there is no such byte. */
  readonly end: number;
}

/** @param isWhole false: the text continues after the bytes, which may end within a token */
export function skim(bytes: Uint8Array, isWhole: boolean): SkimmedText {
  const { length } = bytes;
  /** Closing bytes of the open messages and lists. */
  const open: number[] = [];
  let fields = 0;
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  /** Whether a value is expected, of the open list or of a field; otherwise a field is expected. */
  let wantsValue = false;
  for (;;) {
    at = spaceEnd(bytes, at, length);
    if (at >= length) {
      const isSound = !isWhole || (open.length === 0 && !wantsValue);
      return { fields, end: isSound ? length : length - 1 };
    }
    const fault: SkimmedText = { fields, end: at };
    const byte = bytes[at]!;
    if (!wantsValue) {
      if (open.length > 0 && byte === open.at(-1)) {
        open.pop();
        at++;
      } else {
        const name = nameEnd(bytes, at, length);
        if (name === at) return fault;
        if (name < 0) return cutOr(fault, bytes, isWhole);
        at = spaceEnd(bytes, name, length);
        if (at >= length) return { fields, end: isWhole ? length - 1 : length };
        const isMessage = closeOf(bytes[at]!) >= 0 || bytes[at] === OPEN_LIST;
        if (bytes[at] === COLON) at++;
        else if (!isMessage) return { fields, end: at };
        fields++;
        wantsValue = true;
        continue;
      }
    } else if (closeOf(byte) >= 0) {
      open.push(closeOf(byte));
      at++;
      wantsValue = false;
      continue;
    } else if (byte === OPEN_LIST && open.at(-1) !== CLOSE_LIST) {
      at = spaceEnd(bytes, at + 1, length);
      if (bytes[at] === CLOSE_LIST) at++;
      else {
        open.push(CLOSE_LIST);
        continue;
      }
    } else {
      const end = scalarEnd(bytes, at, length);
      if (end === at) return fault;
      if (end < 0) return cutOr(fault, bytes, isWhole);
      at = end;
    }
    // The end of a value.
    at = spaceEnd(bytes, at, length);
    wantsValue = open.at(-1) === CLOSE_LIST;
    if (wantsValue && bytes[at] === CLOSE_LIST) {
      open.pop();
      wantsValue = false;
      at = spaceEnd(bytes, at + 1, length);
    } else if (wantsValue && bytes[at] !== COMMA && at < length) return { fields, end: at };
    if (bytes[at] === COMMA || (!wantsValue && bytes[at] === SEMICOLON)) at++;
  }
}

/** If the bytes were cut, an unterminated token at the end is not a fault. */
const cutOr = (fault: SkimmedText, { length }: Uint8Array, isWhole: boolean): SkimmedText =>
  isWhole || length - fault.end > LONGEST_CUT ? fault : { fields: fault.fields, end: length };
const LONGEST_CUT = 1 << 16;

/** −1: the name is not terminated. */
function nameEnd(bytes: Uint8Array, at: number, end: number): number {
  if (bytes[at] === OPEN_LIST) return bracketEnd(bytes, at, end);
  const word = wordEnd(bytes, at, end);
  return word > at ? word : fieldNumberEnd(bytes, at, end);
}

/** −1: the scalar is not terminated. */
function scalarEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  if (isQuote(bytes[at]!)) {
    for (;;) {
      const close = textEnd(bytes, at + 1, end, bytes[at]!);
      if (close < 0) return -1;
      at = spaceEnd(bytes, close + 1, end);
      if (at >= end || !isQuote(bytes[at]!)) return close + 1;
    }
  }
  if (bytes[at] === MINUS) at = spaceEnd(bytes, at + 1, end);
  const number = numberEnd(bytes, at, end);
  if (number > at) return number;
  const word = wordEnd(bytes, at, end);
  return word > at ? word : from;
}
