/** Links to the documentation of compatibility rules. */
const GUIDE = 'https://protobuf.dev/programming-guides';

export const UPDATING_RULES_URL = `${GUIDE}/proto3/#updating`;
export const UNKNOWN_FIELDS = `${GUIDE}/proto3/#unknowns`;
export const WIRE_FORMAT = `${GUIDE}/encoding/#varints`;
export const PACKED = `${GUIDE}/encoding/#packed`;
export const PRESENCE = `${GUIDE}/field_presence/`;
export const JSON_WIRE_SAFETY_URL = `${GUIDE}/json/#json-wire-safety`;
export const RESERVED = `${GUIDE}/proto3/#fieldreserved`;
export const SCALARS = `${GUIDE}/proto3/#scalar`;
export const ENUM = `${GUIDE}/proto3/#enum`;
export const ONEOF = `${GUIDE}/proto3/#oneof-backward-compatibility`;
export const DICTIONARY = 'https://www.rfc-editor.org/rfc/rfc8878#section-5';
export const COMPRESSION = 'https://grpc.io/docs/guides/compression/';
export const MESSAGE_ENCODING = 'https://protobuf.dev/editions/features/#message_encoding';
export const BYTE_STREAM_SPLIT =
  'https://github.com/apache/parquet-format/blob/master/Encodings.md#byte-stream-split-byte_stream_split--9';

export const bufRule = (name: string): string => `https://buf.build/docs/breaking/rules/#${name.toLowerCase()}`;
