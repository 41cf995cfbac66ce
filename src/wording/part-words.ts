/** The shown part of a message too large to be shown at once. */
import { formatCount } from './number-text.ts';

/** Offsets are of the message. Its rows count from the part's first byte. @param part `recordEnd`: its record is cut */
export function partWords(part: {
  readonly start: number;
  readonly end: number;
  readonly size: number;
  readonly recordEnd?: number;
}): string {
  const { start, end, size, recordEnd } = part;
  const rest = recordEnd === undefined ? '' : ` Their record continues to byte ${formatCount(recordEnd - 1)}.`;
  return `Bytes ${formatCount(start)} to ${formatCount(end - 1)} of ${formatCount(size)}.${rest} Offsets count from the first of them.`;
}
