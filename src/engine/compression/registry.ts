/**
 * The decoding steps from captured bytes to a payload: `gzip`, `base64|slice:5:125|snappy`.
 * A message's place contains them (`BodyRef.compression`), so that the payload can be decoded again.
 */
import { decodeBrotli } from './brotli.ts';
import { type Decode, type Decoded, decodeFailure, PLAIN_LIMIT } from './codec.ts';
import { decodeHpackHuffman } from './hpack-huffman.ts';
import { decodeDeflate, decodeDfl, decodeGzip } from './inflate.ts';
import { isKernelMemory } from './kernel.ts';
import { decodeLz4Block, decodeLz4Frame } from './lz4.ts';
import { decodeSnappy, decodeSnappyFramed } from './snappy.ts';
import { decodeSnappyXerial } from './snappy-xerial.ts';
import { decodeBase64, decodeJsonLatin1, decodeJsonString, decodeQuery } from './text-bodies.ts';
import { decodeZstd } from './zstd.ts';

/** Decoders by id: those of formats (`formats.ts`), and other steps. To add a decoder, add a row here. */
const CODECS: Readonly<Record<string, Decode>> = {
  gzip: decodeGzip,
  deflate: decodeDeflate,
  dfl: decodeDfl,
  snappy: decodeSnappy,
  'snappy-framed': decodeSnappyFramed,
  'snappy-xerial': decodeSnappyXerial,
  base64: decodeBase64,
  'json-string': decodeJsonString,
  'json-latin1': decodeJsonLatin1,
  query: decodeQuery,
  'hpack-huffman': decodeHpackHuffman,
  zstd: decodeZstd,
  brotli: decodeBrotli,
  'lz4-block': decodeLz4Block,
  'lz4-frame': decodeLz4Frame,
};

export const joinSteps = (steps: readonly string[]): string | null => (steps.length === 0 ? null : steps.join('|'));

export const sliceStep = (start: number, end: number): string => `slice:${start}:${end}`;

/**
 * Applies the steps in order. @param compression as in `BodyRef`; null: returns the bytes unchanged. The result is
 * borrowed.
 */
export function decodeBody(bytes: Uint8Array, compression: string | null, limit: number = PLAIN_LIMIT): Decoded {
  if (compression === null) return { ok: true, bytes };
  if (Object.hasOwn(CODECS, compression)) {
    const decoded = CODECS[compression]!(bytes, limit);
    return decoded.ok ? { ok: true, bytes: decoded.bytes } : decoded;
  }
  let current = bytes;
  for (const step of compression.split('|')) {
    const [name, start, end] = step.split(':');
    if (name === 'slice') {
      current = current.subarray(Number(start), Number(end));
      continue;
    }
    if (!Object.hasOwn(CODECS, name!)) return decodeFailure('missing', `no decoder for ${name}`);
    const decode = CODECS[name!]!;
    // A decoder overwrites the output of the previous one, so its input is copied.
    const decoded = decode(isKernelMemory(current) ? current.slice() : current, limit);
    if (!decoded.ok) return decoded;
    current = decoded.bytes;
  }
  return { ok: true, bytes: current };
}
