/**
 * Characters that are impossible in a text encoding. Each gives a diagnostic with its captureOffset, up to a limit;
 * reading continues.
 */
import type { Diagnostic } from '../../model/diagnostic.ts';

/**
 * Maximum number of diagnostics. It is enough to see the problem, and a wrongly guessed text encoding does not produce
 * a million.
 */
const SHOWN = 20;

export interface OddCharacters {
  add(bytes: Uint8Array, offset: number, code: string, what: string): void;
  diagnostics(): readonly Diagnostic[];
}

export function oddCharacters(): OddCharacters {
  const shown: Diagnostic[] = [];
  let hidden = 0;
  let last: Diagnostic | undefined;
  return {
    add(bytes, offset, code, what) {
      const diagnostic: Diagnostic = {
        code,
        severity: 'error',
        message: `${what.replace('%', printable(bytes[offset]))} at character ${offset}`,
        space: 'capture',
        start: offset,
        end: Math.min(bytes.length, offset + 1),
      };
      if (shown.length < SHOWN) shown.push(diagnostic);
      else {
        hidden++;
        last = diagnostic;
      }
    },
    diagnostics() {
      if (last === undefined) return shown;
      return [...shown, { ...last, message: `${hidden} more faults of this kind, the last one here` }];
    },
  };
}

function printable(byte: number | undefined): string {
  if (byte === undefined) return 'the end';
  if (byte > 0x20 && byte < 0x7f) return `“${String.fromCharCode(byte)}”`;
  return `byte 0x${byte.toString(16).padStart(2, '0')}`;
}
