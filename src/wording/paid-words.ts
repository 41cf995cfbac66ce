/** Words of what fields pay that the field table needs at once. */
import type { BitsFacts } from './bits-words.ts';

/** `after zstd level 3`, `as captured (snappy)`. */
export const afterWords = ({ by, formats }: Pick<BitsFacts, 'by' | 'formats'>): string =>
  by.kind === 'encoder' ? `after ${by.label}` : `as captured (${formats.join(', ')})`;

/** Bits as bytes, to a tenth. */
export const bytesOfBits = (bits: number): string =>
  (bits / 8).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
