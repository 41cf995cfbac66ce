/**
 * Compressed bytes → plain bytes, bounded. A decoder never throws because of data and never writes more than `limit`
 * bytes. Its memory depends on the size of the input, not on sizes in headers.
 */
import { countText } from '../model/count-text.ts';

export interface DecodeFailure {
  readonly ok: false;
  /** `limit`: more plain bytes than allowed. `missing`: there is no such decoder. */
  readonly reason: 'malformed' | 'truncated' | 'limit' | 'missing';
  /** The fault, as a clause. */
  readonly detail: string;
}

/** `bytes` is borrowed: valid until the next call of a decoder. */
export type Decoded = { readonly ok: true; readonly bytes: Uint8Array } | DecodeFailure;

/**
 * @param limit maximum plain bytes @param window plain bytes that the compressed ones may copy from, at most 32 KiB;
 * only WebSocket messages have one
 */
export type Decode = (bytes: Uint8Array, limit: number, window?: Uint8Array) => Decoded;

/**
 * Work that gives way after every slice of plain bytes. Between two slices the caller may run other decoders, if this
 * work has a kernel of its own, or drop the work.
 */
export type Slices<T> = Generator<void, T, void>;

/** Plain bytes of a slice: 7 ms of DEFLATE, 2 to 25 ms of zstd, 5 to 15 ms of Snappy and LZ4. */
export const SLICE = 4 * 1024 * 1024;

/** Does all the work at once. */
export function atOnce<T>(work: Slices<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

export const decodeFailure = (reason: DecodeFailure['reason'], detail: string): DecodeFailure => ({
  ok: false,
  reason,
  detail,
});

/** @param limit maximum plain bytes */
export const limitFailure = (limit: number): DecodeFailure =>
  decodeFailure('limit', `more than ${countText(limit)} bytes come out`);

/** 64 MiB of plain bytes: larger than any expected message, small enough for a browser. */
export const PLAIN_LIMIT = 64 * 1024 * 1024;
