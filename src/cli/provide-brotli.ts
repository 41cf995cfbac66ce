/** The decoder of Node's own zlib. */
import { brotliDecompressSync } from 'node:zlib';
import { CUT_BROTLI, NOT_BROTLI, provideBrotli } from '#engine/compression/brotli.ts';
import { limitFailure } from '#engine/compression/codec.ts';

provideBrotli((bytes, limit) => {
  try {
    return { ok: true, bytes: new Uint8Array(brotliDecompressSync(bytes, { maxOutputLength: limit })) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') return limitFailure(limit);
    return code === 'Z_BUF_ERROR' ? CUT_BROTLI : NOT_BROTLI;
  }
});
