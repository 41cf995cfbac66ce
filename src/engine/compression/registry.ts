/**
 * The decoding steps from captured bytes to a payload: `gzip`, `base64|slice:5:125|snappy`.
 * A message's place contains them (`BodyRef.compression`), so that the payload can be decoded again.
 */
import { AbortError, type ReadControl } from '../bytes/source.ts';
import { brotliSlices, decodeBrotli } from './brotli.ts';
import { type Decode, type Decoded, decodeFailure, PLAIN_LIMIT, SLICE, type Slices } from './codec.ts';
import { decodeEventData, EVENT_DATA } from './event-data.ts';
import { decodeHpackHuffman } from './hpack-huffman.ts';
import { decodeDeflate, decodeDfl, decodeGzip, deflateSlices, dflSlices, gzipSlices } from './inflate.ts';
import { type DecodeSlices, isKernelMemory, ownKernel } from './kernel.ts';
import { decodeLz4Block, decodeLz4Frame, lz4BlockSlices, lz4FrameSlices } from './lz4.ts';
import { decodeMessageDeflate, messageDeflateSlices } from './message-deflate.ts';
import { decodeSnappy, decodeSnappyFramed, snappyFramedSlices, snappySlices } from './snappy.ts';
import { decodeSnappyXerial, snappyXerialSlices } from './snappy-xerial.ts';
import {
  base64Slices,
  decodeBase64,
  decodeJsonLatin1,
  decodeJsonString,
  decodeQuery,
  jsonLatin1Slices,
  jsonStringSlices,
  querySlices,
} from './text-bodies.ts';
import { unmask } from './unmask.ts';
import { decodeZstd, zstdSlices } from './zstd.ts';

/** Decoders by id: those of formats (`formats.ts`), and other steps. To add a decoder, add a row here. */
const CODECS: Readonly<Record<string, Decode>> = {
  gzip: decodeGzip,
  deflate: decodeDeflate,
  dfl: decodeDfl,
  'message-deflate': decodeMessageDeflate,
  snappy: decodeSnappy,
  'snappy-framed': decodeSnappyFramed,
  'snappy-xerial': decodeSnappyXerial,
  base64: decodeBase64,
  'json-string': decodeJsonString,
  'json-latin1': decodeJsonLatin1,
  query: decodeQuery,
  [EVENT_DATA]: decodeEventData,
  'hpack-huffman': decodeHpackHuffman,
  zstd: decodeZstd,
  brotli: decodeBrotli,
  'lz4-block': decodeLz4Block,
  'lz4-frame': decodeLz4Frame,
};

/** Steps that only take bytes out of a text, a longer body or masked frames. */
const UNCOMPRESSED_STEP = /^(?:base64|json-|query|event-data|slice:|unmask)/;

export const isCompressed = (steps: readonly string[]): boolean => steps.some((step) => !UNCOMPRESSED_STEP.test(step));

export const joinSteps = (steps: readonly string[]): string | null => (steps.length === 0 ? null : steps.join('|'));

export const sliceStep = (start: number, end: number): string => `slice:${start}:${end}`;

/** Decoders that give way. */
const SLICED: Readonly<Record<string, DecodeSlices>> = {
  gzip: gzipSlices,
  deflate: deflateSlices,
  dfl: dflSlices,
  'message-deflate': messageDeflateSlices,
  zstd: zstdSlices,
  brotli: brotliSlices,
  snappy: snappySlices,
  'snappy-framed': snappyFramedSlices,
  'snappy-xerial': snappyXerialSlices,
  'lz4-block': lz4BlockSlices,
  'lz4-frame': lz4FrameSlices,
  base64: base64Slices,
  'json-string': jsonStringSlices,
  'json-latin1': jsonLatin1Slices,
  query: querySlices,
};

/**
 * Applies the steps in order. @param compression as in `BodyRef`; null: returns the bytes unchanged. The result is
 * borrowed. @param window plain bytes that a compressed WebSocket message may copy from
 */
export function decodeBody(
  bytes: Uint8Array,
  compression: string | null,
  limit: number = PLAIN_LIMIT,
  window?: Uint8Array,
): Decoded {
  if (compression === null) return { ok: true, bytes };
  if (Object.hasOwn(CODECS, compression)) {
    const decoded = CODECS[compression]!(bytes, limit, window);
    return decoded.ok ? { ok: true, bytes: decoded.bytes } : decoded;
  }
  let current = bytes;
  for (const step of compression.split('|')) {
    const taken = takeOut(current, step);
    if (taken !== null) {
      current = taken;
      continue;
    }
    if (!Object.hasOwn(CODECS, step)) return decodeFailure('missing', `no decoder for ${step}`);
    const decode = CODECS[step]!;
    // A decoder overwrites the output of the previous one, so its input is copied.
    const decoded = decode(isKernelMemory(current) ? current.slice() : current, limit, window);
    if (!decoded.ok) return decoded;
    current = decoded.bytes;
  }
  return { ok: true, bytes: current };
}

/**
 * As `decodeBody`, and a body that gives more than a slice gives way after every slice; its bytes are copied first. The
 * result is borrowed.
 */
export function* decodeSlices(
  bytes: Uint8Array,
  compression: string | null,
  limit: number,
  window?: Uint8Array,
): Slices<Decoded> {
  const small = decodeBody(bytes, compression, compression === null ? limit : Math.min(limit, SLICE), window);
  if (small.ok || small.reason !== 'limit' || limit <= SLICE) return small;
  let current: Uint8Array = bytes.slice();
  yield;
  for (const step of compression!.split('|')) {
    const taken = takeOut(current, step);
    if (taken !== null) {
      current = taken;
      continue;
    }
    const decoded = Object.hasOwn(SLICED, step)
      ? yield* SLICED[step]!(current, limit, ownKernel(), window)
      : decodeBody(current, step, limit);
    if (!decoded.ok) return decoded;
    current = isKernelMemory(decoded.bytes) ? decoded.bytes.slice() : decoded.bytes;
    yield;
  }
  return { ok: true, bytes: current };
}

/** As `decodeSlices`. The result is not borrowed: it is copied in slices, and the memory that it was decoded in is freed. */
export function* decodeOwned(
  bytes: Uint8Array,
  compression: string,
  limit: number,
  window?: Uint8Array,
): Slices<Decoded> {
  const decoded = yield* decodeSlices(bytes, compression, limit, window);
  if (!decoded.ok) return decoded;
  const copy = new Uint8Array(decoded.bytes.length);
  for (let at = 0; at < copy.length; at += SLICE) {
    if (at > 0) yield;
    copy.set(decoded.bytes.subarray(at, at + SLICE), at);
  }
  return { ok: true, bytes: copy };
}

/** null: the step is a decoder. */
function takeOut(bytes: Uint8Array, step: string): Uint8Array | null {
  const [name, ...numbers] = step.split(':');
  if (name === 'slice') return bytes.subarray(Number(numbers[0]), Number(numbers[1]));
  return name === 'unmask' ? unmask(bytes, numbers.map(Number)) : null;
}

/** @throws AbortError when the signal is set between two slices; the rest of the work is dropped */
export async function patiently<T>(work: Slices<T>, { signal, pause }: ReadControl): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    await pause?.();
    if (!signal?.aborted) continue;
    const error = new AbortError();
    // The work gives back what it holds.
    work.return(error as never);
    throw error;
  }
}
