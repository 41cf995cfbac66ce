/** CRC-32 (RFC 1952) and CRC-32C (RFC 3720, B.4), reflected, sixteen bytes a step; Adler-32 (RFC 1950). */
import { CASTAGNOLI_SUMS, IEEE_SUMS } from '../kernel-memory.ts';

const ROW = 1024;

let prepared = false;

/** Row n of sixteen: the effect on the sum of a byte that is followed by n bytes in the step. */
function fill(rows: usize, polynomial: u32): void {
  for (let byte: u32 = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) !== 0 ? (crc >> 1) ^ polynomial : crc >> 1;
    store<u32>(rows + (byte << 2), crc);
  }
  for (let at: usize = ROW; at < 16 * ROW; at += 4) {
    const before = load<u32>(rows + at - ROW);
    store<u32>(rows + at, (before >> 8) ^ load<u32>(rows + ((before & 255) << 2)));
  }
}

/** The effect of four bytes, the last of which is followed by as many bytes as the row number of `rows`. */
function four(rows: usize, word: u32): u32 {
  return (
    load<u32>(rows + ((word & 255) << 2), 3 * ROW) ^
    load<u32>(rows + (((word >> 8) & 255) << 2), 2 * ROW) ^
    load<u32>(rows + (((word >> 16) & 255) << 2), ROW) ^
    load<u32>(rows + ((word >> 24) << 2))
  );
}

function sum(rows: usize, start: usize, end: usize): u32 {
  if (!prepared) {
    fill(IEEE_SUMS, 0xedb88320);
    fill(CASTAGNOLI_SUMS, 0x82f63b78);
    prepared = true;
  }
  let crc: u32 = 0xffffffff;
  let at = start;
  for (; at + 16 <= end; at += 16) {
    crc =
      four(rows + 12 * ROW, load<u32>(at) ^ crc) ^
      four(rows + 8 * ROW, load<u32>(at + 4)) ^
      four(rows + 4 * ROW, load<u32>(at + 8)) ^
      four(rows, load<u32>(at + 12));
  }
  for (; at < end; at++) crc = (crc >> 8) ^ load<u32>(rows + (((crc ^ load<u8>(at)) & 255) << 2));
  return ~crc;
}

export function crc32(start: usize, end: usize): u32 {
  return sum(IEEE_SUMS, start, end);
}

export function crc32c(start: usize, end: usize): u32 {
  return sum(CASTAGNOLI_SUMS, start, end);
}

/** Maximum number of bytes whose sums stay below 2³² without reduction. */
const ADLER_RUN: usize = 5552;

export function adler32(start: usize, end: usize): u32 {
  let a: u32 = 1;
  let b: u32 = 0;
  for (let at = start; at < end; ) {
    const left = end - at;
    const stop = at + (left < ADLER_RUN ? left : ADLER_RUN);
    for (; at < stop; at++) {
      a += load<u8>(at);
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  return (b << 16) | a;
}
