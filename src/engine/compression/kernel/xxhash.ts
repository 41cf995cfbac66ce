/** XXH32 and the low half of XXH64, with seed 0: https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md */

const P1: u32 = 0x9e3779b1;
const P2: u32 = 0x85ebca77;
const P3: u32 = 0xc2b2ae3d;
const P4: u32 = 0x27d4eb2f;
const P5: u32 = 0x165667b1;

function round32(sum: u32, at: usize): u32 {
  return rotl<u32>(sum + load<u32>(at) * P2, 13) * P1;
}

export function xxh32(start: usize, end: usize): u32 {
  let hash = P5;
  let at = start;
  if (end - start >= 16) {
    let a = P1 + P2;
    let b = P2;
    let c: u32 = 0;
    let d = 0 - P1;
    for (; at + 16 <= end; at += 16) {
      a = round32(a, at);
      b = round32(b, at + 4);
      c = round32(c, at + 8);
      d = round32(d, at + 12);
    }
    hash = rotl<u32>(a, 1) + rotl<u32>(b, 7) + rotl<u32>(c, 12) + rotl<u32>(d, 18);
  }
  hash += u32(end - start);
  for (; at + 4 <= end; at += 4) hash = rotl<u32>(hash + load<u32>(at) * P3, 17) * P4;
  for (; at < end; at++) hash = rotl<u32>(hash + u32(load<u8>(at)) * P5, 11) * P1;
  hash = (hash ^ (hash >> 15)) * P2;
  hash = (hash ^ (hash >> 13)) * P3;
  return hash ^ (hash >> 16);
}

/** Halves, because a number of JavaScript has 53 bits. */
function joined(high: u32, low: u32): u64 {
  return (u64(high) << 32) | u64(low);
}

const Q1 = joined(0x9e3779b1, 0x85ebca87);
const Q2 = joined(0xc2b2ae3d, 0x27d4eb4f);
const Q3 = joined(0x165667b1, 0x9e3779f9);
const Q4 = joined(0x85ebca77, 0xc2b2ae63);
const Q5 = joined(0x27d4eb2f, 0x165667c5);

function round64(sum: u64, value: u64): u64 {
  return rotl<u64>(sum + value * Q2, 31) * Q1;
}

function merged(hash: u64, sum: u64): u64 {
  return (hash ^ round64(0, sum)) * Q1 + Q4;
}

export function xxh64(start: usize, end: usize): u32 {
  let hash = Q5;
  let at = start;
  if (end - start >= 32) {
    let a = Q1 + Q2;
    let b = Q2;
    let c: u64 = 0;
    let d = 0 - Q1;
    for (; at + 32 <= end; at += 32) {
      a = round64(a, load<u64>(at));
      b = round64(b, load<u64>(at, 8));
      c = round64(c, load<u64>(at, 16));
      d = round64(d, load<u64>(at, 24));
    }
    hash = rotl<u64>(a, 1) + rotl<u64>(b, 7) + rotl<u64>(c, 12) + rotl<u64>(d, 18);
    hash = merged(merged(merged(merged(hash, a), b), c), d);
  }
  hash += end - start;
  for (; at + 8 <= end; at += 8) hash = rotl<u64>(hash ^ round64(0, load<u64>(at)), 27) * Q1 + Q4;
  if (at + 4 <= end) {
    hash = rotl<u64>(hash ^ (u64(load<u32>(at)) * Q1), 23) * Q2 + Q3;
    at += 4;
  }
  for (; at < end; at++) hash = rotl<u64>(hash ^ (u64(load<u8>(at)) * Q5), 11) * Q1;
  hash = (hash ^ (hash >> 33)) * Q2;
  hash = (hash ^ (hash >> 29)) * Q3;
  return u32(hash ^ (hash >> 32));
}
