/**
 * The inner modules of pako, of which one stream can be used again. `gzip` of pako makes a stream of 330 KB for each
 * message, and a message of two bytes takes 1.7 times as long.
 */
import zlib, { type ZStream } from 'pako/lib/zlib/deflate.js';
import Stream from 'pako/lib/zlib/zstream.js';

/** zlib.h: Z_DEFLATED, Z_DEFAULT_STRATEGY, Z_FINISH, Z_STREAM_END. */
const DEFLATED = 8;
const DEFAULT_STRATEGY = 0;
const FINISH = 4;
const STREAM_END = 1;
/** A window of 15 bits, in a container of gzip. */
const WINDOW = 15 + 16;
const MEM_LEVEL = 8;
/** As pako's own `gzip` has it: the hash of zlib, not the one of Chromium's fork. */
const IS_LEGACY_HASH = true;

/** The most bytes that gzip makes of `size`: `deflateBound` of zlib 1.2.13, which pako does not have. */
const mostBytes = (size: number): number => size + (size >> 12) + (size >> 14) + (size >> 25) + 25;

const streams = new Map<number, ZStream>();

function streamAt(level: number): ZStream {
  const known = streams.get(level);
  if (known !== undefined) {
    zlib.deflateReset(known);
    return known;
  }
  const stream = new Stream();
  zlib.deflateInit2(stream, level, DEFLATED, WINDOW, MEM_LEVEL, DEFAULT_STRATEGY, IS_LEGACY_HASH);
  streams.set(level, stream);
  return stream;
}

/** RFC 1952. The same bytes as pako's `gzip`, after any other messages. */
export function gzip(plain: Uint8Array, level: number): Uint8Array {
  const stream = streamAt(level);
  stream.input = plain;
  stream.next_in = 0;
  stream.avail_in = plain.length;
  const output = new Uint8Array(mostBytes(plain.length));
  stream.output = output;
  stream.next_out = 0;
  stream.avail_out = output.length;
  if (zlib.deflate(stream, FINISH) !== STREAM_END) throw new Error('zlib needs more room than it says.');
  stream.input = stream.output = null;
  return output.slice(0, stream.next_out);
}
