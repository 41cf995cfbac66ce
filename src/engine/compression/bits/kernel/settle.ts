/**
 * Computes the bits that spans of plain bytes cost. Tokens and spans are given in chunks, in the order of the bytes.
 * The costs of one window of plain bytes at a time are accumulated byte by byte. The cost of a span is the difference
 * between its two ends.
 *
 * Costs are integers, in units of 2⁻⁴⁶ bits: additions are exact in any order. The remainder of a token's equal shares
 * goes to its last byte, so a token costs exactly its bits.
 */
import {
  ACCOUNT_COLUMN,
  BITS_COLUMN,
  DISTANCE_COLUMN,
  LITERAL_COSTS,
  LITERAL_LENGTHS,
  RUNNING_COSTS,
  SPAN_ENDS,
  TOKEN_ENDS,
  UNIT_BITS,
  WINDOW,
} from '../kernel-memory.ts';

const UNIT: f64 = f64(u64(1) << u64(UNIT_BITS));

/** Addresses of the plain bytes and of the sums. */
let plain: usize = 0;
let sums: usize = 0;

/** Plain offset of the window's first byte, and plain offset up to which costs are known. */
let base: u32 = 0;
let known: u32 = 0;
/** Accumulated costs of the window up to `known`, and up to the end of the last span. */
let running: u64 = 0;
let settled: u64 = 0;

/** The token at `known`: its remaining units, and each byte's share. */
let left: u64 = 0;
let share: u64 = 0;

let token: usize = 0;
let tokensEnd: usize = 0;
let span: usize = 0;
let spansEnd: usize = 0;

export function beginSettling(plainBytes: usize, sumsOfAccounts: usize): void {
  plain = plainBytes;
  sums = sumsOfAccounts;
  base = 0;
  known = 0;
  running = 0;
  settled = 0;
  left = 0;
  share = 0;
  token = 0;
  tokensEnd = 0;
  span = 0;
  spansEnd = 0;
  store<u64>(RUNNING_COSTS, 0);
}

/** Sets the cost of literals in the following tokens: LITERAL_LENGTHS × `scale`. */
export function price(scale: f64): void {
  for (let byte: usize = 0; byte < 256; byte++) {
    const bits = f64(load<u8>(usize(LITERAL_LENGTHS) + byte)) * scale;
    store<u64>(usize(LITERAL_COSTS) + (byte << 3), u64(nearest(bits * UNIT)));
  }
}

/** `count` further tokens are at TOKEN_ENDS. */
export function moreTokens(count: u32): void {
  token = TOKEN_ENDS;
  tokensEnd = usize(TOKEN_ENDS) + (usize(count) << 2);
  if (count > 0) open();
}

/** `count` further spans are at SPAN_ENDS. */
export function moreSpans(count: u32): void {
  span = SPAN_ENDS;
  spansEnd = usize(SPAN_ENDS) + (usize(count) << 2);
  store<u32>(spansEnd, 0xffffffff);
}

/** Begins the token at `known`. */
function open(): void {
  const bits = load<u32>(token, BITS_COLUMN);
  left = u64(bits) << u64(UNIT_BITS);
  share = bits === 0 ? 0 : u64((f64(bits) * UNIT) / f64(load<u32>(token) - known));
}

/** Accumulates the costs of the window, as far as there are tokens. */
function fill(): void {
  const windowEnd = base + WINDOW;
  let at = known;
  let sum = running;
  let rest = left;
  let each = share;
  let next = token;
  while (next < tokensEnd && at < windowEnd) {
    const end = load<u32>(next);
    const isWhole = end <= windowEnd;
    const stop = isWhole ? end : windowEnd;
    const count = stop - at;
    let cell: usize = usize(RUNNING_COSTS) + (usize(at - base + 1) << 3);
    if (load<u32>(next, DISTANCE_COLUMN) === 0) {
      const last = plain + stop;
      for (let byte = plain + at; byte < last; byte++, cell += 8) {
        sum += load<u64>(usize(LITERAL_COSTS) + (usize(load<u8>(byte)) << 3)) + each;
        store<u64>(cell, sum);
      }
      rest -= each * count;
      if (isWhole) {
        sum += rest;
        store<u64>(cell - 8, sum);
      }
    } else {
      const twice = i64x2.splat(each << 1);
      let costs = i64x2.replace_lane(i64x2.splat(sum + each), 1, sum + (each << 1));
      for (const last = cell + (usize(count) << 3); cell < last; cell += 64) {
        v128.store(cell, costs);
        costs = i64x2.add(costs, twice);
        v128.store(cell, costs, 16);
        costs = i64x2.add(costs, twice);
        v128.store(cell, costs, 32);
        costs = i64x2.add(costs, twice);
        v128.store(cell, costs, 48);
        costs = i64x2.add(costs, twice);
      }
      if (isWhole) sum += rest;
      else {
        sum += each * count;
        rest -= each * count;
      }
      store<u64>(usize(RUNNING_COSTS) + (usize(stop - base) << 3), sum);
    }
    at = stop;
    if (isWhole) {
      next += 4;
      if (next < tokensEnd) {
        const bits = load<u32>(next, BITS_COLUMN);
        rest = u64(bits) << u64(UNIT_BITS);
        each = bits === 0 ? 0 : u64((f64(bits) * UNIT) / f64(load<u32>(next) - at));
      }
    }
  }
  known = at;
  running = sum;
  left = rest;
  share = each;
  token = next;
}

function pay(account: u32, cost: u64): void {
  const sum = sums + (usize(account) << 4);
  const low = load<u64>(sum) + cost;
  store<u64>(sum, low);
  store<u64>(sum, load<u64>(sum, 8) + u64(low < cost), 8);
}

/**
 * Assigns bits as far as tokens and spans are available. Returns 1: more tokens are needed; 2: more spans are needed.
 */
export function settle(): i32 {
  let wanted = 0;
  while (wanted === 0) {
    const windowEnd = base + WINDOW;
    if (known < windowEnd) fill();
    const costs = usize(RUNNING_COSTS) - (usize(base) << 3);
    let before = settled;
    let next = span;
    for (let end = load<u32>(next); end <= known; end = load<u32>(next)) {
      const cost = load<u64>(costs + (usize(end) << 3));
      pay(load<u32>(next, ACCOUNT_COLUMN), cost - before);
      before = cost;
      next += 4;
    }
    span = next;
    settled = before;
    if (span === spansEnd) wanted = 2;
    else if (known < windowEnd) wanted = 1;
    else {
      // Charges the open span for its bytes in this window.
      pay(load<u32>(span, ACCOUNT_COLUMN), running - settled);
      base = windowEnd;
      running = 0;
      settled = 0;
      store<u64>(RUNNING_COSTS, 0);
    }
  }
  return wanted;
}
