/**
 * RFC 1952 by pako 2, a port of zlib: the sizes equal those of zlib 1.2.13, in every browser. The zlib of Chromium and
 * Node, and pako 3, have a different match search: their sizes differ by up to 4 % for the same bytes.
 */
import { needed } from '../../model/needed-file.ts';
import type { CompressorRow } from '../compressor-row.ts';

export const GZIP = {
  id: 'gzip',
  library: 'zlib, ported (npm pako)',
  version: '2.2.0',
  levels: [1, 6, 9],
  level: 6,
  parameters: (level) => `level ${level}, memLevel 8, window 15, header without name and time (18 bytes of frame)`,
  async load() {
    const { gzip } = await needed(() => import('./zlib-stream.ts'));
    return gzip;
  },
} as const satisfies CompressorRow;
