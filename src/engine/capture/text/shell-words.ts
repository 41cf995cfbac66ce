/**
 * A shell command line → its programs with their words, by the quoting rules of POSIX shells and bash's `$'…'`
 * (https://www.gnu.org/software/bash/manual/html_node/Quoting.html). A `^` at a line's end continues the line, as in
 * Windows' cmd.
 */
import { isSpace } from './ascii.ts';
import { escapeAt } from './escape-sequences.ts';

export interface ShellWord {
  readonly bytes: Uint8Array;
  /** The bytes as Latin-1, for comparisons with names of programs and options. */
  readonly text: string;
  /** captureOffsets. */
  readonly start: number;
  readonly end: number;
}

export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** The text of a here-string, `<<< WORD`. */
  readonly input: Uint8Array | undefined;
}

const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;
const SINGLE = 0x27;
const DOUBLE = 0x22;
const DOLLAR = 0x24;

/** Never throws. An unterminated quote ends with the input. */
export function shellCommands(input: Uint8Array): readonly ShellCommand[] {
  const commands: ShellCommand[] = [];
  let words: ShellWord[] = [];
  let given: Uint8Array | undefined;
  let hereString = false;
  const endCommand = () => {
    if (words.length > 0) commands.push({ words, input: given });
    words = [];
    given = undefined;
  };
  for (let at = 0; at < input.length; ) {
    const byte = input[at]!;
    const continues =
      (byte === BACKSLASH || byte === 0x5e) && /^\r?\n/.test(String.fromCharCode(input[at + 1]!, input[at + 2]!));
    if (continues) at += input[at + 1] === NEWLINE ? 2 : 3;
    else if (byte === 0x7c || byte === 0x3b || byte === 0x26 || byte === NEWLINE) {
      endCommand();
      at++;
    } else if (isSpace(byte)) at++;
    else if (byte === 0x3c && input[at + 1] === 0x3c && input[at + 2] === 0x3c) {
      hereString = true;
      at += 3;
    } else {
      const word = readWord(input, at);
      // A prompt before a command is not a program.
      if (hereString) given = Uint8Array.from([...word.bytes, NEWLINE]);
      else if (word.text !== '$' || words.length > 0) words.push(word);
      hereString = false;
      at = word.end;
    }
  }
  endCommand();
  return commands;
}

function readWord(input: Uint8Array, start: number): ShellWord {
  const out: number[] = [];
  let at = start;
  while (at < input.length) {
    const byte = input[at]!;
    if (byte === SINGLE || (byte === DOLLAR && input[at + 1] === SINGLE)) {
      const ansi = byte === DOLLAR;
      at += ansi ? 2 : 1;
      while (at < input.length && input[at] !== SINGLE) {
        const sequence = ansi && input[at] === BACKSLASH ? escapeAt(input, at, input.length) : undefined;
        if (sequence === undefined) out.push(input[at++]!);
        else {
          out.push(...sequence.bytes);
          at += sequence.length;
        }
      }
      at++;
    } else if (byte === DOUBLE) {
      for (at++; at < input.length && input[at] !== DOUBLE; at++) {
        const next = input[at + 1];
        const special = next === DOUBLE || next === BACKSLASH || next === DOLLAR || next === 0x60;
        if (input[at] === BACKSLASH && special) at++;
        out.push(input[at]!);
      }
      at++;
    } else if (byte === BACKSLASH) {
      if (at + 1 < input.length && input[at + 1] !== NEWLINE) out.push(input[at + 1]!);
      at += 2;
    } else if (isSpace(byte) || byte === 0x7c || byte === 0x3b || byte === 0x26) break;
    else {
      out.push(byte);
      at++;
    }
  }
  const bytes = Uint8Array.from(out);
  return {
    bytes,
    text: String.fromCharCode(...bytes.subarray(0, 512)),
    start,
    end: Math.min(Math.max(at, start + 1), input.length),
  };
}
