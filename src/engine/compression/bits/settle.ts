/**
 * Assigns bits to spans of the plain bytes. Spans and tokens are in the order of the bytes. The kernel processes them
 * window by window, in integers.
 */

import { beginSettling, booked, putPrice, putSpans, putTokens } from './kernel.ts';
import { SPANS_ROOM, TOKENS_ROOM, UNIT_BITS } from './kernel-memory.ts';
import type { StreamBits } from './read-bits.ts';
import { type Price, RAW_LENGTHS } from './tokens.ts';

/** Spans that tile the plain bytes: each begins at the end of the previous one. */
export class Spans {
  ends: Uint32Array = new Uint32Array(1024);
  /** The account of each span: an index into the sums. */
  accounts: Uint32Array = new Uint32Array(1024);
  length = 0;

  /** @param end plain offset; an empty span is left out */
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

  /** The account of the plain byte at `offset`; −1: after the last span. */
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

/** Bits by account. Rounding errors are stored separately, so that millions of additions stay within 1e-9. */
export class BitSums {
  /** By account. */
  readonly sums: Float64Array;
  /** Rounding errors of the additions to `sums`, which the next addition corrects. */
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
/** Result of the kernel's `settle`: it needs more tokens. Any other result: it needs more spans. */
const MORE_TOKENS = 1;

/** Adds the bits that the spans' bytes cost to `into`, by account. */
export function assignBits({ plain, tokens }: StreamBits, spans: Spans, into: BitSums): void {
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
 * The same, but the cost of a literal is divided equally among itself and all its copies, direct and indirect. Matches
 * cost the same as before. It needs 4 bytes for each plain byte and 12 for each literal.
 */
export function assignSharedBits({ plain, tokens }: StreamBits, spans: Spans, sums: BitSums): void {
  const { ends, distances, bits, prices, length } = tokens;
  /** By plain byte: the literal that it is a copy of. */
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
    // A price may begin at a match, and applies to the literals after it.
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

/** A range of plain bytes from one token. */
export interface ByteOrigin {
  /** Half-open, in plain bytes. */
  readonly start: number;
  readonly end: number;
  /** Plain offset that `start` was copied from; null: the bytes are literals. */
  readonly from: number | null;
  /** Bits that the range costs. */
  readonly bits: number;
}

/** The origins of a span's plain bytes, at most `most` ranges. */
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
