/**
 * Dumps with an offset column → bytes: hexdump -C, xxd, od, tcpdump -X, gdb, the hex panes of packet tools.
 *
 *   00000000  0a 03 66 6f 6f 12 04 …  |..foo..|      offset, bytes, text between bars
 *   00000000: 0a03 666f 6f12 04…  ..foo..            colon; the text follows the first wide gap
 *   *                                                the previous line repeated, up to the next offset
 *   0000000 030a 6f66 …                              four digits without a colon: little-endian words
 *   0000000 001412 067546 …                          od’s octal words; its other cells are in dump-cells.ts
 *
 * The next line's offset shows how many bytes a line has, so a text column that looks like hex is not read as bytes.
 */

import { latin1 } from '../../bytes/latin1.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { textKind, textStart } from './ascii.ts';
import { CELLS, type Cells } from './dump-cells.ts';
import type { DecodedText, Judgement, TextEncoding } from './text-encoding.ts';
import { TEXT_LABELS } from './text-labels.ts';

/** Maximum bytes of a repeat mark, which could claim any number. */
const MAX_REPEATED = 64 << 20;
const MAX_DIAGNOSTICS = 20;

export const hexdump: TextEncoding = { id: 'hexdump', label: TEXT_LABELS.hexdump, sniff, read };

interface Line {
  /** captureOffset of the line. */
  readonly at: number;
  /** Digits of the offset column, as written. */
  readonly offset: string;
  readonly colon: boolean;
  /** Bytes of a word that is printed low byte first; 1: no such words. */
  readonly word: number;
  readonly bytes: readonly number[];
  /** captureOffset after the bytes that were read. */
  readonly end: number;
}

const OFFSET = /^[ \t]*(?:0x)?([0-9a-f]{3,16})(:?)(?=[ \t\r]|$)/i;

/** The header of a dump by PowerShell’s Format-Hex. */
const HEADER = /^\s*(?:Label:.*|Offset Bytes.*|-{4,}[- ]*|00 01 02 03 04 .*)\s*$/;
/** Number of bytes of the input that decide the form of the cells. */
const JUDGED = 8192;

function sniff(head: Uint8Array, size: number): Judgement {
  if (textKind(head) === 'none') return { score: 0, reason: 'not text' };
  const { score, reason } = chooseCells(head, size);
  return { score, reason };
}

/**
 * The cells whose number of bytes matches the offsets. Hex is tried first, because a text column that looks like hex
 * hides the number of bytes.
 */
function chooseCells(head: Uint8Array, size: number): Judgement & { readonly cells: Cells } {
  const judged = CELLS.map((cells) => ({ cells, ...judge(head, size, cells) }));
  return (
    judged.find(({ isExact }) => isExact) ?? judged.reduce((best, next) => (next.score > best.score ? next : best))
  );
}

function judge(head: Uint8Array, size: number, cells: Cells): Judgement & { readonly isExact: boolean } {
  const none = { score: 0, reason: 'no offset column', isExact: false };
  const lines: Line[] = [];
  let odd = 0;
  let repeats = false;
  let hasHeader = false;
  for (const { text, at, end } of textLines(head.subarray(0, JUDGED))) {
    if (text.trim() === '*' && lines.length === 1) repeats = true;
    if (text.trim() === '' || text.trim() === '*') continue;
    if (lines.length === 0 && HEADER.test(text)) {
      hasHeader = true;
      continue;
    }
    if (end === Math.min(JUDGED, head.length) && head.length < size && lines.length > 0) break;
    const line = parseLine(text, at, cells);
    if (line === undefined) odd++;
    else lines.push(line);
  }
  const [first, second] = lines;
  if (first === undefined || first.bytes.length === 0 || odd > lines.length) return none;
  if (second !== undefined) {
    if (radixOf(first, second) === undefined && !(repeats && offsetOf(second, 16) > offsetOf(first, 16))) return none;
    const reason = `an offset column that counts the bytes, ${cells.label}`;
    return { score: odd === 0 ? 0.99 : 0.7, reason, isExact: odd === 0 && exactRadix(first, second) !== undefined };
  }
  const text = latin1(head.subarray(first.at, head.length));
  const gutter = hasHeader || first.colon || text.includes('|') || /^\s*(0x)?0{4,}\s{2,}/.test(text);
  // In a single line, no next offset confirms the number of bytes. Only `xxd -b` confirms it with its text column.
  return gutter ? { score: 0.97, reason: 'one line of a dump', isExact: cells.label === 'binary' } : none;
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
  const { cells } = chooseCells(input.subarray(0, JUDGED), input.length);

  const flush = (next: Line | undefined) => {
    if (pending === undefined) return;
    if (radix === undefined && next !== undefined && repeat === undefined) radix = radixOf(pending, next);
    const span = next === undefined ? undefined : offsetOf(next, radix ?? 16) - offsetOf(pending, radix ?? 16);
    let bytes = swapWords(pending.bytes, pending.word);
    if (pending.word > 1 && !swapped) {
      swapped = true;
      report(
        'capture/little-endian-words',
        'info',
        `Words of ${pending.word} bytes are read low byte first, as hexdump, od and gdb print them on most machines`,
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
    if (pending === undefined && HEADER.test(text)) continue;
    const line = parseLine(text, at, cells);
    if (line === undefined) {
      report('capture/odd-character', 'error', `An offset and ${cells.label} expected at character ${at}`, at, end);
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

function parseLine(text: string, at: number, { read }: Cells): Line | undefined {
  const match = OFFSET.exec(text);
  if (match === null) return undefined;
  const [column, offset, colonMark] = match as unknown as [string, string, string];
  const colon = colonMark === ':';
  const cells = read(text, column.length, colon);
  return cells && { at, offset, colon, word: cells.word, bytes: cells.bytes, end: at + cells.end };
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

/** Bases in which the next line's offset may count the bytes of the first line: 16, or od's 8 or 10. */
const RADIXES = [16, 8, 10] as const;

/** The last word of a dump may be padded with zeros. */
const exactRadix = (first: Line, second: Line): number | undefined =>
  RADIXES.find((radix) => {
    const filled = first.bytes.length - (offsetOf(second, radix) - offsetOf(first, radix));
    return filled >= 0 && filled < first.word;
  });

/** A few more bytes than the offsets count are a text column that looks like hex. */
const radixOf = (first: Line, second: Line): number | undefined =>
  exactRadix(first, second) ??
  RADIXES.find((radix) => {
    const span = offsetOf(second, radix) - offsetOf(first, radix);
    return span > 0 && span <= first.bytes.length && first.bytes.length - span <= 16;
  });

/** The last word may be padded with zeros; the closing offset shows the real end. */
const swapWords = (bytes: readonly number[], word: number): number[] =>
  bytes.map((_, n) => bytes[n - (n % word) + word - 1 - (n % word)]!);
