/** The decoder of Node's own zlib. */
import { brotliDecompressSync } from 'node:zlib';
import { provideBrotli } from '#engine/compression/brotli.ts';
import { decodeFailure } from '#engine/compression/codec.ts';

provideBrotli((bytes, limit) => {
  try {
    return { ok: true, bytes: new Uint8Array(brotliDecompressSync(bytes, { maxOutputLength: limit })) };
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
      ? decodeFailure('limit', `more than ${limit} bytes come out`)
      : decodeFailure('malformed', 'not a Brotli stream');
  }
});
