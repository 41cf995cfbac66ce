/** DEFLATE (RFC 1951) → plain bytes. Borrowed: the next call of a decoder overwrites them. */
import { type DecodeFailure, decodeFailure } from './codec.ts';
import { LIMIT, NO_MEMORY, TRUNCATED } from './fault.ts';
import { runInflate } from './kernel.ts';

export interface Inflated {
  readonly ok: true;
  readonly bytes: Uint8Array;
  /** Number of bytes that were read. Bytes after the last block are not read. */
  readonly consumed: number;
}

/** @param limit maximum plain bytes */
export function inflateRaw(bytes: Uint8Array, limit: number): Inflated | DecodeFailure {
  const plain = runInflate(bytes, limit);
  if (typeof plain === 'object') return { ok: true, ...plain };
  if (plain === LIMIT) return decodeFailure('limit', `more than ${limit} bytes come out`);
  if (plain === NO_MEMORY) return decodeFailure('limit', 'its plain bytes do not fit into memory');
  return plain === TRUNCATED
    ? decodeFailure('truncated', 'the deflate stream does not end')
    : decodeFailure('malformed', 'not a deflate stream');
}
