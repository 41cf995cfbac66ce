/** libzstd itself, compiled to WebAssembly. */
import type { Zstd } from '@hpcc-js/wasm-zstd';
import { needed } from '../../model/needed-file.ts';
import type { CompressorRow } from '../compressor-row.ts';

export const ZSTD = {
  id: 'zstd',
  library: 'libzstd',
  version: '1.5.7',
  levels: [1, 3, 9, 19],
  level: 3,
  parameters: (level) => `level ${level}, content size in the header, no checksum, no dictionary`,
  async load() {
    const { Zstd } = await needed(() => import('@hpcc-js/wasm-zstd'));
    return compressorOf(await Zstd.load());
  },
} as const satisfies CompressorRow;

/**
 * Calls the library directly. Its own `compress` copies the result through an array of numbers, which takes twice as
 * long as compressing: 80 ms for a result of 1 MB, but 30 ms if the result is copied as bytes.
 */
function compressorOf(library: Zstd): (plain: Uint8Array, level: number) => Uint8Array {
  const heap = library['_mainModule'];
  const zstd = library['_zstdClass'];
  return (plain, level) => {
    const from = heap.dataToHeap(plain);
    const to = heap.malloc(zstd.compressBound(plain.length));
    try {
      const length: number = zstd.compress(to.ptr, to.size, from.ptr, from.size, level);
      if (zstd.isError(length)) throw new Error(`libzstd: ${zstd.getErrorName(length)}`);
      return heap.heapView({ ...to, size: length }).slice();
    } finally {
      heap.free(to);
      heap.free(from);
    }
  };
}
