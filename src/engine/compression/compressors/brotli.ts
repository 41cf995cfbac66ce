/** Google's encoder, compiled to WebAssembly. */
import { needed } from '../../model/needed-file.ts';
import type { CompressorRow } from '../compressor-row.ts';

export const BROTLI = {
  id: 'brotli',
  library: 'Google Brotli',
  version: '1.2.0',
  levels: [1, 5, 9, 11],
  level: 5,
  parameters: (level) => `quality ${level}, lgwin 22, mode generic`,
  async load() {
    const { encodeBrotli } = await needed(() => import('../brotli-encoder/brotli-encoder.ts'));
    return encodeBrotli;
  },
} as const satisfies CompressorRow;
