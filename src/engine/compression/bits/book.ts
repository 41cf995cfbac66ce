/**
 * Records the use of the bits of one compressed stream: each bit belongs to a plain byte, or to an item of the
 * container.
 */
import type { DecodeFailure } from '../codec.ts';
import { Container } from './container.ts';
import { StreamTokens } from './tokens.ts';

/** Receives entries while a stream is decoded. */
export class BitBook {
  readonly tokens: StreamTokens;
  readonly container: Container = new Container();

  /** @param size compressed bytes; the estimate is one token for four bytes */
  constructor(size: number) {
    this.tokens = new StreamTokens(size >> 2);
  }
}

/** A stream that cannot be decoded to its end, and the offset of the fault in the compressed bytes. */
export interface BitFailure extends DecodeFailure {
  readonly offset: number;
}

export const bitFailure = (reason: DecodeFailure['reason'], detail: string, offset: number): BitFailure => ({
  ok: false,
  reason,
  detail,
  offset,
});
