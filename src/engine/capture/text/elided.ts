/**
 * Detects output that a tool shortened: `... 50 more bytes`, `... 900 more items`. The omitted bytes are lost, and a
 * diagnostic reports them.
 */

import { latin1 } from '../../bytes/latin1.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';

const ELIDED = /\.{3}\s*([\d,]+)?\s*(?:more (bytes?|items?))?/;

/** `start`: end of the printed bytes; equal to `end` if no bytes were omitted. */
export function elided(
  input: Uint8Array,
  from: number,
  end: number,
): { readonly start: number; readonly diagnostics: readonly Diagnostic[] } {
  const match = ELIDED.exec(latin1(input.subarray(from, end)));
  if (match === null) return { start: end, diagnostics: [] };
  const start = from + match.index;
  const count = match[1] === undefined ? 'The rest' : `${match[1]} more bytes`;
  return {
    start,
    diagnostics: [
      {
        code: 'capture/shortened',
        severity: 'error',
        message: `${count} of the input ${match[1] === undefined ? 'was' : 'were'} not printed: the tool shortened its output at character ${start}. Print all bytes, as hex for example`,
        space: 'capture',
        start,
        end,
      },
    ],
  };
}
