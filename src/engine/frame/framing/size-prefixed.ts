/**
 * A sequence of messages, each preceded by its size.
 *
 *   ┌ prefix ┬ payload ┬ prefix ┬ payload ┬ …    prefix: a varint (parseDelimitedFrom), or 2 or 4 fixed bytes
 *
 * Each payload may be compressed: OpenTelemetry's collector writes such files, of protobuf or of JSON.
 * https://github.com/open-telemetry/opentelemetry-collector-contrib/tree/main/exporter/fileexporter
 */

import { PLAIN_LIMIT } from '../../compression/codec.ts';
import { openCompressed } from '../transport/grpc-body.ts';
import type { Framing } from './framing.ts';
import { framed, type Open, type SizePrefix } from './size-prefixed-framer.ts';
import { fixedPrefix, varintPrefix } from './sizes.ts';

const be32 = fixedPrefix(4, 'big');

const compressedPrefix: SizePrefix = (header, length, left) => {
  const frame = be32(header, length, left);
  return typeof frame === 'string' || frame.kind === 'trailer' ? frame : { ...frame, kind: 'compressed' };
};

const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const openCompressedPayload: Open = (payload) => {
  const opened = openCompressed(PLAIN_LIMIT)(payload);
  if (!('bytes' in opened)) return opened;
  const { bytes } = opened;
  return bytes[0] === OPEN_OBJECT && bytes.at(-1) === CLOSE_OBJECT ? { ...opened, format: 'json' } : opened;
};

export const SIZE_PREFIXED: readonly Framing[] = [
  framed({ id: 'varint', label: 'Size-prefixed, varint', prefix: varintPrefix }),
  framed({ id: 'be32', label: 'Size-prefixed, 4 bytes big-endian', prefix: be32 }),
  framed({
    id: 'be32-compressed',
    label: 'Size-prefixed, 4 bytes big-endian, each compressed',
    prefix: compressedPrefix,
    open: openCompressedPayload,
  }),
  framed({ id: 'le32', label: 'Size-prefixed, 4 bytes little-endian', prefix: fixedPrefix(4, 'little') }),
  framed({ id: 'be16', label: 'Size-prefixed, 2 bytes big-endian', prefix: fixedPrefix(2, 'big') }),
  framed({ id: 'le16', label: 'Size-prefixed, 2 bytes little-endian', prefix: fixedPrefix(2, 'little') }),
];
