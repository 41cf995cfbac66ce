/** Comments in a literal of source text, as C, Go, Rust, Java, Python and other languages have them. */
import { latin1 } from '../../bytes/latin1.ts';

/** The two slashes of an address and the media type of any kind do not begin one. */
const COMMENT = /(?<!\*)\/\*.*?(?:\*\/|$)|(?<!:)\/\/[^\n]*|(?<![^\s,])#\s[^\n]*/gs;
const [SLASH, HASH, SPACE] = [0x2f, 0x23, 0x20];

/** The input, with spaces in place of its comments, so that offsets are unchanged. */
export const withoutComments = (input: Uint8Array): Uint8Array =>
  input.includes(SLASH) || input.includes(HASH) ? blanked(input, COMMENT) : input;

/** The input, with spaces in place of all matches. */
export function blanked(input: Uint8Array, what: RegExp): Uint8Array {
  const text = Uint8Array.from(input);
  for (const { index, 0: match } of latin1(input).matchAll(what)) text.fill(SPACE, index, index + match.length);
  return text;
}
