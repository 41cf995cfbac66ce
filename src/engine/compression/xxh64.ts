/** XXH64 with seed 0 (RFC 8878 uses its low half), in 32-bit halves. https://github.com/Cyan4973/xxHash, xxhash_spec.md */
import { int32 } from '../bytes/integers.ts';
import { SLICE, type Slices } from './codec.ts';

const P1 = [0x9e3779b1, 0x85ebca87] as const;
const P2 = [0xc2b2ae3d, 0x27d4eb4f] as const;
const P3 = [0x165667b1, 0x9e3779f9] as const;
const P4 = [0x85ebca77, 0xc2b2ae63] as const;
const P5 = [0x27d4eb2f, 0x165667c5] as const;
const STRIPE = 32;

/** The current number, which every following step modifies. */
let high = 0;
let low = 0;

function times([h, l]: readonly [number, number]): void {
  const a0 = low & 0xffff;
  const a1 = low >>> 16;
  const b0 = l & 0xffff;
  const b1 = l >>> 16;
  const middle = (Math.imul(a1, b0) >>> 0) + (Math.imul(a0, b0) >>> 16);
  const other = (Math.imul(a0, b1) >>> 0) + (middle & 0xffff);
  const carried = Math.imul(a1, b1) + Math.floor(middle / 65536) + Math.floor(other / 65536);
  high = (carried + Math.imul(low, h) + Math.imul(high, l)) | 0;
  low = Math.imul(low, l);
}

function plus(h: number, l: number): void {
  const sum = (low >>> 0) + (l >>> 0);
  high = (high + h + (sum > 0xffffffff ? 1 : 0)) | 0;
  low = sum | 0;
}

/** @param count below 32 */
function rotate(count: number): void {
  const turned = (high << count) | (low >>> (32 - count));
  low = (low << count) | (high >>> (32 - count));
  high = turned;
}

/** @param count below 64 */
function xorShifted(count: number): void {
  const shiftedLow = count < 32 ? (low >>> count) | (high << (32 - count)) : high >>> (count - 32);
  const shiftedHigh = count < 32 ? high >>> count : 0;
  high ^= shiftedHigh;
  low ^= shiftedLow;
}

/** `lane = rotate(lane + input × P2, 31) × P1` */
function round(lanes: Int32Array, lane: number, bytes: Uint8Array, at: number): void {
  high = int32(bytes, at + 4);
  low = int32(bytes, at);
  times(P2);
  plus(lanes[lane]!, lanes[lane + 1]!);
  rotate(31);
  times(P1);
  lanes[lane] = high;
  lanes[lane + 1] = low;
}

/** `sum = (sum ^ value) × P1 + P4`, with the current value */
function merge(sumHigh: number, sumLow: number): void {
  high ^= sumHigh;
  low ^= sumLow;
  times(P1);
  plus(...P4);
}

export function* xxh64Low(bytes: Uint8Array): Slices<number> {
  let at = 0;
  high = P5[0] | 0;
  low = P5[1] | 0;
  if (bytes.length >= STRIPE) {
    const lanes = Int32Array.of(0x60ea27ee, 0xadc0b5d6, P2[0], P2[1], 0, 0, 0x61c8864e, 0x7a143579);
    for (const end = bytes.length - STRIPE; at <= end; at += STRIPE) {
      if (at > 0 && at % SLICE === 0) yield;
      for (let lane = 0; lane < 8; lane += 2) round(lanes, lane, bytes, at + lane * 4);
    }
    let sumHigh = 0;
    let sumLow = 0;
    for (const [lane, turn] of [1, 7, 12, 18].entries()) {
      high = lanes[lane * 2]!;
      low = lanes[lane * 2 + 1]!;
      rotate(turn);
      plus(sumHigh, sumLow);
      sumHigh = high;
      sumLow = low;
    }
    for (let lane = 0; lane < 8; lane += 2) {
      high = lanes[lane]!;
      low = lanes[lane + 1]!;
      times(P2);
      rotate(31);
      times(P1);
      merge(sumHigh, sumLow);
      sumHigh = high;
      sumLow = low;
    }
  }
  plus(Math.floor(bytes.length / 2 ** 32), bytes.length);
  for (; at + 8 <= bytes.length; at += 8) {
    const sumHigh = high;
    const sumLow = low;
    high = int32(bytes, at + 4);
    low = int32(bytes, at);
    times(P2);
    rotate(31);
    times(P1);
    high ^= sumHigh;
    low ^= sumLow;
    rotate(27);
    times(P1);
    plus(...P4);
  }
  if (at + 4 <= bytes.length) {
    const sumHigh = high;
    const sumLow = low;
    high = 0;
    low = int32(bytes, at);
    times(P1);
    high ^= sumHigh;
    low ^= sumLow;
    rotate(23);
    times(P2);
    plus(...P3);
    at += 4;
  }
  for (; at < bytes.length; at++) {
    const sumHigh = high;
    const sumLow = low;
    high = 0;
    low = bytes[at]!;
    times(P5);
    high ^= sumHigh;
    low ^= sumLow;
    rotate(11);
    times(P1);
  }
  xorShifted(33);
  times(P2);
  xorShifted(29);
  times(P3);
  xorShifted(32);
  return low >>> 0;
}
