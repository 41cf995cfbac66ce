/**
 * Dumps with an offset column → bytes: hexdump -C, xxd, od, tcpdump -X, gdb, the hex panes of packet tools.
 *
 *   00000000  0a 03 66 6f 6f 12 04 …  |..foo..|      offset, bytes, text between bars
 *   00000000: 0a03 666f 6f12 04…  ..foo..            colon; the text follows the first wide gap
 *   *                                                the previous line repeated, up to the next offset
 *   0000000 030a 6f66 …                              four digits without a colon: little-endian words
 *   0000000 001412 067546 …                          od’s octal words; its other cells are in dump-cells.ts
 *           \n 003   f …                             the same bytes once more, by a second -t of od
 *   |00000000| 0a 03 66 …    |..foo..         |      Netty: bars around the offset, in a box of + and -
 *
 * Text above a dump, a mark of quotation and a line number in front are left out. Several dumps are read one after
 * another; dumps of packets become a capture. The next line's offset shows how many bytes a line has, so a text column
 * that looks like hex is not read as bytes.
 */

import { latin1 } from '../../bytes/latin1.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { textKind, textStart } from './ascii.ts';
import { CELLS, type Cells } from './dump-cells.ts';
import { pcapngOfDumps } from './packet-dumps.ts';
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
  /** Bytes of the first group of hex; 0: no groups. */
  readonly group: number;
  /** The rest of the line: a text column, if any. */
  readonly beside: string;
  /** captureOffset after the bytes that were read. */
  readonly end: number;
}

const OFFSET = /^[ \t]*\|?(?:0x)?([0-9a-f]{3,16})(:?)\|?(?=[ \t\r]|$)/i;

/** Netty’s box around a dump. */
const BOX = /^\s*(?:[+-]{18,}|\|(?: {2}[0-9a-f]){16} \|)\s*$/;
/** Before each line: nothing, marks of quotation, or a line number. */
const MARGINS = [/^/, /^(?:[ \t]*>)+/, /^[ \t]*\d+(?:[:|.]|(?=[ \t]))/] as const;

/** The header of a dump by PowerShell’s Format-Hex. */
const HEADER = /^\s*(?:Label:.*|Offset Bytes.*|-{4,}[- ]*|00 01 02 03 04 .*)\s*$/;
/** Number of bytes of the input that decide the form of the cells. */
const JUDGED = 8192;

function sniff(head: Uint8Array, size: number): Judgement {
  if (textKind(head) === 'none') return { score: 0, reason: 'not text' };
  const { score, reason } = chooseForm(head, size);
  return { score, reason };
}

interface Form {
  readonly cells: Cells;
  readonly margin: RegExp;
  /** Bytes of the words whose order the text column shows; 1: the bytes are in order; 0: it does not show it. */
  readonly shown: number;
}

/**
 * The form whose number of bytes matches the offsets. Hex is tried first, because a text column that looks like hex
 * hides the number of bytes.
 */
function chooseForm(head: Uint8Array, size: number): Judgement & Form {
  const judged = MARGINS.flatMap((margin) =>
    CELLS.map((cells) => ({ cells, margin, ...judge(head, size, { cells, margin }) })),
  );
  return (
    judged.find(({ isExact }) => isExact) ?? judged.reduce((best, next) => (next.score > best.score ? next : best))
  );
}

