/** The encodings that a message can be written in. To add an encoding, add a file here and a row. */
import type { AnnotationTable } from '../model/annotation.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import { annotate } from '../wire/annotate.ts';
import { BSON } from './bson.ts';
import { CAPNP, CAPNP_PACKED } from './capnp.ts';
import { CBOR_ARRAY, CBOR_NAMED, CBOR_NUMBERED, CBOR_SHORT_NAMED } from './cbor.ts';
import type { EncodingRow, EncodingSubject } from './encoding-row.ts';
import { FLATBUFFERS } from './flatbuffers.ts';
import { JSON_CANONICAL, JSON_PROTO_NAMES } from './json.ts';
import { JSON_OTLP } from './json-otlp.ts';
import { MAX_DEPTH, readMessageValue } from './message-value.ts';
import { MSGPACK_ARRAY, MSGPACK_NAMED, MSGPACK_NUMBERED } from './msgpack.ts';
import { NATIVE_ENCODINGS } from './native-encoding.ts';
import { PROTOBUF } from './protobuf.ts';
import { SMILE } from './smile.ts';
import { THRIFT_BINARY } from './thrift-binary.ts';
import { THRIFT_COMPACT } from './thrift-compact.ts';
import type { Refused } from './token-writer.ts';
import { TXTPB } from './txtpb.ts';

export const ENCODINGS: readonly EncodingRow[] = [
  PROTOBUF,
  JSON_CANONICAL,
  JSON_OTLP,
  JSON_PROTO_NAMES,
  TXTPB,
  MSGPACK_NAMED,
  MSGPACK_NUMBERED,
  MSGPACK_ARRAY,
  CBOR_NAMED,
  CBOR_NUMBERED,
  CBOR_ARRAY,
  CBOR_SHORT_NAMED,
  SMILE,
  THRIFT_COMPACT,
  THRIFT_BINARY,
  BSON,
  FLATBUFFERS,
  CAPNP,
  CAPNP_PACKED,
  ...NATIVE_ENCODINGS,
];

export const encodingById = (id: string): EncodingRow | undefined => ENCODINGS.find((row) => row.id === id);

/** Prepares a protobuf message for writing in any encoding; or returns why that is impossible. */
export function encodingSubject(
  bytes: Uint8Array,
  type: MessageDescriptor,
  table: AnnotationTable<FieldDescriptor> = annotate(bytes, type).table,
): { readonly ok: true; readonly subject: EncodingSubject } | Refused {
  const { value, dropped, isTooDeep } = readMessageValue(bytes, table, type);
  if (isTooDeep) return { ok: false, reason: `Messages are nested deeper than ${MAX_DEPTH}.` };
  return { ok: true, subject: { type, value, dropped, bytes, table } };
}
