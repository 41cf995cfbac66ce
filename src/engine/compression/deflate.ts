/** DEFLATE (RFC 1951) → plain bytes. Borrowed: the next call of a decoder overwrites them. */
import { atOnce, type DecodeFailure, decodeFailure, limitFailure, type Slices } from './codec.ts';
import { LIMIT, NO_MEMORY, PAUSED, TRUNCATED } from './fault.ts';
import { decoders, goOnInflating, type Plain, type PlainKernel, runInflate } from './kernel.ts';

export interface Inflated {
  readonly ok: true;
  readonly bytes: Uint8Array;
  /** Number of bytes that were read. Bytes after the last block are not read. */
  readonly consumed: number;
}

export function inflateRaw(bytes: Uint8Array, limit: number): Inflated | DecodeFailure {
  const plain = inflateSlices(bytes, limit, decoders);
  return 'ok' in plain ? plain : atOnce(plain);
}

/**
 * The plain bytes, or if they are more than a slice, the work that gives them. Small ones need no generator, which
 * takes half as long as to decode them.
 * @param limit maximum plain bytes
 */
export function inflateSlices(
  bytes: Uint8Array,
  limit: number,
  kernel: PlainKernel,
): Inflated | DecodeFailure | Slices<Inflated | DecodeFailure> {
  const plain = runInflate(bytes, limit, kernel);
  return plain === PAUSED ? inflateRest(bytes.length, limit, kernel) : resultOf(plain, limit);
}

function* inflateRest(size: number, limit: number, kernel: PlainKernel): Slices<Inflated | DecodeFailure> {
  return resultOf(yield* goOnInflating(size, limit, kernel), limit);
}

function resultOf(plain: Plain | number, limit: number): Inflated | DecodeFailure {
  if (typeof plain === 'object') return { ok: true, ...plain };
  if (plain === LIMIT) return limitFailure(limit);
  if (plain === NO_MEMORY) return decodeFailure('limit', 'its plain bytes do not fit into memory');
  return plain === TRUNCATED
    ? decodeFailure('truncated', 'the deflate stream does not end')
    : decodeFailure('malformed', 'not a deflate stream');
}
