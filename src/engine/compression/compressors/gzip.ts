/**
 * RFC 1952 by zlib itself, compiled to WebAssembly: the same sizes in every browser. The zlib of Chromium and Node has
 * a different match search: its sizes differ by up to 4 % for the same bytes.
 */
import { needed } from '../../model/needed-file.ts';
import type { CompressorRow } from '../compressor-row.ts';

export const GZIP = {
  id: 'gzip',
  library: 'zlib',
  version: '1.3.1',
  levels: [1, 6, 9],
  level: 6,
  parameters: (level) => `level ${level}, memLevel 8, window 15, header without name and time (18 bytes of frame)`,
  async load() {
    const { encodeGzip } = await needed(() => import('../gzip-encoder/gzip-encoder.ts'));
    return encodeGzip;
  },
} as const satisfies CompressorRow;
