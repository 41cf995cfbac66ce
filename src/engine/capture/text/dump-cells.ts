/**
 * The forms in which dumps print bytes after the offset. To add a form, add a row to this table.
 *
 *   od       001412 067546       octal words, low byte first             od -t u2, hexdump -d   2563 28518   decimal words
 *   od -b    012 003 146         od -t u1   10   3 102        od -c   \n 003   f        xxd -b   00001010 00000011
 */

export interface CellsRead {
  readonly bytes: readonly number[];
  /** Number of bytes in a word that is printed as one number, low byte first; 1: bytes are printed in order. */
  readonly word: number;
  /** Number of characters of the line up to the end of the cells. */
  readonly end: number;
  /** Number of bytes in the first group of hex; absent: no groups. */
  readonly group?: number;
}

export interface Cells {
  /** For the end of a sentence: `an offset column that counts the bytes, octal words`. */
  readonly label: string;
  /** The cells of a line from character `at` on; undefined: the line has no such cells. */
  readonly read: (line: string, at: number, colon: boolean) => CellsRead | undefined;
}

/** Maximum bytes in a line; no tool prints more. */
const MAX_BYTES = 64;

export const CELLS: readonly Cells[] = [
  { label: 'hex', read: hexCells },
  {
    label: 'octal words',
    read: (line, at) => every(line, at, /^[01][0-7]{5}$/, 2, (cell) => Number.parseInt(cell, 8)),
  },
  {
    label: 'octal bytes',
    read: (line, at) => every(line, at, /^[0-3][0-7]{2}$/, 1, (cell) => Number.parseInt(cell, 8)),
  },
  { label: 'decimal words', read: (line, at) => every(line, at, /^(?:\d{5}|-?(?:0|[1-9]\d{0,4}))$/, 2, decimalOf(2)) },
  { label: 'decimal words of 4 bytes', read: (line, at) => every(line, at, /^-?(?:0|[1-9]\d{0,9})$/, 4, decimalOf(4)) },
  { label: 'decimal bytes', read: (line, at) => every(line, at, /^-?(?:0|[1-9]\d{0,2})$/, 1, decimalOf(1)) },
  { label: 'binary', read: binaryCells },
  { label: 'characters', read: characterCells },
];

function hexCells(line: string, at: number, colon: boolean): CellsRead | undefined {
  const bytes: number[] = [];
  let sizes = 0;
  let marked = true;
  let end = at;
  let gaps = 0;
  let group = 0;
  let isPart = false;
  /** The gap before the first group. */
  let margin = 0;
  let isEven = true;
  const groups = /([ \t]+)(0x)?([0-9a-f]+)(?=[ \t\r|]|$)/iy;
  groups.lastIndex = at;
  for (let found = groups.exec(line); found !== null && !isPart; found = groups.exec(line)) {
    const [, gap, mark, digits] = found as unknown as [string, string, string | undefined, string];
    // With a colon, the text column follows the first wide gap. Without a colon, one wide gap separates two halves of a
    // line.
    const wide = gap.length > 1 && bytes.length > 0;
    // `xxd -e` ends with a part of a word, right-aligned; the text behind it has a character for each byte.
    const beside = line.slice(groups.lastIndex).replace(/\r$/, '');
    const blank = beside.slice(0, Math.max(0, beside.length - bytes.length - digits.length / 2));
    isPart = wide && colon && gap.length === 1 + group * 2 - digits.length && /^ {2,}$/.test(blank);
    // `hexdump -x` has four blanks before each group, od with two types has two.
    isEven &&= bytes.length === 0 || (gap.length === margin && digits.length === group * 2);
    if (wide && !isPart && (colon || !isEven) && (colon || gap.length > 2 || ++gaps > 1)) break;
    // `xxd -g 3` prints groups of three bytes, and a colon. od's octal words also have six digits.
    if (digits.length % 2 === 1 || (digits.length === 6 && !colon) || bytes.length + digits.length / 2 > MAX_BYTES)
      break;
    if (bytes.length === 0) [group, margin] = [digits.length / 2, gap.length];
    sizes |= digits.length / 2;
    marked &&= mark !== undefined;
    for (let n = 0; n < digits.length; n += 2) bytes.push(Number.parseInt(digits.slice(n, n + 2), 16));
    end = groups.lastIndex;
  }
  // If digits are followed by something else, that is a fault, unless a text column can begin there.
  if (bytes.length === 0 && line.slice(end).trim() !== '') return undefined;
  // od -x and hexdump print no colon. gdb prints a colon, and 0x before each word.
  const isWord = (sizes === 2 || sizes === 4 || sizes === 8) && (!colon || marked);
  return { bytes, word: isWord ? sizes : 1, end, group };
}

/** Cells up to the end of the line, all in one form. `value` returns NaN for a number that does not fit a cell. */
function every(
  line: string,
  at: number,
  form: RegExp,
  word: 1 | 2 | 4,
  value: (cell: string) => number,
): CellsRead | undefined {
  const bytes: number[] = [];
  for (const cell of line.slice(at).split(/\s+/).filter(Boolean)) {
    const number = form.test(cell) ? value(cell) : Number.NaN;
    if (Number.isNaN(number) || bytes.length >= MAX_BYTES) return undefined;
    for (let n = word - 1; n >= 0; n--) bytes.push(Math.floor(number / 256 ** n) & 0xff);
  }
  return { bytes, word, end: line.trimEnd().length };
}

/** Reads a signed or unsigned number. */
const decimalOf =
  (bytes: number) =>
  (cell: string): number => {
    const value = Number(cell);
    return value >= -(2 ** (bytes * 8 - 1)) && value < 2 ** (bytes * 8) ? value : Number.NaN;
  };

/** `xxd -b`: the text column has one character for each byte, unlike that of `xxd -g 4`. */
function binaryCells(line: string, at: number): CellsRead | undefined {
  const cells = /^(?: [01]{8})+/.exec(line.slice(at))?.[0] ?? '';
  const bytes = cells
    .split(' ')
    .slice(1)
    .map((cell) => Number.parseInt(cell, 2));
  const text = /^\s{2,}(.*)$/.exec(line.slice(at + cells.length))?.[1] ?? '';
  return bytes.length === 0 || text.length > bytes.length ? undefined : { bytes, word: 1, end: at + cells.length };
}

const ESCAPES: Readonly<Record<string, number>> = {
  '\\0': 0,
  '\\a': 7,
  '\\b': 8,
  '\\t': 9,
  '\\n': 10,
  '\\v': 11,
  '\\f': 12,
  '\\r': 13,
};

/** `od -c`: each byte takes four columns, and the last of them is the character. */
function characterCells(line: string, at: number): CellsRead | undefined {
  const bytes: number[] = [];
  const cells = line.slice(at).replace(/\r$/, '');
  for (let from = 0; from < cells.length; from += 4) {
    const cell = cells.slice(from, from + 4).padEnd(4);
    const text = cell.trim();
    const byte =
      text === ''
        ? 0x20
        : (ESCAPES[text] ?? (/^[0-3][0-7]{2}$/.test(text) ? Number.parseInt(text, 8) : text.charCodeAt(0)));
    const isAligned = cell.startsWith(' ') && (text.length < 2 ? cell.startsWith('   ') : cell.trimEnd().length === 4);
    if (!isAligned || (text.length > 1 && byte === text.charCodeAt(0)) || bytes.length >= MAX_BYTES) return undefined;
    bytes.push(byte);
  }
  return { bytes, word: 1, end: at + cells.length };
}
