/** Lines of base64 or hex, a message each, as consumers of queues and exports of tables print them. */
import { latin1 } from '../../bytes/latin1.ts';
import { base64 } from '../../capture/text/base64.ts';
import { hex } from '../../capture/text/hex.ts';
import { MIN_SCORE, scoreOf } from './message-score.ts';

export interface TextLine {
  /** `line 3` */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The reason for reading a text like this. */
export const MESSAGE_A_LINE = 'a message a line';

/** Limits: characters of a text, which is in memory as a whole; its lines; characters of a line. */
export const MAX_LINES_TEXT = 4 << 20;
const MAX_LINES = 50_000;
const MAX_LINE = 1 << 20;
/** Characters of the shortest line: shorter ones are words. */
const SHORTEST = 4;
/** Lines whose contents are evidence. */
const JUDGED = 100;
/** Characters of the lines that encoders and editors wrap a text into. */
const WRAPPED: ReadonlySet<number> = new Set([32, 40, 48, 60, 64, 72, 76, 80, 100, 120, 128]);

/**
 * @param text as a whole
 * @param isChosen the user chose to read the text like this
 * @returns null: not every line is a message, or the text is one message that is wrapped
 */
export function messagesInLines(text: Uint8Array, isChosen: boolean): readonly TextLine[] | null {
  if (text.length > MAX_LINES_TEXT) return null;
  const lines = latin1(text, 0, text.length)
    .split('\n')
    .flatMap((line) => line.trim().replace(/^"(.*)"$/, '$1') || []);
  if (lines.length < 2 || lines.length > MAX_LINES || !lines.every(isCoded)) return null;
  const encoding = lines.every(isHex) ? hex : base64;
  const decode = (line: string): Uint8Array => encoding.read!(new TextEncoder().encode(line)).bytes;
  if (!isChosen) {
    if (isWrapped(lines)) return null;
    const first = lines.slice(0, JUDGED).map(decode);
    // People also write one message in hex, a field a line.
    if (encoding === hex && first.some(([byte]) => byte !== first[0]![0])) return null;
    if (!first.every((bytes) => bytes.length > 0 && scoreOf(bytes) > MIN_SCORE)) return null;
  }
  return lines.map((line, at) => ({ path: `line ${at + 1}`, bytes: decode(line) }));
}

const isWrapped = ([first = '', ...others]: readonly string[]): boolean =>
  WRAPPED.has(first.length) &&
  others.every(({ length }, at) => length === first.length || (at === others.length - 1 && length < first.length));

/** Character by character: a regular expression overflows its stack at some millions. */
function isCoded(line: string): boolean {
  if (line.length < SHORTEST || line.length > MAX_LINE) return false;
  const end = line.endsWith('==') ? line.length - 2 : line.endsWith('=') ? line.length - 1 : line.length;
  for (let at = 0; at < end; at++) if (!/[\w+/-]/.test(line[at]!)) return false;
  return true;
}

function isHex(line: string): boolean {
  for (let at = 0; at < line.length; at++) if (!/[\da-f]/i.test(line[at]!)) return false;
  return line.length % 2 === 0;
}
