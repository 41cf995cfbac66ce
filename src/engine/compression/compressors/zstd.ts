/** libzstd itself, compiled to WebAssembly. */
import type { CompressorRow } from '../compressor-row.ts';

export const ZSTD = {
  id: 'zstd',
  library: 'libzstd',
  version: '1.5.7',
  levels: [1, 3, 9, 19],
  level: 3,
  parameters: (level) => `level ${level}, content size in the header, no checksum, no dictionary`,
  async load() {
    const { Zstd } = await import('@hpcc-js/wasm-zstd');
    const library = await Zstd.load();
    return (plain, level) => library.compress(plain, level);
  },
} as const satisfies CompressorRow;
