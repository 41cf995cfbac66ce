/** DEFLATE (RFC 1951) → plain bytes, borrowed: the next decoder writes over them. */
import { type DecodeFailure, decodeFailure } from './codec.ts';
import { LIMIT, NO_MEMORY, TRUNCATED } from './fault.ts';
import { runInflate } from './kernel.ts';

export interface Inflated {
  readonly ok: true;
  readonly bytes: Uint8Array;
  /** Bytes read: what follows the last block is not looked at. */
  readonly consumed: number;
}

/** @param limit most bytes that may come out */
export function inflateRaw(bytes: Uint8Array, limit: number): Inflated | DecodeFailure {
  const plain = runInflate(bytes, limit);
  if (typeof plain === 'object') return { ok: true, ...plain };
  if (plain === LIMIT) return decodeFailure('limit', `more than ${limit} bytes come out`);
  if (plain === NO_MEMORY) return decodeFailure('limit', 'its plain bytes do not fit into memory');
  return plain === TRUNCATED
    ? decodeFailure('truncated', 'the deflate stream does not end')
    : decodeFailure('malformed', 'not a deflate stream');
}
