/**
 * Dumps with an offset column → bytes: hexdump -C, xxd, od -A x -t x1, tcpdump -X, the hex panes of packet tools.
 *
 *   00000000  0a 03 66 6f 6f 12 04 …  |..foo..|      offset, bytes, text between bars
 *   00000000: 0a03 666f 6f12 04…  ..foo..            colon; the text follows the first wide gap
 *   *                                                the line above again, up to the next offset
 *   0000000 030a 6f66 …                              four digits without a colon: little-endian words
 *
 * The next line's offset says how many bytes a line has; so a text column that looks like hex does no harm.
 */

import { latin1 } from '../../bytes/latin1.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { HEX_DIGIT, textKind, textStart } from './ascii.ts';
import type { DecodedText, Judgement, TextEncoding } from './text-encoding.ts';

/** A repeat mark can claim any number of bytes; more than this is refused. */
const MAX_REPEATED = 64 << 20;
const MAX_DIAGNOSTICS = 20;

export const hexdump: TextEncoding = { id: 'hexdump', label: 'Hex dump', sniff, read };

interface Line {
  /** captureOffset of the line. */
  readonly at: number;
  /** Digits of the offset column, as written. */
  readonly offset: string;
  readonly colon: boolean;
  readonly words: boolean;
  readonly bytes: readonly number[];
  /** captureOffset behind the bytes read. */
  readonly end: number;
}

const OFFSET = /^[ \t]*(?:0x)?([0-9a-f]{3,16})(:?)(?=[ \t\r]|$)/i;

function sniff(head: Uint8Array, size: number): Judgement {
  if (textKind(head) === 'none') return { score: 0, reason: 'not text' };
  const lines: Line[] = [];
  let odd = 0;
  let repeats = false;
  for (const { text, at, end } of textLines(head.subarray(0, 8192))) {
    if (text.trim() === '*' && lines.length === 1) repeats = true;
    if (text.trim() === '' || text.trim() === '*') continue;
    if (end === Math.min(8192, head.length) && head.length < size && lines.length > 0) break;
    const line = parseLine(text, at);
    if (line === undefined) odd++;
    else lines.push(line);
  }
  const first = lines[0];
  if (first === undefined || first.bytes.length === 0 || odd > lines.length)
    return { score: 0, reason: 'no offset column' };
  const second = lines[1];
  if (second !== undefined) {
    return radixOf(first, second) === undefined && !(repeats && offsetOf(second, 16) > offsetOf(first, 16))
      ? { score: 0, reason: 'no offset column' }
      : { score: odd === 0 ? 0.99 : 0.7, reason: 'an offset column that counts the bytes' };
  }
  const text = latin1(head.subarray(first.at, head.length));
  const gutter = first.colon || text.includes('|') || /^\s*(0x)?0{4,}\s{2,}/.test(text);
  return gutter ? { score: 0.97, reason: 'one line of a dump' } : { score: 0, reason: 'no offset column' };
}

