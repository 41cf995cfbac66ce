/**
 * OpenStreetMap's PBF: blocks of map data, as a rule compressed.
 *
 *   length×4, big-endian │ BlobHeader { 1 type, 3 size of the Blob } │ Blob { 2 plain size, 1 or 3 to 7 the block }
 *
 * Blocks of map data are the messages; the block before them, of type `OSMHeader`, counts as framing.
 * https://wiki.openstreetmap.org/wiki/PBF_Format
 */
import { uint32be } from '../../bytes/integers.ts';
import { latin1 } from '../../bytes/latin1.ts';
import { varintEnd, varintNumber } from '../../bytes/varint.ts';
import { PLAIN_LIMIT } from '../../compression/codec.ts';
import { WireType } from '../../model/annotation.ts';
import { openCompressed } from '../transport/grpc-body.ts';
import { framed, type SizePrefix } from './size-prefixed-framer.ts';

const LENGTH = 4;
/** The type that the BlobHeader of a block of map data names. */
const DATA = 'OSMData';
/** Tag of the BlobHeader's first field, its type. */
const TYPE_TAG = 0x0a;
/** By the format's definition. */
const MAX_HEADER = 64 * 1024;
/** Longer beginnings of a Blob have no block. */
const MAX_BLOB_HEAD = 32;

/** Codecs by the Blob's field of the block; null: not compressed. */
const CODECS: Readonly<Record<number, string | null>> = {
  1: null,
  3: 'deflate',
  4: 'lzma',
  5: 'bzip2',
  6: 'lz4-block',
  7: 'zstd',
};

interface Entry {
  readonly field: number;
  /** The integer, or the length of the bytes. */
  readonly value: number;
  /** One past the integer, where the bytes begin. */
  readonly start: number;
  readonly isBytes: boolean;
}

/** BlobHeader and Blob have integers and bytes, with numbers below 16. null: incomplete, or another record. */
function entryAt(bytes: Uint8Array, at: number, limit: number): Entry | null {
  const start = varintEnd(bytes, at + 1, limit);
  const wireType = bytes[at]! & 7;
  if (start < 0 || (wireType !== WireType.VARINT && wireType !== WireType.LEN)) return null;
  const value = varintNumber(bytes, at + 1, start);
  return { field: bytes[at]! >> 3, value, start, isBytes: wireType === WireType.LEN };
}

const prefix: SizePrefix = (header, length) => {
  if (length < LENGTH) return 'more';
  if (length > LENGTH && header[LENGTH] !== TYPE_TAG) return 'bad';
  const end = LENGTH + uint32be(header, 0);
  if (end > MAX_HEADER) return 'bad';
  if (length < end) return 'more';
  let type = '';
  let blob = 0;
  for (let at = LENGTH; at < end; ) {
    const entry = entryAt(header, at, end);
    if (entry === null) return 'bad';
    const { field, value, start, isBytes } = entry;
    at = isBytes ? start + value : start;
    if (field === 1 && isBytes) type = latin1(header, start, at);
    else if (field === 3 && !isBytes) blob = value;
  }
  if (!type.startsWith('OSM')) return 'bad';
  for (let at = end; at < length; ) {
    const entry = entryAt(header, at, length);
    if (entry === null) break;
    const { field, value, start, isBytes } = entry;
    if (isBytes) {
      const after = end + blob - start - value;
      const codec = CODECS[field];
      if (codec === undefined || after < 0) return 'bad';
      if (type !== DATA) return { size: value, kind: 'trailer', after };
      return codec === null ? { size: value, kind: 'plain', after } : { size: value, kind: 'compressed', codec, after };
    }
    at = start;
  }
  return length - end < MAX_BLOB_HEAD ? 'more' : 'bad';
};

export const osmPbf = framed({
  id: 'osm-pbf',
  label: 'OpenStreetMap PBF',
  prefix,
  open: openCompressed(PLAIN_LIMIT),
  longest: MAX_HEADER + MAX_BLOB_HEAD,
  isProof: true,
  type: 'OSMPBF.PrimitiveBlock',
});
