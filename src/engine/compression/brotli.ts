/**
 * A library decodes Brotli (RFC 7932), because its dictionary alone is 120 kB. The caller of the engine provides the
 * decoder: the command line at its start, the page when a body needs it.
 */
import { type Decode, decodeFailure } from './codec.ts';

let provided: Decode | null = null;
let isAsked = false;

export function provideBrotli(decode: Decode): void {
  provided = decode;
}

/** Whether a body could not be read because no decoder was provided yet. */
export const isBrotliMissing = (): boolean => isAsked && provided === null;

export const decodeBrotli: Decode = (bytes, limit) => {
  isAsked = true;
  return provided === null ? decodeFailure('missing', 'the Brotli decoder is not loaded') : provided(bytes, limit);
};

/** The plain bytes, at most `most`. Throws if the bytes are not Brotli, or if there are more plain bytes. */
export type Decompress = (bytes: Uint8Array, most: number) => Uint8Array;

/** Ratio of plain to compressed bytes that is tried first. It is doubled until it is sufficient. */
const FIRST_TRY = 8;
const MIN_ROOM = 64 * 1024;

/** A decoder on top of a library that allocates the maximum output size at once. */
export const brotliBy =
  (decompress: Decompress, isTooSmall: (error: unknown) => boolean): Decode =>
  (bytes, limit) => {
    for (let most = Math.min(limit, Math.max(MIN_ROOM, bytes.length * FIRST_TRY)); ; most = Math.min(limit, most * 2)) {
      try {
        return { ok: true, bytes: decompress(bytes, most) };
      } catch (error) {
        if (!isTooSmall(error)) return decodeFailure('malformed', 'not a Brotli stream');
        if (most === limit) return decodeFailure('limit', `more than ${limit} bytes come out`);
      }
    }
  };
