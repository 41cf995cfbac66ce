/** The bits of one compressed stream: each is spent on a plain byte, or on an item of the container. */
import type { DecodeFailure } from '../codec.ts';
import { Container } from './container.ts';
import { StreamTokens } from './tokens.ts';

/** Receives the entries while a stream is read. */
export class BitBook {
  readonly tokens: StreamTokens;
  readonly container: Container = new Container();

  /** @param size compressed bytes; a token takes about four of them */
  constructor(size: number) {
    this.tokens = new StreamTokens(size >> 2);
  }
}

/** A stream that cannot be read to its end, and where: an offset in the compressed bytes. */
export interface BitFailure extends DecodeFailure {
  readonly offset: number;
}

export const bitFailure = (reason: DecodeFailure['reason'], detail: string, offset: number): BitFailure => ({
  ok: false,
  reason,
  detail,
  offset,
});
