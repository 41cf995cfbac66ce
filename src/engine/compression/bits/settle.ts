/**
 * The bits that each span of the plain bytes pays. Spans and tokens are both in the order of the bytes: the kernel
 * settles them window by window, in integers.
 */

import { beginSettling, booked, putPrice, putSpans, putTokens } from './kernel.ts';
import { SPANS_ROOM, TOKENS_ROOM, UNIT_BITS } from './kernel-memory.ts';
import type { StreamBits } from './read-bits.ts';
import { type Price, RAW_LENGTHS } from './tokens.ts';

/** Spans that tile plain bytes: each begins where the one before ends. */
export class Spans {
  ends: Uint32Array = new Uint32Array(1024);
  /** The account that pays: an index into the sums. */
  accounts: Uint32Array = new Uint32Array(1024);
  length = 0;

  /** @param end plain offset; a span of no bytes is left out */
  push(end: number, account: number): void {
    const at = this.length;
    if (end === (at === 0 ? 0 : this.ends[at - 1]!)) return;
    if (at === this.ends.length) {
      this.ends = grown(this.ends);
      this.accounts = grown(this.accounts);
    }
    this.ends[at] = end;
    this.accounts[at] = account;
    this.length++;
  }

  /** The account of the plain byte at `offset`; −1 behind the last span. */
  accountAt(offset: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.ends[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    return low < this.length ? this.accounts[low]! : -1;
  }
}

/**
 * Bits by account. Rounding errors of additions are kept separately, so that millions of additions stay within 1e-9.
 */
export class BitSums {
  /** By account. */
  readonly sums: Float64Array;
  /** Rounding of the additions to `sums`, to be taken off the next one. */
  readonly lost: Float64Array;

  constructor(accounts: number) {
    this.sums = new Float64Array(accounts);
    this.lost = new Float64Array(accounts);
  }

  add(account: number, bits: number): void {
    const exact = bits - this.lost[account]!;
    const before = this.sums[account]!;
    const after = before + exact;
    this.lost[account] = after - before - exact;
    this.sums[account] = after;
  }

  at = (account: number): number => this.sums[account]!;
}

function grown(array: Uint32Array): Uint32Array {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}

const RAW: Price = { from: 0, lengths: RAW_LENGTHS, scale: 1 };
/** The kernel's `settle` needs more tokens; otherwise it needs more spans. */
const MORE_TOKENS = 1;

/** Adds to `into`, by account, the bits that the spans' bytes pay. */
export function settlePaid({ plain, tokens }: StreamBits, spans: Spans, into: BitSums): void {
  const count = into.sums.length;
  const { sums } = beginSettling(plain, count);
  const { exports } = booked;
  let token = 0;
  let price = 0;
  let span = 0;
  for (let wanted = 0; ; wanted = exports.settle()) {
    if (wanted === MORE_TOKENS) {
      if (token === tokens.length) break;
      if (token === (tokens.prices[price]?.from ?? -1)) putPrice(tokens.prices[price++]!);
      const end = Math.min(tokens.length, token + TOKENS_ROOM, tokens.prices[price]?.from ?? tokens.length);
      putTokens(tokens, token, end);
      token = end;
    } else {
      if (span === spans.length) break;
      const end = Math.min(spans.length, span + SPANS_ROOM);
      putSpans(spans, span, end);
      span = end;
    }
  }
  // 128 bits an account, in units of 2⁻⁴⁶ bits.
  const words = new Uint32Array(exports.memory.buffer, sums, count * 4);
  for (let account = 0; account < count; account++) {
    const at = account * 4;
    const units = words[at]! + words[at + 1]! * 2 ** 32 + (words[at + 2]! + words[at + 3]! * 2 ** 32) * 2 ** 64;
    if (units > 0) into.add(account, units / 2 ** UNIT_BITS);
  }
}

/**
 * The same with the cost of a literal split equally over itself and everything that was copied from it, directly or
 * through copies. Matches pay as before. Takes 4 bytes a plain byte and 12 a literal while it runs.
 */
export function settleShared({ plain, tokens }: StreamBits, spans: Spans, sums: BitSums): void {
  const { ends, distances, bits, prices, length } = tokens;
  /** By plain byte: which literal it stems from. */
  const roots = new Uint32Array(plain.length);
  let literals = 0;
  let at = 0;
  for (let token = 0; token < length; token++) {
    const end = ends[token]!;
    const distance = distances[token]!;
    if (distance === 0) while (at < end) roots[at++] = literals++;
    else for (; at < end; at++) roots[at] = roots[at - distance]!;
  }
  const copies = new Uint32Array(literals);
  for (const root of roots) copies[root]!++;
  const shares = new Float64Array(literals);
  let price = 0;
  let nextPrice = prices[0]?.from ?? -1;
  let { lengths, scale } = RAW;
  at = 0;
  let literal = 0;
  for (let token = 0; token < length; token++) {
    const end = ends[token]!;
    // A price may begin with a match, and hold for the literals behind it.
    if (token === nextPrice) {
      ({ lengths, scale } = prices[price++]!);
      nextPrice = prices[price]?.from ?? -1;
    }
    if (distances[token]! > 0) {
      at = end;
      continue;
    }
    const header = bits[token]! / (end - at);
    for (; at < end; at++, literal++) shares[literal] = (lengths[plain[at]!]! * scale + header) / copies[literal]!;
  }
  let token = -1;
  let tokenEnd = 0;
  let own = 0;
  at = 0;
  for (let span = 0; span < spans.length; span++) {
    const end = spans.ends[span]!;
    let paid = 0;
    while (at < end) {
      if (at === tokenEnd) {
        token++;
        if (token === length) return;
        own = distances[token]! > 0 ? bits[token]! / (ends[token]! - tokenEnd) : 0;
        tokenEnd = ends[token]!;
      }
      const stop = Math.min(tokenEnd, end);
      paid += own * (stop - at);
      let copied = 0;
      for (; at < stop; at++) copied += shares[roots[at]!]!;
      paid += copied;
    }
    sums.add(spans.accounts[span]!, paid);
  }
}

/** A stretch of plain bytes that stems from one token. */
export interface ByteOrigin {
  /** Half-open, in plain bytes. */
  readonly start: number;
  readonly end: number;
  /** Plain offset that `start` was copied from; null: literals. */
  readonly from: number | null;
  /** Bits that the stretch pays. */
  readonly bits: number;
}

/** Where the plain bytes of a span come from, at most `most` stretches of it. */
export function originsOf(
  { plain, tokens }: StreamBits,
  start: number,
  end: number,
  most: number,
): readonly ByteOrigin[] {
  const origins: ByteOrigin[] = [];
  let at = start;
  for (let token = tokens.at(start); at < end && token < tokens.length && origins.length < most; token++) {
    const begin = token === 0 ? 0 : tokens.ends[token - 1]!;
    const tokenEnd = tokens.ends[token]!;
    const stop = Math.min(end, tokenEnd);
    const distance = tokens.distances[token]!;
    let bits = (tokens.bits[token]! * (stop - at)) / (tokenEnd - begin);
    if (distance === 0) {
      const { lengths, scale } = tokens.priceAt(token);
      for (let i = at; i < stop; i++) bits += lengths[plain[i]!]! * scale;
    }
    origins.push({ start: at, end: stop, from: distance === 0 ? null : at - distance, bits });
    at = stop;
  }
  return origins;
}
