/**
 * The exports of the decoders' kernel: functions that the host may call, and variables that it reads. Compiled by
 * scripts/kernel.ts into ../kernel-code.ts.
 */
import { consumed } from './consumed.ts';
import * as Inflate from './inflate.ts';
import * as Lz4 from './lz4.ts';
import { makeRoom } from './room.ts';
import * as Snappy from './snappy.ts';
import { adler32, crc32, crc32c } from './sums.ts';
import { xxh32, xxh64 } from './xxhash.ts';
import * as Zstd from './zstd.ts';
import { huffman, huffmanOfFour, taken } from './zstd.ts';

export { adler32, consumed, crc32, crc32c, huffman, huffmanOfFour, makeRoom, taken, xxh32, xxh64 };

export function inflate(start: usize, end: usize, output: usize, limit: u32, slice: u32): i32 {
  return Inflate.inflate<u32>(start, end, output, limit, slice);
}

export function inflateOn(start: usize, end: usize, output: usize, limit: u32, slice: u32): i32 {
  return Inflate.inflateOn<u32>(start, end, output, limit, slice);
}

export function snappy(start: usize, pause: usize, end: usize, output: usize, written: u32, size: u32): i32 {
  return Snappy.snappy<u32>(start, pause, end, output, written, size);
}

export function lz4(start: usize, pause: usize, end: usize, floor: usize, begin: usize, stop: usize, most: usize): i32 {
  return Lz4.lz4<u32>(start, pause, end, floor, begin, stop, most);
}

export function sequences(
  start: usize,
  end: usize,
  number: u32,
  literalsAccuracy: u32,
  distanceAccuracy: u32,
  matchAccuracy: u32,
  literals: usize,
  count: u32,
  begin: usize,
  stop: usize,
  floor: usize,
): i32 {
  return Zstd.sequences<u32>(
    start,
    end,
    number,
    literalsAccuracy,
    distanceAccuracy,
    matchAccuracy,
    literals,
    count,
    begin,
    stop,
    floor,
  );
}
