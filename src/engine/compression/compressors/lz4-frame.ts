import type { CompressorRow } from '../compressor-row.ts';
import { encodeLz4Frame } from '../lz4-encode.ts';

export const LZ4_FRAME = {
  id: 'lz4-frame',
  library: 'liblz4, ported',
  version: '1.9.4',
  levels: [],
  level: 0,
  parameters: () => 'frame, level 0, 64 KiB linked blocks, content size stored, no checksums',
  load: async () => encodeLz4Frame,
} as const satisfies CompressorRow;
