/**
 * A shell command that sends a body → the body that `curl` would send. Requests can then be pasted in the form that
 * browsers and documents show. No command is run.
 *
 *   curl --data-binary $'\n\u0003foo' https://…          echo CgNmb28= | base64 -d | curl --data-binary @- https://…
 */

import { latin1 } from '../../bytes/latin1.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { textKind, textStart } from './ascii.ts';
import { base64 } from './base64.ts';
import { escapeAt } from './escape-sequences.ts';
import { hex } from './hex.ts';
import { hexdump } from './hexdump.ts';
import { type ShellWord, shellCommands } from './shell-words.ts';
import type { DecodedText, Judgement, TextEncoding } from './text-encoding.ts';
import { TEXT_LABELS } from './text-labels.ts';

export const shellCommand: TextEncoding = { id: 'shell', label: TEXT_LABELS.shell, sniff, read };

/** Options of curl that contain the body. https://curl.se/docs/manpage.html */
const DATA = /^(?:-d|--data|--data-ascii|--data-binary|--data-raw|--json)(?:=|$)/;

function sniff(head: Uint8Array): Judgement {
  if (textKind(head) === 'none') return { score: 0, reason: 'not text' };
  const text = latin1(head.subarray(textStart(head), 8192));
  if (!/^(?:\$\s+)?(?:curl|echo|printf|base64|xxd)\s/.test(text)) return { score: 0, reason: 'no shell command' };
  if (/\bcurl\b[^|]*\s(?:-d|--data[\w-]*|--json)/s.test(text))
    return { score: 0.99, reason: 'a curl command with a body' };
  return /\|\s*(?:base64\s+(?:-[dD]|--decode)|xxd\s+-r)/.test(text)
    ? { score: 0.99, reason: 'a command that prints bytes' }
    : { score: 0, reason: 'a command without a body' };
}

function read(input: Uint8Array): DecodedText {
  const diagnostics: Diagnostic[] = [];
  const report = (code: string, message: string, word: ShellWord | undefined) => {
    const start = word?.start ?? 0;
    diagnostics.push({ code, severity: 'error', message, space: 'capture', start, end: word?.end ?? input.length });
  };
  let piped: Uint8Array = new Uint8Array();
  for (const { words, input: given } of shellCommands(input)) {
    const [program, ...args] = words;
    const stdin = given ?? piped;
    const name = program?.text.replace(/^.*\//, '');
    if (name === 'curl') return { bytes: curlBody(args, stdin, report), diagnostics };
    if (name === 'echo') piped = echoed(args);
    else if (name === 'printf') piped = withEscapes(args[0]?.bytes ?? new Uint8Array());
    else if (name === 'base64') piped = decoded(base64, stdin, program!, diagnostics);
    else if (name === 'xxd') {
      piped = decoded(args.some(({ text }) => /^-\w*p/.test(text)) ? hex : hexdump, stdin, program!, diagnostics);
    } else if (name !== undefined) {
      report('capture/shell-program', `The output of ${name} is not known here. Paste its bytes instead`, program);
    }
  }
  return { bytes: piped, diagnostics };
}

function curlBody(
  args: readonly ShellWord[],
  stdin: Uint8Array,
  report: (code: string, message: string, word: ShellWord) => void,
): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let n = 0; n < args.length; n++) {
    const word = args[n]!;
    if (!DATA.test(word.text)) continue;
    const inline = word.text.indexOf('=');
    const raw = word.text.startsWith('--data-raw');
    const value = inline > 0 ? word.bytes.subarray(inline + 1) : (args[++n]?.bytes ?? new Uint8Array());
    const text = latin1(value.subarray(0, 256));
    if (raw || !text.startsWith('@')) parts.push(value);
    else if (text === '@-') parts.push(stdin);
    else
      report(
        'capture/body-in-file',
        `The command takes its body from the file ${text.slice(1)}. Open that file instead`,
        word,
      );
  }
  const joined = new Uint8Array(
    Math.max(
      0,
      parts.reduce((sum, { length }) => sum + length + 1, -1),
    ),
  );
  let at = 0;
  for (const [n, part] of parts.entries()) {
    // curl joins two bodies with an ampersand.
    if (n > 0) joined[at++] = 0x26;
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** The output of `echo`, `echo -n`, `echo -e`: without -n, a newline follows. */
function echoed(args: readonly ShellWord[]): Uint8Array {
  const options = args.findIndex(({ text }) => !/^-[neE]+$/.test(text));
  const flags = args
    .slice(0, options)
    .map(({ text }) => text)
    .join('');
  const words = options < 0 ? [] : args.slice(options).map(({ bytes }) => bytes);
  const joined = [
    ...words.flatMap((bytes, n) => (n === 0 ? [...bytes] : [0x20, ...bytes])),
    ...(flags.includes('n') ? [] : [0x0a]),
  ];
  const bytes = Uint8Array.from(joined);
  return flags.includes('e') ? withEscapes(bytes) : bytes;
}

function withEscapes(bytes: Uint8Array): Uint8Array {
  const out: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const sequence = bytes[at] === 0x5c ? escapeAt(bytes, at, bytes.length) : undefined;
    if (sequence === undefined) out.push(bytes[at++]!);
    else {
      out.push(...sequence.bytes);
      at += sequence.length;
    }
  }
  return Uint8Array.from(out);
}

/** Decodes the text of a program. Diagnostics of the text's own offsets are moved to the program's place. */
function decoded(encoding: TextEncoding, text: Uint8Array, program: ShellWord, diagnostics: Diagnostic[]): Uint8Array {
  const result = encoding.read!(text);
  for (const diagnostic of result.diagnostics)
    diagnostics.push({ ...diagnostic, start: program.start, end: program.end });
  return result.bytes;
}
