/**
 * Snappy blocks in the frame of xerial's snappy-java, which Kafka's clients write.
 * https://github.com/xerial/snappy-java, SnappyOutputStream. Numbers are big-endian.
 *
 *   82 "SNAPPY" 00 │ version×4 │ compatible version×4 │ blocks: length×4, snappy block
 */
import { joinBytes } from '../bytes/join.ts';
import { atOnce, type Decode, decodeFailure, SLICE } from './codec.ts';
import { type DecodeSlices, decoders } from './kernel.ts';
import { snappySlices } from './snappy.ts';

const MAGIC = [0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0];
const HEADER = 16;

export const isSnappyXerial = (bytes: Uint8Array): boolean => MAGIC.every((byte, at) => bytes[at] === byte);

export const snappyXerialSlices: DecodeSlices = function* (bytes, limit, kernel) {
  if (!isSnappyXerial(bytes)) return decodeFailure('malformed', 'no xerial header');
  if (bytes.length < HEADER) return decodeFailure('truncated', 'ends within the header');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const parts: Uint8Array[] = [];
  let size = 0;
  let due = SLICE;
  for (let at = HEADER; at < bytes.length; ) {
    if (at + 4 > bytes.length) return decodeFailure('truncated', 'ends within a block length');
    const end = at + 4 + view.getUint32(at);
    if (end > bytes.length) return decodeFailure('truncated', 'ends within a block');
    const plain = yield* snappySlices(bytes.subarray(at + 4, end), limit - size, kernel);
    if (!plain.ok) return plain;
    size += plain.bytes.length;
    parts.push(plain.bytes.slice());
    at = end;
    if (size >= due) {
      due = size + SLICE;
      yield;
    }
  }
  return { ok: true, bytes: joinBytes(parts) };
};

export const decodeSnappyXerial: Decode = (bytes, limit) => atOnce(snappyXerialSlices(bytes, limit, decoders));
