/**
 * An object as Kubernetes stores it in etcd and sends it as `application/vnd.kubernetes.protobuf`: a magic number, then
 * `runtime.Unknown`, which has the object's message in its field 2.
 *
 *   "k8s" 0 │ 0a size (0a size apiVersion │ 12 size kind) │ 12 size │ message │ 1a size contentEncoding │ 22 size contentType
 *
 * https://kubernetes.io/docs/reference/using-api/api-concepts/#protobuf-encoding
 */
import { varintEnd, varintNumber } from '../../bytes/varint.ts';
import { framed, MAX_PREFIX, type SizedFrame } from './size-prefixed-framer.ts';

const MAGIC = [0x6b, 0x38, 0x73, 0];
/** Tags of `runtime.Unknown`. */
const TYPE_META = 0x0a;
const RAW = 0x12;
const CONTENT_ENCODING = 0x1a;
const CONTENT_TYPE = 0x22;

/** Where the contents of a field of bytes begin and end, which may be after the bytes; null: its size is not whole. */
function fieldAt(bytes: Uint8Array, at: number): { readonly start: number; readonly end: number } | null {
  const start = varintEnd(bytes, at + 1, bytes.length);
  return start < 0 ? null : { start, end: start + varintNumber(bytes, at + 1, start) };
}

/** The bytes before the object's message, and the two fields after it. */
function prefix(header: Uint8Array, length: number): SizedFrame | 'more' | 'bad' {
  const bytes = header.subarray(0, length);
  const more = length < MAX_PREFIX ? 'more' : 'bad';
  if (bytes[0] === CONTENT_ENCODING || bytes[0] === CONTENT_TYPE) {
    const field = fieldAt(bytes, 0);
    return field === null ? more : { size: field.end - field.start, kind: 'trailer' };
  }
  if (MAGIC.some((byte, at) => at < length && bytes[at] !== byte)) return 'bad';
  if (length <= MAGIC.length) return 'more';
  if (bytes[MAGIC.length] !== TYPE_META) return 'bad';
  const type = fieldAt(bytes, MAGIC.length);
  if (type === null || type.end >= length) return more;
  if (bytes[type.end] !== RAW) return 'bad';
  const raw = fieldAt(bytes, type.end);
  return raw === null ? more : { size: raw.end - raw.start, kind: 'plain' };
}

export const kubernetes = framed({ id: 'kubernetes', label: 'Kubernetes object', prefix });