function judge(
  head: Uint8Array,
  size: number,
  form: Pick<Form, 'cells' | 'margin'>,
): Judgement & { readonly isExact: boolean; readonly shown: number } {
  const none = { score: 0, reason: 'no offset column', isExact: false, shown: 0 };
  const lines: Line[] = [];
  let odd = 0;
  /** Lines without cells since the last line: a heading, if a dump begins next. */
  let heading = 0;
  let headings = 0;
  let repeats = false;
  let hasHeader = false;
  let above = '';
  for (const { text, at, end } of textLines(head.subarray(0, JUDGED), form.margin)) {
    if (text.trim() === '*' && lines.length === 1) repeats = true;
    if (isBlank(text) || text.trim() === '*' || isAgain(text, above)) continue;
    if (lines.length === 0 && HEADER.test(text)) {
      hasHeader = true;
      continue;
    }
    if (end === Math.min(JUDGED, head.length) && head.length < size && lines.length > 0) break;
    const line = parseLine(text, at, form.cells);
    if (line === undefined) heading++;
    else {
      if (isStart(line)) headings += heading;
      else odd += heading;
      heading = 0;
      lines.push(line);
      above = text;
    }
  }
  odd += heading;
  if (lines.length === 0 || lines[0]!.bytes.length === 0 || odd + headings > lines.length) return none;
  const second = lines.findIndex((line, n) => n > 0 && !isStart(line));
  if (second > 0) {
    const [first, next] = [lines[second - 1]!, lines[second]!];
    if (radixOf(first, next) === undefined && !(repeats && offsetOf(next, 16) > offsetOf(first, 16))) return none;
    const reason = `an offset column that counts the bytes, ${form.cells.label}`;
    const isExact = odd === 0 && exactRadix(first, next) !== undefined;
    return { score: odd === 0 ? 0.99 : 0.7, reason, isExact, shown: shownOrder(lines) };
  }
  const [first] = lines as [Line];
  const text = latin1(head.subarray(first.at, head.length));
  const gutter = hasHeader || first.colon || text.includes('|') || /^\s*(0x)?0{4,}\s{2,}/.test(text);
  // In a single line, no next offset confirms the number of bytes. Only `xxd -b` confirms it with its text column.
  const isExact = form.cells.label === 'binary';
  return gutter ? { score: 0.97, reason: 'one line of a dump', isExact, shown: shownOrder(lines) } : none;
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
  const dumps: Uint8Array[] = [];
  let parts: number[][] = [];
  let total = 0;
  let pending: Line | undefined;
  let repeat: number | undefined;
  let radix: number | undefined;
  let swapped = false;
  /** Lines without cells: a heading, if a dump begins next. */
  let heading: { readonly at: number; readonly end: number }[] = [];
  let above = '';
  const { cells, margin, shown } = chooseForm(input.subarray(0, JUDGED), input.length);

  const flush = (next: Line | undefined) => {
    if (pending === undefined) return;
    if (radix === undefined && next !== undefined && repeat === undefined) radix = radixOf(pending, next);
    const span = next === undefined ? undefined : offsetOf(next, radix ?? 16) - offsetOf(pending, radix ?? 16);
    const word = shown || pending.word;
    let bytes = swapWords(pending.bytes, word);
    if (word > 1 && !swapped) {
      swapped = true;
      report(
        'capture/little-endian-words',
        'info',
        `Words of ${word} bytes are read low byte first, as ${shown > 1 ? 'the text beside them shows' : 'hexdump, od and gdb print them on most machines'}`,
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

  const close = () => {
    flush(undefined);
    dumps.push(joined(parts));
    parts = [];
    pending = undefined;
  };
  const reportHeading = () => {
    for (const { at, end } of heading)
      report('capture/odd-character', 'error', `An offset and ${cells.label} expected at character ${at}`, at, end);
    heading = [];
  };

  for (const { text, at, end } of textLines(input, margin)) {
    if (isBlank(text) || isAgain(text, above)) continue;
    if (text.trim() === '*') {
      repeat = at;
      continue;
    }
    if (pending === undefined && HEADER.test(text)) continue;
    const line = parseLine(text, at, cells);
    if (line === undefined) {
      heading.push({ at, end });
      continue;
    }
    if (!isStart(line)) reportHeading();
    else if (pending !== undefined && repeat === undefined) close();
    heading = [];
    flush(line);
    pending = line;
    above = text;
  }
  reportHeading();
  if (repeat !== undefined) {
    report(
      'capture/repeat',
      'error',
      `The repeat mark at character ${repeat} has no offset after it`,
      repeat,
      repeat + 1,
    );
    repeat = undefined;
  }
  close();
  const capture = pcapngOfDumps(dumps);
  if (capture !== null) return { bytes: capture, diagnostics };
  if (dumps.length > 1) {
    const message = `${dumps.length} dumps are read one after another as one input; for one of them, paste it alone`;
    report('capture/several-dumps', 'warning', message, 0, input.length);
  }
  return { bytes: joined(dumps), diagnostics };
}

function joined(parts: readonly ArrayLike<number>[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** `od -t x1 -t c`: below each line, about as wide and without an offset, its bytes in another form. */
const isAgain = (text: string, above: string): boolean =>
  Math.abs(text.length - above.length) < 4 && text.startsWith('      ') && /^[0-9a-f]{6}/.test(above);

/** See Form. */
function shownOrder(lines: readonly Line[]): number {
  const { group } = lines[0]!;
  if (group !== 2 && group !== 4 && group !== 8) return 0;
  const inOrder = (word: number) => lines.filter((line) => showsText(line, swapWords(line.bytes, word))).length;
  const [printed, swapped] = [inOrder(1), inOrder(group)];
  return swapped === printed ? 0 : swapped > printed ? group : 1;
}

/** Whether the text column has these bytes. */
function showsText({ beside }: Line, bytes: readonly number[]): boolean {
  const text = beside.replace(/^\s+[|>]?/, '');
  if (text === '') return false;
  return bytes.every((byte, n) => {
    const shown = text[n] ?? ' ';
    return byte >= 0x20 && byte < 0x7f ? shown === String.fromCharCode(byte) : byte > 0x7f || shown === '.';
  });
}

const isBlank = (text: string): boolean => text.trim() === '' || BOX.test(text);

function parseLine(text: string, at: number, { read }: Cells): Line | undefined {
  const match = OFFSET.exec(text);
  if (match === null) return undefined;
  const [column, offset, colonMark] = match as unknown as [string, string, string];
  const colon = colonMark === ':';
  const cells = read(text, column.length, colon);
  if (cells === undefined) return undefined;
  const { bytes, word, end, group = 0 } = cells;
  return { at, offset, colon, word, bytes, group, beside: text.slice(end), end: at + end };
}

function* textLines(
  input: Uint8Array,
  margin: RegExp,
): Generator<{ readonly text: string; readonly at: number; readonly end: number }> {
  for (let at = textStart(input); at < input.length; ) {
    const newline = input.indexOf(0x0a, at);
    const end = newline < 0 ? input.length : newline;
    const text = latin1(input.subarray(at, Math.min(end, at + 1024)));
    const from = margin.exec(text)?.[0].length ?? 0;
    yield { text: text.slice(from), at: at + from, end };
    at = end + 1;
  }
}

const offsetOf = (line: Line, radix: number): number => Number.parseInt(line.offset, radix);

/** A dump begins at this line. */
const isStart = (line: Line): boolean => /^0+$/.test(line.offset);

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

/** The last word may be padded with zeros; the closing offset shows the real end. Or it is a part of a word. */
const swapWords = (bytes: readonly number[], word: number): number[] =>
  bytes.map((_, n) => {
    const start = n - (n % word);
    return bytes[Math.min(start + word, bytes.length) - 1 - (n - start)]!;
  });
