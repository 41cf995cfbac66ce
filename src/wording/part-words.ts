/** The shown part of a message too large to be shown at once. */
import { formatCount } from './number-text.ts';

/** Offsets are of the message. Its rows count from the part's first byte. */
export const partWords = ({ start, end, size }: { start: number; end: number; size: number }): string =>
  `Bytes ${formatCount(start)} to ${formatCount(end)} of ${formatCount(size)}. Offsets count from the first of them.`;
