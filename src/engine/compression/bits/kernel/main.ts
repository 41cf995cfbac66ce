/**
 * The exports of this kernel, which writes tokens and assigns bits: functions that the host may call, and variables
 * that it reads.
 */
import { consumed } from '../../kernel/consumed.ts';
import * as Inflate from '../../kernel/inflate.ts';
import * as Lz4 from '../../kernel/lz4.ts';
import { makeRoom } from '../../kernel/room.ts';
import * as Snappy from '../../kernel/snappy.ts';
import { adler32, crc32, crc32c } from '../../kernel/sums.ts';
import { begin } from '../../kernel/tokens.ts';
import { xxh32, xxh64 } from '../../kernel/xxhash.ts';
import * as Zstd from '../../kernel/zstd.ts';
import { huffman, huffmanOfFour, taken } from '../../kernel/zstd.ts';
import { beginSettling, moreSpans, moreTokens, price, settle } from './settle.ts';

export {
  adler32,
  begin,
  beginSettling,
  consumed,
  crc32,
  crc32c,
  huffman,
  huffmanOfFour,
  makeRoom,
  moreSpans,
  moreTokens,
  price,
  settle,
  taken,
  xxh32,
  xxh64,
};

export function inflate(start: usize, end: usize, output: usize, limit: u32): i32 {
  return Inflate.inflate<u8>(start, end, output, limit, limit);
}

export function snappy(start: usize, pause: usize, end: usize, output: usize, written: u32, size: u32): i32 {
  return Snappy.snappy<u8>(start, pause, end, output, written, size);
}

export function lz4(start: usize, pause: usize, end: usize, floor: usize, begin: usize, stop: usize, most: usize): i32 {
  return Lz4.lz4<u8>(start, pause, end, floor, begin, stop, most);
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
  return Zstd.sequences<u8>(
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

/** Whether DEFLATE reached the end of a block that is marked as the last. */
export function isFinished(): i32 {
  return Inflate.finished;
}

/** Bits of LZ4's last token if it has no literals. */
export function endBits(): u32 {
  return Lz4.endBits;
}
