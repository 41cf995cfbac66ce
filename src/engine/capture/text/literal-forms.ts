/**
 * The forms in which programs print bytes: an opening, the bytes in a text encoding, a close. To add a form, add a row
 * to this table.
 *
 *   <Buffer 0a 03>   []byte{10, 3}   Uint8Array(2) [10, 3]   b'\n\x03'   Buffer.from('CgM=', 'base64')
 *   └ open ┘     └ close
 */
import { latin1 } from '../../bytes/latin1.ts';
import { textStart } from './ascii.ts';
import { blanked } from './comments.ts';

export interface LiteralForm {
  /** The tool that prints it, for the end of a sentence: `bytes as Node.js prints a Buffer`. */
  readonly tool: string;
  /** The text encoding of the part between opening and close. */
  readonly encoding: 'decimal' | 'hex' | 'escaped' | 'base64';
  /** Matches from the first character after white space, or after a declaration. */
  readonly open: RegExp;
  /** Ends the bytes; absent: the encoding finds the end by itself. */
  readonly close?: RegExp;
  /** Text beside each byte, such as a key or a cast. */
  readonly beside?: RegExp;
}

const QUOTE = `["'\`]`;

/** A declaration of what has the bytes, of any language: `let x: &[u8] =`, `private static final byte[] X =`. */
const DECLARED = /^[A-Za-z_$][\w$\s:;&*<>[\]]*=\s*/;

