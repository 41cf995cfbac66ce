/**
 * A gRPC body: length-prefixed messages, with gRPC-web's trailers.
 * https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
 *
 *   ┌ flag 1 ┬ length 4, big-endian ┬ message ┬ …     flag: 0 plain, 1 compressed, 0x80 trailers as text
 *
 * The body does not say how it is compressed; gzip is known by its first bytes.
 */
import type { Framing } from './framing.ts';
import { gunzip, isGzip } from './grpc-body-gzip.ts';
import { framed, type Open, type Prefix } from './size-prefixed-framer.ts';

const PLAIN = 0;
const COMPRESSED = 1;
const TRAILER = 0x80;

const prefix: Prefix = (header, length) => {
  const flag = header[0]!;
  if (flag !== PLAIN && flag !== COMPRESSED && flag !== TRAILER) return 'bad';
  if (length < 5) return 'more';
  const size = ((header[1]! << 24) | (header[2]! << 16) | (header[3]! << 8) | header[4]!) >>> 0;
  return { size, kind: flag === PLAIN ? 'plain' : flag === COMPRESSED ? 'compressed' : 'trailer' };
};

const open: Open = (payload) =>
  isGzip(payload)
    ? gunzip(payload)
    : { code: 'frame/unknown-compression', reason: 'A compressed message, and not by gzip' };

export const grpcBody: Framing = framed({ id: 'grpc', label: 'gRPC body', prefix, open, compression: 'gzip' });
