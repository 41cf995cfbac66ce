/**
 * Compressed bytes → plain bytes, bounded. A decoder never throws on data, never writes more than `limit` bytes,
 * and allocates in proportion to what it was given, not to what a header claims.
 */

export interface DecodeFailure {
  readonly ok: false;
  /** `limit`: more plain bytes than allowed. `missing`: no such decoder here. */
  readonly reason: 'malformed' | 'truncated' | 'limit' | 'missing';
  /** The fault, in a clause. */
  readonly detail: string;
}

/** `bytes` is borrowed: valid until something else is decoded. */
export type Decoded = { readonly ok: true; readonly bytes: Uint8Array } | DecodeFailure;

/** @param limit most plain bytes that may come out */
export type Decode = (bytes: Uint8Array, limit: number) => Decoded;

export const decodeFailure = (reason: DecodeFailure['reason'], detail: string): DecodeFailure => ({
  ok: false,
  reason,
  detail,
});
