/**
 * A library decodes Brotli (RFC 7932), because its dictionary alone is 120 kB. The caller of the engine provides the
 * decoder: the command line at its start, the page when a body needs it.
 */
import { atOnce, type Decode, type Decoded, decodeFailure, type Slices } from './codec.ts';

/** A decoder that gives way, or decodes at once. */
type BrotliDecoder = (bytes: Uint8Array, limit: number) => Decoded | Slices<Decoded>;

export const NOT_BROTLI = decodeFailure('malformed', 'not a Brotli stream');
export const CUT_BROTLI = decodeFailure('truncated', 'the Brotli stream does not end');

let provided: BrotliDecoder | null = null;
let isAsked = false;

export function provideBrotli(decoder: BrotliDecoder): void {
  provided = decoder;
}

/** Called before an input is read. */
export function forgetBrotliMissing(): void {
  isAsked = false;
}

/** Whether a body could not be read since then because no decoder was provided yet. */
export const isBrotliMissing = (): boolean => isAsked && provided === null;

const begin: BrotliDecoder = (bytes, limit) => {
  isAsked = true;
  return provided?.(bytes, limit) ?? decodeFailure('missing', 'the Brotli decoder is not loaded');
};

export const decodeBrotli: Decode = (bytes, limit) => {
  const begun = begin(bytes, limit);
  return 'ok' in begun ? begun : atOnce(begun);
};

export function* brotliSlices(bytes: Uint8Array, limit: number): Slices<Decoded> {
  const begun = begin(bytes, limit);
  return 'ok' in begun ? begun : yield* begun;
}
