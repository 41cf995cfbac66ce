/**
 * A gRPC body: length-prefixed messages, with gRPC-web's trailers.
 * https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
 *
 *   ┌ flag 1 ┬ length 4, big-endian ┬ message ┬ …     flag: 0 plain, 1 compressed, 0x80 trailers as text
 *
 * The body does not name its compression; the codec is recognised by the first bytes.
 */

import { PLAIN_LIMIT } from '../../compression/codec.ts';
import { loadedDecoders } from '../../compression/load-decoders.ts';
import { sniffCodec } from '../../compression/signatures.ts';
import { countText } from '../../model/count-text.ts';
import type { Framing } from '../framing/framing.ts';
import { framed, type Open, type SizePrefix } from '../framing/size-prefixed-framer.ts';

const PLAIN = 0;
const COMPRESSED = 1;
const TRAILER = 0x80;

const prefix: SizePrefix = (header, length) => {
  const flag = header[0]!;
  if (flag !== PLAIN && flag !== COMPRESSED && flag !== TRAILER) return 'bad';
  if (length < 5) return 'more';
  const size = ((header[1]! << 24) | (header[2]! << 16) | (header[3]! << 8) | header[4]!) >>> 0;
  return { size, kind: flag === PLAIN ? 'plain' : flag === COMPRESSED ? 'compressed' : 'trailer' };
};

/** Decoders must be loaded. @param limit maximum decompressed bytes of one message */
export const openCompressed =
  (limit: number): Open =>
  (payload, codec) => {
    const compression = codec ?? sniffCodec(payload);
    if (compression === null) {
      return {
        code: 'frame/unknown-compression',
        reason: 'A compressed message, and its bytes do not show by which codec',
      };
    }
    const plain = loadedDecoders()!.decodeBody(payload, compression, limit);
    if (plain.ok) return { bytes: plain.bytes, compression };
    return plain.reason === 'limit'
      ? { code: 'frame/too-large', reason: `A compressed message grows beyond ${countText(limit)} bytes` }
      : {
          code: 'frame/bad-compression',
          reason: `A message that cannot be decompressed (${compression}): ${plain.detail}`,
        };
  };

export const grpcBody: Framing = framed({
  id: 'grpc',
  label: 'gRPC body',
  prefix,
  open: openCompressed(PLAIN_LIMIT),
});