const FORMS: readonly LiteralForm[] = [
  { tool: 'a byte slice of Go', encoding: 'decimal', open: /^&?\[\d*\](?:byte|u?int8)\s*\{/, close: /\}/ },
  {
    tool: 'a typed array of JavaScript',
    encoding: 'decimal',
    open: /^(?:new\s+)?(?:Uint8|Uint8Clamped|Int8)Array\s*(?:\(\d+\)\s*)?(?:\(\s*)?\[/,
    close: /\]|,\s*buffer:/,
  },
  {
    tool: 'a Buffer of Node.js as JSON',
    encoding: 'decimal',
    open: /^\{\s*"type"\s*:\s*"Buffer"\s*,\s*"data"\s*:\s*\[/,
    close: /\]/,
  },
  {
    tool: 'a typed array of JavaScript as JSON',
    encoding: 'decimal',
    open: /^\{(?=\s*"0"\s*:\s*-?\d)/,
    close: /\}/,
    beside: /"\d+"\s*:/g,
  },
  { tool: 'bytes of PowerShell', encoding: 'decimal', open: /^(?:\[byte\[\]\]\s*)?@?\((?=\s*0x)/i, close: /\)/ },
  { tool: 'a Buffer made of numbers in Node.js', encoding: 'decimal', open: /^Buffer\.from\(\s*\[/, close: /\]/ },
  {
    tool: 'bytes made of numbers in Python',
    encoding: 'decimal',
    open: /^(?:(?:bytes|bytearray)\(|(?:array\.)?array\(\s*["'][bB]["'],)\s*[[(]/,
    close: /[\])]/,
  },
  { tool: 'an array of bytes in Rust', encoding: 'decimal', open: /^(?:&?vec!\s*|&)\[/, close: /\]/ },
  { tool: 'an array of bytes in Java or C#', encoding: 'decimal', open: /^new\s+s?byte\s*\[\d*\]\s*\{/, close: /\}/ },
  {
    tool: 'an array of bytes in Kotlin or Scala',
    encoding: 'decimal',
    open: /^(?:u?byteArrayOf|Array(?:\[Byte\])?)\((?!\d+\)\s*\[)/i,
    close: /\)(?!\s*-?\d)/,
    beside: /\.toU?Byte(?:\(\))?/g,
  },
  { tool: 'a binary of Erlang or Elixir', encoding: 'decimal', open: /^<</, close: />>/ },
  { tool: 'Data of Swift', encoding: 'decimal', open: /^Data\(\[/, close: /\]/ },
  { tool: 'a list of numbers in brackets', encoding: 'decimal', open: /^[[{]/, close: /[\]}]/ },
  { tool: 'a tuple of numbers', encoding: 'decimal', open: /^\((?=\s*\d{1,3}\s*,)/, close: /\)/ },
  { tool: 'a Buffer of Node.js', encoding: 'hex', open: /^<(?:Buffer|SlowBuffer)\s/, close: />/ },
  {
    tool: 'an ArrayBuffer of Node.js',
    encoding: 'hex',
    open: /^ArrayBuffer\s*\{\s*\[Uint8Contents\]:\s*</,
    close: />/,
  },
  // Adjacent literals are one.
  {
    tool: 'a hexadecimal literal of SQL',
    encoding: 'hex',
    open: /^[xX](?=')/,
    close: /(?<=[\da-fA-F])'(?!\s*')/,
  },
  { tool: 'a ByteString of Okio', encoding: 'hex', open: /^\[hex=(?=[\da-f]*\])/, close: /\]/ },
  {
    tool: 'a ByteString of kotlinx-io',
    encoding: 'hex',
    open: /^ByteString\(size=\d+ hex=(?=[\da-f]*\))/,
    close: /\)/,
  },
  { tool: 'hex in a call of Python', encoding: 'hex', open: /^(?:bytes|bytearray)\.fromhex\(/, close: /\)/ },
  {
    tool: 'hex in a call of Node.js',
    encoding: 'hex',
    open: new RegExp(`^Buffer\\.from\\((?=\\s*(${QUOTE})[\\da-fA-F\\s]*\\1\\s*,\\s*${QUOTE}hex)`),
    close: /,/,
  },
  { tool: 'hex in a call of PostgreSQL', encoding: 'hex', open: /^decode\((?=\s*'[^']*'\s*,\s*'hex')/i, close: /,/ },
  // It prints a longer one cut, with three full stops.
  {
    tool: 'a ByteString of Java',
    encoding: 'escaped',
    open: /^<ByteString@[\da-f]+ size=\d+ contents=(?="(?:[^"\\]|\\.)*">)(?!.*\.{3}">)/,
    close: />\s*$/,
  },
  { tool: 'a bytes literal of Python', encoding: 'escaped', open: /^(?:[bB][rR]?|[rR][bB])(?=["'])/ },
  {
    tool: 'a string literal with escapes',
    encoding: 'escaped',
    open: new RegExp(`${DECLARED.source}(?=(["'])(?:(?!\\1)[^\\\\])*\\\\)`),
  },
  { tool: 'a bytearray of Python', encoding: 'escaped', open: /^bytearray\(b(?=["'])/, close: /\)\s*$/ },
  // One field, in the form of a message that contains it.
  { tool: 'a field of protobuf’s text format', encoding: 'escaped', open: /^[A-Za-z_]\w*\s*:\s*(?=["'])/ },
  { tool: 'a string of bash', encoding: 'escaped', open: /^\$(?=')/ },
  {
    tool: 'base64 in a call of Node.js',
    encoding: 'base64',
    open: new RegExp(`^Buffer\\.from\\((?=\\s*(${QUOTE})[\\w+/=-]*\\1\\s*,\\s*${QUOTE}base64)`),
    close: /,/,
  },
  { tool: 'base64 in a call of Python', encoding: 'base64', open: /^base64\.\w*b64decode\(b?/, close: /\)/ },
  { tool: 'base64 in a call of JavaScript', encoding: 'base64', open: /^atob\(/, close: /\)/ },
];

/** Number of characters that an opening may take. */
const OPENING = 512;

export interface FoundForm {
  readonly form: LiteralForm;
  /** The input, with spaces in place of the text beside each byte, so that offsets are unchanged. */
  readonly text: Uint8Array;
  /** captureOffsets of the part with the bytes. */
  readonly start: number;
  readonly end: number;
}

/** The form of an input, if its encoding is `encoding`. */
export function literalForm(input: Uint8Array, encoding: LiteralForm['encoding']): FoundForm | undefined {
  const at = textStart(input);
  const opening = latin1(input.subarray(at, at + OPENING));
  const declared = DECLARED.exec(opening)?.[0].length ?? 0;
  for (const form of FORMS) {
    if (form.encoding !== encoding) continue;
    const from = form.open.test(opening) ? 0 : declared;
    const match = form.open.exec(opening.slice(from));
    if (match === null) continue;
    const start = at + from + match[0].length;
    const text = form.beside === undefined ? input : blanked(input, form.beside);
    const rest = form.close === undefined ? -1 : latin1(text.subarray(start)).search(form.close);
    return { form, text, start, end: rest < 0 ? input.length : start + rest };
  }
  return undefined;
}
