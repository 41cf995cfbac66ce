/**
 * The one long run of hex digits among other text, as in a line of a log:
 *
 *   2026-01-02T03:04:05Z sent 0a03666f6f10960118a0
 *   └ digits, and no bytes    └ run ┘
 */
import { latin1 } from '../../bytes/latin1.ts';
import { isQuote, isSpace } from './ascii.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Digits of a run: a shorter one may as well be a number or a word. */
const MIN_RUN = 16;
/** Longer text beside a run is not a line of a log. */
const MAX_BESIDE = 1024;
/** A calendar date, or a time that is not a part of longer colon-separated hex. */
const DATE = /(?<![\da-f])(?:\d{4}([-/.])\d\d\1\d\d|(?<![:.])\d\d:\d\d:\d\d(?!:))(?![\da-f])/i;

export interface Beside {
  /** null: there are several runs, or one with fewer digits than the text beside it. */
  readonly run: Span | null;
  readonly hasDate: boolean;
}

/**
 * @param longest the longest run of hex digits
 * @param digits number of hex digits of the whole text
 * @param odd number of characters that are not hex digits and not separators
 * @returns null: the text is hex digits and separators alone, or has no date and no long run
 */
export function besideRun(
  input: Uint8Array,
  { start, end }: Span,
  longest: Span,
  digits: number,
  odd: number,
): Beside | null {
  const size = longest.end - longest.start;
  if (size < MIN_RUN) {
    const isDated = odd > 0 && DATE.test(latin1(input.subarray(start, Math.min(end, start + MAX_BESIDE))));
    return isDated ? { run: null, hasDate: true } : null;
  }
  const before = latin1(input.subarray(start, Math.min(longest.start, start + MAX_BESIDE)));
  const after = latin1(input.subarray(longest.end, Math.min(end, longest.end + MAX_BESIDE)));
  const hasDate = DATE.test(before) || DATE.test(after);
  if (!hasDate && odd === 0) return null;
  const isAlone =
    2 * size > digits &&
    longest.start - start <= MAX_BESIDE &&
    end - longest.end <= MAX_BESIDE &&
    (longest.start === start || isBorder(input[longest.start - 1]!)) &&
    (longest.end === end || isBorder(input[longest.end]!));
  return { run: isAlone ? longest : null, hasDate };
}

const BORDERS = new Set([...'=:,;()[]{}<>|'].map((character) => character.charCodeAt(0)));
const isBorder = (byte: number): boolean => isSpace(byte) || isQuote(byte) || BORDERS.has(byte);
