/**
 * Detects output that a tool shortened: `... 50 more bytes`, `... 900 more items`, or `*` for lines that repeat, which
 * no offsets count. The omitted bytes are lost, and a diagnostic reports them.
 */

import { latin1 } from '../../bytes/latin1.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';

const ELIDED = /\.{3}\s*([\d,]+)?\s*(?:more (bytes?|items?))?/;
const REPEATED = /^[ \t]*\*[ \t]*$/m;

/** `start`: end of the printed bytes; equal to `end` if no bytes were omitted. */
interface Printed {
  readonly start: number;
  readonly diagnostics: readonly Diagnostic[];
}

export function elided(input: Uint8Array, from: number, end: number): Printed {
  const match = ELIDED.exec(latin1(input.subarray(from, end)));
  if (match === null) return { start: end, diagnostics: [] };
  const start = from + match.index;
  const count = match[1] === undefined ? 'The rest' : `${match[1]} more bytes`;
  const message = `${count} of the input ${match[1] === undefined ? 'was' : 'were'} not printed: the tool shortened its output at character ${start}. Print all bytes, as hex for example`;
  return { start, diagnostics: [shortened(message, start, end)] };
}

/** Lines of `od -A n` and the like: how many lines `*` stands for is unknown, so the bytes after it have no place. */
export function repeated(input: Uint8Array, from: number, end: number): Printed {
  const match = REPEATED.exec(latin1(input.subarray(from, end)).replaceAll('\r', ' '));
  if (match === null) return { start: end, diagnostics: [] };
  const start = from + match.index;
  const message = `Lines that repeat were not printed: “*” at character ${start} stands for them, and nothing after it is read. Print all lines (od -v, hexdump -v), or their offsets`;
  return { start, diagnostics: [shortened(message, start, end)] };
}

const shortened = (message: string, start: number, end: number): Diagnostic => ({
  code: 'capture/shortened',
  severity: 'error',
  message,
  space: 'capture',
  start,
  end,
});
