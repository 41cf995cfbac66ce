/** Google's encoder, compiled to JavaScript. */
import { needed } from '../../model/needed-file.ts';
import type { CompressorRow } from '../compressor-row.ts';

/** The encoder's output for an empty input, for which the package returns nothing. */
const EMPTY = Uint8Array.of(6);

export const BROTLI = {
  id: 'brotli',
  library: 'Google Brotli (npm brotli)',
  version: '2.0.0',
  levels: [1, 5, 9, 11],
  level: 5,
  parameters: (level) => `quality ${level}, lgwin 22, mode generic`,
  async load() {
    const { compress } = await needed(() => import('brotli/compress'));
    return async (plain, quality) => {
      if (plain.length === 0) return EMPTY;
      const compressed = await compress(plain, { quality, lgwin: 22 });
      if (compressed === null) throw new Error('brotli gave no bytes');
      return compressed;
    };
  },
} as const satisfies CompressorRow;
