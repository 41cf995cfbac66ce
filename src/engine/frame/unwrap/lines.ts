/** Lines of base64 or hex, a message each, as consumers of queues and exports of tables print them. */
import { latin1 } from '../../bytes/latin1.ts';
import { decodeBase64 } from '../../compression/text-bodies.ts';
import { judgeFramings } from '../framing/framings.ts';
import { NO_MESSAGE } from '../framing/no-message.ts';

export interface TextLine {
  /** `line 3` */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Shorter ones are words. */
const BASE64 = /^[\w+/-]{4,}={0,2}$/;
const HEX = /^(?:[\da-f]{2})+$/i;
/** Lines whose contents are evidence. */
const JUDGED = 100;
/** Least score of a framing of a line. */
const MIN_SCORE = 0.6;

/** The reason for reading a text like this. */
export const MESSAGE_A_LINE = 'a message a line';

/**
 * A wrapped text is one message: its lines are not messages.
 *
 * @param isChosen the user chose to read the text like this
 * @returns null: not every line is a message
 */
export function messagesInLines(text: Uint8Array, isChosen: boolean): readonly TextLine[] | null {
  const lines = linesOf(latin1(text, 0, text.length));
  if (lines.length < 2 || !lines.every(isCoded)) return null;
  const isHex = lines.every((line) => HEX.test(line));
  const found = lines.map((line, at) => ({ path: `line ${at + 1}`, bytes: isHex ? unhex(line) : decoded(line) }));
  if (isChosen) return found;
  // People also write one message in hex, a field a line.
  const isOne = isHex && found.some(({ bytes }) => bytes[0] !== found[0]!.bytes[0]);
  return !isOne && found.slice(0, JUDGED).every(({ bytes }) => isMessage(bytes)) ? found : null;
}

const linesOf = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => line.trim().replace(/^"(.*)"$/, '$1') || []);

const isCoded = (line: string): boolean => BASE64.test(line);

const unhex = (line: string): Uint8Array =>
  Uint8Array.from({ length: line.length / 2 }, (_, at) => Number.parseInt(line.slice(2 * at, 2 * at + 2), 16));

function decoded(line: string): Uint8Array {
  const bytes = decodeBase64(new TextEncoder().encode(line), line.length);
  return bytes.ok ? bytes.bytes.slice() : new Uint8Array();
}

function isMessage(bytes: Uint8Array): boolean {
  const { id, score } = judgeFramings(bytes, bytes.length)[0]!;
  return bytes.length > 0 && id !== NO_MESSAGE && score > MIN_SCORE;
}
