import type { CompressorRow } from '../compressor-row.ts';
import { encodeLz4Block } from '../lz4-encode.ts';

export const LZ4_BLOCK = {
  id: 'lz4-block',
  library: 'liblz4, ported',
  version: '1.9.4',
  levels: [],
  level: 0,
  parameters: () => 'LZ4_compress_fast_continue, acceleration 1, raw block, no size before it',
  load: async () => encodeLz4Block,
} as const satisfies CompressorRow;