function read(input: Uint8Array): DecodedText {
  const diagnostics: Diagnostic[] = [];
  const report = (
    code: string,
    severity: 'error' | 'warning' | 'info',
    message: string,
    start: number,
    end: number,
  ) => {
    if (diagnostics.length < MAX_DIAGNOSTICS)
      diagnostics.push({ code, severity, message, space: 'capture', start, end });
  };
  const parts: number[][] = [];
  let total = 0;
  let pending: Line | undefined;
  let repeat: number | undefined;
  let radix: number | undefined;
  let swapped = false;

  const flush = (next: Line | undefined) => {
    if (pending === undefined) return;
    if (radix === undefined && next !== undefined && repeat === undefined) radix = radixOf(pending, next);
    const span = next === undefined ? undefined : offsetOf(next, radix ?? 16) - offsetOf(pending, radix ?? 16);
    let bytes = pending.words ? swapWords(pending.bytes) : [...pending.bytes];
    if (pending.words && !swapped) {
      swapped = true;
      report(
        'capture/little-endian-words',
        'info',
        'Words of four digits without a colon are read low byte first, as hexdump and od -x print them',
        pending.at,
        pending.end,
      );
    }
    if (span !== undefined && repeat === undefined) {
      if (span >= 0 && span < bytes.length) bytes = bytes.slice(0, span);
      else if (span !== bytes.length) {
        report(
          'capture/offset-gap',
          'warning',
          `The line at character ${pending.at} holds ${bytes.length} bytes, but the next offset is ${span} further`,
          pending.at,
          pending.end,
        );
      }
    }
    parts.push(bytes);
    total += bytes.length;
    if (repeat !== undefined && span !== undefined) {
      const missing = span - bytes.length;
      if (missing < 0 || bytes.length === 0 || total + missing > MAX_REPEATED) {
        report(
          'capture/repeat',
          'error',
          `The repeat mark at character ${repeat} claims ${missing} bytes; they are left out`,
          repeat,
          repeat + 1,
        );
      } else {
        for (let left = missing; left > 0; left -= bytes.length)
          parts.push(left < bytes.length ? bytes.slice(0, left) : bytes);
        total += missing;
      }
    }
    repeat = undefined;
  };

  for (const { text, at, end } of textLines(input)) {
    if (text.trim() === '') continue;
    if (text.trim() === '*') {
      repeat = at;
      continue;
    }
    const line = parseLine(text, at);
    if (line === undefined) {
      report('capture/odd-character', 'error', `An offset and hex digits expected at character ${at}`, at, end);
      continue;
    }
    flush(line);
    pending = line;
  }
  if (repeat !== undefined && pending !== undefined) {
    report(
      'capture/repeat',
      'error',
      `The repeat mark at character ${repeat} has no offset after it`,
      repeat,
      repeat + 1,
    );
  }
  if (pending !== undefined && pending.bytes.length > 0) {
    repeat = undefined;
    flush(undefined);
  }
  const bytes = new Uint8Array(total);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { bytes, diagnostics };
}

function parseLine(text: string, at: number): Line | undefined {
  const match = OFFSET.exec(text);
  if (match === null) return undefined;
  const [column, offset, colonMark] = match as unknown as [string, string, string];
  const colon = colonMark === ':';
  const bytes: number[] = [];
  let words = !colon;
  let end = column.length;
  let gaps = 0;
  const groups = /([ \t]+)(?:0x)?([0-9a-f]+)(?=[ \t\r|]|$)/iy;
  groups.lastIndex = column.length;
  for (let group = groups.exec(text); group !== null; group = groups.exec(text)) {
    const [, gap, digits] = group as unknown as [string, string, string];
    // With a colon the text column follows the first wide gap; without, one wide gap parts two halves of a line.
    const wide = gap.length > 1 && bytes.length > 0;
    if (wide && (colon || gap.length > 2 || ++gaps > 1)) break;
    if (digits.length % 2 === 1 || bytes.length + digits.length / 2 > 64) break;
    if (digits.length !== 4) words = false;
    for (let n = 0; n < digits.length; n += 2) {
      bytes.push((HEX_DIGIT[digits.charCodeAt(n)]! << 4) | HEX_DIGIT[digits.charCodeAt(n + 1)]!);
    }
    end = groups.lastIndex;
  }
  const rest = text.slice(end).trim();
  // Digits that break off in something else are a fault, unless a text column can start here.
  if (bytes.length === 0 && rest !== '') return undefined;
  return { at, offset, colon, words: words && bytes.length > 0, bytes, end: at + end };
}

function* textLines(
  input: Uint8Array,
): Generator<{ readonly text: string; readonly at: number; readonly end: number }> {
  for (let at = textStart(input); at < input.length; ) {
    const newline = input.indexOf(0x0a, at);
    const end = newline < 0 ? input.length : newline;
    yield { text: latin1(input.subarray(at, Math.min(end, at + 1024))), at, end };
    at = end + 1;
  }
}

const offsetOf = (line: Line, radix: number): number => Number.parseInt(line.offset, radix);

/** The base in which the offset column counts the bytes of the first line: 16, or od's 8 or 10. */
function radixOf(first: Line, second: Line): number | undefined {
  const fits = (radix: number, exact: boolean) => {
    const span = offsetOf(second, radix) - offsetOf(first, radix);
    return exact
      ? span === first.bytes.length
      : span > 0 && span <= first.bytes.length && first.bytes.length - span <= 16;
  };
  return [16, 8, 10].find((radix) => fits(radix, true)) ?? [16, 8, 10].find((radix) => fits(radix, false));
}

/** An odd last byte is printed as a word with a zero high byte; the closing offset cuts it off. */
const swapWords = (bytes: readonly number[]): number[] => bytes.map((_, n) => bytes[n ^ 1]!);
