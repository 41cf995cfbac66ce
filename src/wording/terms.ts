/**
 * Every term of the interface in one sentence, with an example where one helps. The page shows it at hover, focus and
 * long press of an element that names its term (`data-term`), and docs/glossary.md is generated from this table.
 */
import type { Layer } from '#engine/capture/containers/packets-layers.ts';
import type { Cause } from '#engine/cost/compare.ts';
import type { Category } from '#engine/model/annotation.ts';

export interface Term {
  readonly word: string;
  readonly says: string;
}

/** Causes of a difference, by the key that the waterfall uses. */
const CAUSE_TERMS: Readonly<Record<Cause, Term>> = {
  tags: {
    word: 'Tags',
    says: 'Protobuf writes a field’s number and wire type before each value; a native stream knows the order and writes none. Field 5 of hits takes 1 byte in each hit.',
  },
  lengths: {
    word: 'Length prefixes',
    says: 'Protobuf writes a length before each sub-message and packed list; native writes it before texts and bytes only. A label of 20 bytes takes 1 byte more.',
  },
  flags: {
    word: 'Optional flags',
    says: 'Native writes a byte that says whether an optional value follows; protobuf leaves an absent field out. An absent explanation takes 1 byte natively.',
  },
  counts: {
    word: 'Counts',
    says: 'Native writes the element count of a list; protobuf repeats the tag before each element. An empty list takes 1 byte natively and none in protobuf.',
  },
  types: {
    word: 'Type bytes',
    says: 'Native writes a byte that names the type of a value that can have several types; protobuf uses the field number. A generic value of text takes 1 byte more natively.',
  },
  names: {
    word: 'Repeated names',
    says: 'A name that only one side writes: a map key that is repeated in the value, or the type name of an object. The aggregation "max" takes 4 bytes natively.',
  },
  absent: {
    word: 'Values protobuf leaves out',
    says: 'Native writes a value where protobuf writes nothing, because it is the default. A version of 0 takes 8 bytes natively and none in protobuf.',
  },
  widths: {
    word: 'Fixed against variable widths',
    says: 'The same number takes a different number of bytes: a varint grows with the number, a fixed integer does not. The value 7 takes 1 byte as a varint and 8 as a long.',
  },
  negatives: {
    word: 'Negative numbers in ten bytes',
    says: 'A negative int32, int64 or enum takes ten bytes as a varint; sint64 takes fewer. A version of −1 takes 10 bytes as int64 and 1 as sint64.',
  },
  text: {
    word: 'Texts in other bytes',
    says: 'Native writes the same text otherwise: OpenSearch in UTF-16 units, and any profile U+FFFD in place of bytes that are not UTF-8. For 100 “é”, protobuf writes the length 200 in 2 bytes; OpenSearch writes 100 in 1 byte.',
  },
  superseded: {
    word: 'Values that a later one replaces',
    says: 'A singular field occurs several times. Only the last value counts; native writes only this one. A name written twice takes its bytes twice in protobuf.',
  },
  keys: {
    word: 'Names and numbers of fields',
    says: 'A self-describing encoding writes a name or a number before each value. JSON takes 7 bytes for "value", protobuf 1 for its tag.',
  },
  punctuation: {
    word: 'Brackets, colons, commas and ends',
    says: 'Characters and bytes that only keep values apart; protobuf has lengths instead. A JSON object of two fields has five.',
  },
  quotes: {
    word: 'Quotes and escapes',
    says: 'JSON puts texts, bytes and 64-bit integers in quotes. A text of 20 characters takes 2 bytes more.',
  },
  spaces: {
    word: 'White space and comments',
    says: 'Characters of the captured text that a reader skips. A line that is indented by 8 blanks takes 9 bytes more.',
  },
  offsets: {
    word: 'Offsets and pointers',
    says: 'FlatBuffers and Cap’n Proto say where each text, list and message is. A text takes 4 bytes more in FlatBuffers, and 8 in Cap’n Proto.',
  },
  padding: {
    word: 'Padding',
    says: 'Zeros that move values to multiples of their width, so that they can be read in place. A text of 2 letters takes 8 bytes in Cap’n Proto.',
  },
  forms: {
    word: 'Other forms of values',
    says: 'The value itself is encoded differently: JSON writes digits or base64. The double 0.1 takes 3 bytes in JSON and 8 in protobuf.',
  },
  outside: {
    word: 'No place in the other encoding',
    says: 'The encoding that it is compared with has no place for the field, so only one side spends bytes on it. Example: a field that was added for gRPC, which the native layout does not have.',
  },
  nativeOnly: {
    word: 'Not in protobuf',
    says: 'Native always writes the field, and protobuf never has it in these messages. A session id takes 23 bytes natively and none in protobuf. Or a captured text has a name that the type does not have.',
  },
  unattributed: {
    word: 'Unattributed',
    says: 'Bytes that no rule explains: they are counted, and belong to no field. Example: the rest of a message after an invalid tag.',
  },
};

/** The uses of a byte: one for each category of the annotation tables, in every encoding. */
const CATEGORY_TERMS: Readonly<Record<Category, Term>> = {
  tag: {
    word: 'tag',
    says: 'A varint before each value: field number and wire type. The tag of field 1, a string, is the byte 0a.',
  },
  length: {
    word: 'length',
    says: 'The number of bytes that follow, before strings, bytes, sub-messages and packed lists. For a string of 20 bytes it is the byte 14 (hex).',
  },
  value: { word: 'value', says: 'The bytes that hold the value itself. The number 150 takes the two bytes 96 01.' },
  flag: {
    word: 'flag',
    says: 'Bytes that show whether a value follows. In OpenSearch an absent value is the byte 00.',
  },
  count: {
    word: 'count',
    says: 'The number of elements, before a list or map. In OpenSearch an empty list is the byte 00.',
  },
  type: {
    word: 'type',
    says: 'Bytes that name the kind of the value that follows, in native generic values, BSON and Thrift. A text in a native generic value begins with 00.',
  },
  'group-end': {
    word: 'group-end',
    says: 'Bytes that end a group, struct, document or text. Protobuf’s group 1 ends with the byte 0c.',
  },
  header: {
    word: 'header',
    says: 'Bytes before the message or the document that belong to no field, and the container of a compressed stream. An OpenSearch frame begins with the letters ES.',
  },
  unattributed: {
    word: 'unattributed',
    says: 'Bytes that no rule explains; they are counted. Example: the rest of a message after an invalid tag.',
  },
  key: {
    word: 'key',
    says: 'A field’s name, or what stands for it, before its value in self-describing encodings. JSON writes "value" again before the value of every label.',
  },
  punctuation: {
    word: 'punctuation',
    says: 'Characters that only keep values apart: braces, brackets, commas and colons of JSON, and the bytes of Smile for brackets. An object of two fields has five in JSON.',
  },
  quotes: {
    word: 'quotes and escapes',
    says: 'Quotes around a text, and the characters that stand for others in it. A line break in JSON takes two bytes.',
  },
  space: {
    word: 'white space',
    says: 'Blanks, line breaks and comments of a captured text, which a reader skips. Indented JSON is often half white space.',
  },
  offset: {
    word: 'offset',
    says: 'Bytes that say where a text, a list or a message is, in encodings that are read in place. A pointer of Cap’n Proto takes 8.',
  },
  padding: {
    word: 'padding',
    says: 'Bytes that hold nothing, so that the next value begins at a multiple of its width. A bool before a double is followed by 7.',
  },
};

/** Columns of the explorer’s list of fields, as `declared-` and the column’s name. */
const DECLARED_TERMS = {
  tag: { word: 'Tag', says: 'Bytes of the tag, paid by every record. To field 15 it is one byte, to field 2047 two.' },
  record: { word: 'Protobuf', says: 'Bytes of a record, tag and length with it: least and most.' },
  writer: { word: 'Native writer', says: 'How the chosen native profile writes the field.' },
  absent: { word: 'absent', says: 'Native bytes where the field is absent.' },
  present: { word: 'present', says: 'Native bytes where the field is present: least and most.' },
  records: { word: 'Records', says: 'Records of the field in the open input.' },
  share: { word: 'Present', says: 'The share of the messages around it that have the field, in the open input.' },
  measured: { word: 'Measured self', says: 'Bytes in the open input, without nested fields.' },
} as const satisfies Readonly<Record<string, Term>>;

/** Columns of the field table and of the message list, as `column-` and the column’s name. */
const COLUMN_TERMS = {
  field: { word: 'Field', says: 'A field of the messages by its path; without a schema, ? and its number.' },
  ordinal: {
    word: 'No.',
    says: 'The message’s place in the input, counted from 0 in the order of completion.',
  },
  time: { word: 'Time', says: 'Seconds from the first message to this one.' },
  file: {
    word: 'File',
    says: 'The file that contains the message, if an archive, a folder or several files were opened.',
  },
  flow: { word: 'Flow', says: 'One direction of a connection: who sent it, and to whom.' },
  direction: { word: 'Direction', says: 'Request or response; empty where the transport does not say.' },
  transport: {
    word: 'Transport',
    says: 'The carrier of the message: gRPC, HTTP, OpenSearch’s transport, Kafka or a stream of size-prefixed protobuf.',
  },
  method: { word: 'Method', says: 'The method, path or action that the transport names.' },
  status: { word: 'Status', says: 'How the transport says that a response ended.' },
  messageType: {
    word: 'Type',
    says: 'The type that the message is read as; guess or by number where none is known, native where no layout is.',
  },
  capturedBytes: {
    word: 'Captured',
    says: 'Bytes of the payload as captured: compressed if it was sent compressed. A HAR, which browsers export, has bodies as text, decompressed.',
  },
  bytes: { word: 'Bytes', says: 'Bytes of the payload, decoded, without what the transport writes around it.' },
  preview: { word: 'Begins with', says: 'The first text in the message, or its first bytes in hex.' },
} as const satisfies Readonly<Record<string, Term>>;

/** Columns of the other tables, as `table-` and the column’s name. */
const TABLE_TERMS = {
  captured: {
    word: 'Captured side',
    says: 'Bytes of the field in the encoding in which the messages were captured. The number 150 takes two bytes in protobuf, and a tag.',
  },
  compared: {
    word: 'Compared side',
    says: 'Bytes of the same values in the encoding that is compared. The number 150 takes three bytes in JSON, and its name.',
  },
  'compared-difference': {
    word: 'Difference',
    says: 'The compared encoding minus the captured one: +3 means that the compared one takes three bytes more.',
  },
  'compared-parts': {
    word: 'Parts',
    says: 'What the bytes of the compared encoding are, by category. A JSON field is often mostly key.',
  },
  encoding: { word: 'Encoding', says: 'A way to write the same messages, such as JSON, Avro or Thrift compact.' },
  plain: {
    word: 'Bytes',
    says: 'Bytes before compression, and below them the ratio to the captured encoding: 0.50 × is half.',
  },
  compressor: {
    word: 'After a compressor',
    says: 'Bytes after this compressor at this level, and below them the ratio to the captured encoding after the same: 0.50 × is half.',
  },
  'saves-bytes': {
    word: 'Bytes',
    says: 'How many bytes the change adds or takes away before compression: −24 means that the messages become 24 bytes smaller.',
  },
  'saves-packed': {
    word: 'After compression',
    says: 'The same after this compressor; ± is the noise of the measurement. −24 ±30 may be chance.',
  },
  'saves-a-day': {
    word: 'A day',
    says: 'The compressed saving times the messages of a day at the rate given above. One byte at 1,000 messages a second is 86 MB.',
  },
  places: {
    word: 'Places',
    says: 'How often this waste occurs in the messages; a zero written in ten messages is ten places.',
  },
  'paired-by': {
    word: 'Paired by',
    says: 'How a field of the edited schema was recognised: by its name, or by its number where the name changed.',
  },
  'batch-records': {
    word: 'Records a message',
    says: 'Records that one message carries, as 100 hits in one response.',
  },
  'batch-messages': {
    word: 'Messages',
    says: 'Messages needed for all records: 1,000 records are ten messages of 100.',
  },
  'batch-bytes': {
    word: 'Bytes a record',
    says: 'All bytes divided by the records, so each record pays its part of the fields around it.',
  },
  'batch-packed': {
    word: 'After compression, a record',
    says: 'The same, if each message is compressed alone. Few records in a message compress badly.',
  },
  'batch-dictionary': {
    word: 'With a dictionary',
    says: 'The same, if both ends hold a dictionary that was trained on such messages. It helps small messages most.',
  },
  layer: { word: 'Layer', says: 'What one protocol adds to the file, such as the headers of TCP segments.' },
  'layer-bytes': { word: 'Bytes', says: 'Bytes of the file that are this layer’s own; the layers sum to the file.' },
  'layer-share': { word: 'Share', says: 'The layer’s part of the file: 100 % is all of it.' },
  a: { word: 'A', says: 'Bytes in the first input, in the unit chosen above, such as a message or a record.' },
  b: { word: 'B', says: 'Bytes in the second input, in the unit chosen above, such as a message or a record.' },
  'a-over-b': {
    word: 'A over B',
    says: 'A’s bar above B’s, by category. All bars have the same scale, so a longer bar is more bytes.',
  },
  'b-minus-a': { word: 'Change', says: 'B minus A: −5 means that B takes five bytes fewer.' },
  'a-packed': {
    word: 'A after compression',
    says: 'Compressed bytes that the field pays in A, such as a part of a copy.',
  },
  'b-packed': {
    word: 'B after compression',
    says: 'Compressed bytes that the field pays in B, such as a part of a copy.',
  },
  action: { word: 'Action', says: 'What the request asks for, as the transport names it: indices:data/read/search.' },
  body: { word: 'Body', says: 'Bytes after the header. No layout names their fields; one may be added as a schema.' },
  'header-share': {
    word: 'Header’s share',
    says: 'The header’s part of header and body: 50 % means that half is overhead.',
  },
  without: { word: 'Without', says: 'The field that is left out of all messages, as if it had never been written.' },
  'saved-bytes': {
    word: 'Saves, bytes',
    says: 'Compressed bytes with the field minus those without it. Another field’s copies may become dearer, so savings do not add up.',
  },
  'saved-noise': {
    word: 'Behind noise',
    says: 'Least and most saving while 0 to 31 other bytes are put in front: 5 to 19 means that the exact figure is chance.',
  },
  'saved-paid': {
    word: 'The field itself pays',
    says: 'Compressed bytes that the field’s own bytes take. A repeated text may pay little and still save much, or the reverse.',
  },
  number: {
    word: '№',
    says: 'The field’s number in the schema, which its tag carries: 1 to 15 fit a tag of one byte.',
  },
  'enum-bytes': {
    word: 'Bytes',
    says: 'Bytes of the value on the wire, without the tag: 0 to 127 take one, a negative number ten.',
  },
  takes: { word: 'Takes', says: 'The type of the request; a stream is any number of them in one call.' },
  answers: { word: 'Answers', says: 'The type of the response; a stream is any number of them in one call.' },
  path: {
    word: 'Path',
    says: 'The HTTP path of the method in gRPC: the service, then the method, as in /shop.Orders/Get.',
  },
  'type-bytes': { word: 'Bytes', says: 'Bytes of the fields of this type itself; those of nested types are theirs.' },
  'type-share': { word: 'Of all', says: 'The type’s part of all bytes in the picture: 100 % is all of it.' },
  'version-a': { word: 'A', says: 'What the loaded schema declares; · means that it has no such part.' },
  'version-b': { word: 'B', says: 'What the second version declares; · means that it has no such part.' },
  verdict: {
    word: 'Verdict',
    says: 'Whether programs with one version can read what the other wrote. A new field is compatible.',
  },
  'version-bytes-a': {
    word: 'Bytes in A',
    says: 'Bytes of the field, with all in it, in the messages as A writes them, at all its paths.',
  },
  'version-bytes-b': {
    word: 'Bytes in B',
    says: 'Bytes of the same values, written as B does.',
  },
} as const satisfies Readonly<Record<string, Term>>;

/** Labels of facts, choices and parts of the page, as `label-` and a name. */
const LABEL_TERMS = {
  declared: {
    word: 'Declared',
    says: 'The field’s type and number in the schema, and its presence: explicit, implicit or required.',
  },
  payload: { word: 'Payload', says: 'Bytes of one value, least and most, without its tag and length.' },
  widths: {
    word: 'Varint widths',
    says: 'How many varints take one byte, two bytes and so on: 0 to 127 take one, up to 16,383 two.',
  },
  'break-even': {
    word: 'Presence break-even',
    says: 'The presence from which protobuf takes more bytes than native: an absent field costs protobuf nothing, and native its flag.',
  },
  'protobuf-type': {
    word: 'Protobuf type',
    says: 'The same values with each type that can hold them: −1 takes ten bytes as int64 and one as sint64.',
  },
  try: {
    word: 'Try another declaration',
    says: 'The open messages are written again as if the field were declared so, and the difference is measured.',
  },
  'try-presence': {
    word: 'Presence',
    says: 'Implicit presence leaves a default value out; explicit presence writes it if it is set.',
  },
  packed: {
    word: 'Packed',
    says: 'A packed list has one tag and one length for all its numbers, instead of a tag for each.',
  },
  'message-encoding': {
    word: 'Encoding',
    says: 'Length-prefixed messages begin with their size; delimited ones end with a second tag, as groups do.',
  },
  saved: {
    word: 'Saved if removed',
    says: 'Compressed bytes that go if no message has the field. Repeated text is copied, so this is not what the field pays.',
  },
  readings: {
    word: 'Readings',
    says: 'What the bytes may be without a schema: each type that they fit, with the value.',
  },
  given: { word: 'As given', says: 'Bytes of the file or text as it was opened, before anything was unwrapped.' },
  decoded: { word: 'Decoded', says: 'Bytes after every step of unwrapping, such as gzip or base64.' },
  messages: { word: 'Payload', says: 'Bytes of the messages themselves, without what separates them.' },
  framing: { word: 'Framing', says: 'Bytes that only separate messages, such as the size before each.' },
  packets: { word: 'Packets', says: 'Units captured from the link, such as an Ethernet frame each.' },
  connections: { word: 'TCP connections', says: 'Two addresses with their ports that exchanged bytes over TCP.' },
  'not-read': {
    word: 'Not read',
    says: 'Traffic in which no message is looked for: it is encrypted, or its protocol is not known.',
  },
  'written-as': {
    word: 'Written as',
    says: 'How the bytes are written down: as they are, or as text such as hex, base64 or a hexdump.',
  },
  'unwrapped-by': {
    word: 'Unwrapped by',
    says: 'What was taken off to reach the messages, such as gzip and then tar. Each step can be changed.',
  },
  member: { word: 'Files of it', says: 'All files of the archive at once, or one of them.' },
  'messages-are': {
    word: 'Messages are',
    says: 'How messages follow each other: one alone, each after its size, or one a line. Other fields around a message can be described.',
  },
  type: {
    word: 'Type',
    says: 'The message type that the bytes are read as. The percentage says how much of them it explains.',
  },
  explained: {
    word: 'Explained',
    says: 'A byte is explained if it belongs to a known field, tag, length or header; the others are counted as unattributed.',
  },
  syntax: {
    word: 'Syntax',
    says: 'The version of the schema language: proto2, proto3 or an edition. It decides presence and packing where a field does not.',
  },
  tags: { word: 'Tags', says: 'How many fields have a tag of one byte, of two bytes and so on.' },
  smallest: { word: 'Smallest', says: 'The least bytes of a message of this type: all that may be absent is absent.' },
  presence: {
    word: 'Presence',
    says: 'Explicit: a set value is written even if it is the default. Implicit: a default is left out. Required: always written.',
  },
  nesting: { word: 'Nesting', says: 'Levels of messages below this one. Each level adds a tag and a length.' },
  reserved: {
    word: 'Reserved',
    says: 'Numbers and names that may not be used again, because old messages may have them.',
  },
  extensions: {
    word: 'Extensions',
    says: 'Fields that other files add to a message, in numbers that it leaves open for them.',
  },
  layout: { word: 'One record, byte by byte', says: 'The bytes of one record of each field, from its tag on.' },
  costly: {
    word: 'Costs by the schema alone',
    says: 'What the declarations make expensive in any message, such as a tag of two bytes above field 15.',
  },
  'import-root': {
    word: 'Imports begin below',
    says: 'The folder that imports are relative to: below protos, the file protos/a/b.proto is imported as a/b.proto.',
  },
  'version-sizes': {
    word: 'The messages',
    says: 'Bytes of the messages that are added up, written as A declares them, and the change when the same values are written as B does.',
  },
  compress: {
    word: 'Compress',
    says: 'What is compressed as one: text that several messages repeat is found only if they are compressed together.',
  },
  level: { word: 'Level', says: 'How hard a compressor tries: a higher level is slower and mostly smaller.' },
  'all-encodings': { word: 'All encodings', says: 'Also measures the rarer encodings, such as XDR and Borsh.' },
  'not-carried': {
    word: 'Not carried',
    says: 'Values that an encoding has no form for, or writes in another one. JSON has no NaN but as a text.',
  },
  compressors: { word: 'Compressors', says: 'The library, version and parameters behind each compressed figure.' },
  'ranked-by': {
    word: 'Ranked by',
    says: 'The compressor after which changes are ranked: what compresses well saves little when it goes.',
  },
  rate: { word: 'Messages a second', says: 'How many such messages are sent; it turns the saving into bytes a day.' },
  limit: { word: 'A limit', says: 'The largest message that a transport takes, such as 4 MiB with gRPC’s default.' },
  batch: {
    word: 'Records a message',
    says: 'Records that share a message also share its fixed bytes, and compress better.',
  },
  a: { word: 'A', says: 'The first of the two inputs. Differences are B minus A.' },
  b: { word: 'B', says: 'The second of the two inputs. Differences are B minus A.' },
  steps: {
    word: 'Steps',
    says: 'What each step from A to B is: the change of one field, or of one use of bytes, such as tags. Either way they sum to the whole.',
  },
  unit: {
    word: 'Unit',
    says: 'What the bytes are divided by: nothing, the messages, or the records in them, such as hits.',
  },
  picture: {
    word: 'Picture',
    says: 'The difference as steps from one total to the other, or both sides as icicles over the same axis.',
  },
  after: { word: 'After', says: 'Adds columns for what each field pays in the compressed bytes of A and of B.' },
  drawn: {
    word: 'Figures of bars and picture',
    says: 'Plain bytes; compressed bytes, where a copy is cheap and its source dear; or these shared by a source and its copies.',
  },
  'group-by': { word: 'By', says: 'Groups the messages by method, then direction, then type; or by type first.' },
  shape: {
    word: 'Show the message as',
    says: 'Byte by byte, or as a tree of its fields in one encoding; Unpacked shows what a field holds compressed.',
  },
  travels: {
    word: 'What travels',
    says: 'What the link contains. Nothing else leaves this machine, and no server stores it.',
  },
} as const satisfies Readonly<Record<string, Term>>;

/** Layers of a capture, outermost first. */
const LAYER_TERMS: Readonly<Record<Layer, Term>> = {
  container: {
    word: 'Capture file',
    says: 'What pcap or pcapng writes around the packets: their times, lengths and options. In recordings of other forms, such as a HAR, what is around the exchanges.',
  },
  link: { word: 'Link', says: 'Headers of the link, such as the 14 bytes of Ethernet with both hardware addresses.' },
  ip: { word: 'IP', says: 'Headers of IPv4 or IPv6: 20 or 40 bytes in each packet.' },
  tcp: {
    word: 'TCP',
    says: 'Headers of TCP with their options: 20 bytes or more in each segment, also in those without data.',
  },
  retransmitted: {
    word: 'Retransmitted or late',
    says: 'Payload of TCP that the capture has already, or whose place in the stream was passed: sent twice, or merged out of order.',
  },
  'other-protocols': { word: 'Other protocols', says: 'Whole packets of anything but TCP, such as ARP or DNS.' },
  tls: { word: 'TLS', says: 'What encryption adds: record headers, nonces, tags, padding, handshakes and alerts.' },
  http1: { word: 'HTTP/1.1', says: 'Request and status lines, headers, and the sizes of chunks, all as text.' },
  http2: {
    word: 'HTTP/2',
    says: 'The preface, nine bytes before each frame, padding, and frames that only control the connection.',
  },
  hpack: { word: 'HPACK', says: 'HTTP/2’s headers, compressed: a header sent before costs one byte.' },
  grpc: { word: 'gRPC prefix', says: 'One byte for compression and four for the length before each message of gRPC.' },
  websocket: {
    word: 'WebSocket',
    says: 'Two to ten bytes before each WebSocket frame, four more for the key that masks it, and pings, pongs and closes.',
  },
  opensearch: {
    word: 'OpenSearch transport',
    says: 'Headers of frames between nodes: marker, length, request id, status, version, action.',
  },
  kafka: { word: 'Kafka', says: 'Sizes and headers of Kafka’s requests and responses, such as the correlation id.' },
  'size-prefix': {
    word: 'Size prefix',
    says: 'The length before each message of a bare stream or of a body, often one or two bytes.',
  },
  kubernetes: {
    word: 'Kubernetes envelope',
    says: 'The type and the length around each object, and the event of a watch.',
  },
  separators: {
    word: 'Separators',
    says: 'Bytes between texts of JSON in one body: line ends, the fields of events, marks of records.',
  },
  actions: {
    word: 'Action lines',
    says: 'Lines of _bulk that name what is done with the document after them, headers of _msearch, line ends.',
  },
  compression: { word: 'Compression', says: 'Bytes that only name the compression of a body.' },
  message: { word: 'Messages', says: 'Messages that the capture has uncompressed, in a HAR as JSON strings.' },
  compressed: { word: 'Compressed messages', says: 'Messages that the capture has compressed.' },
  'other-bodies': { word: 'Other bodies', says: 'Bodies without messages, such as HTML, text and images.' },
  incomplete: { word: 'Incomplete', says: 'The captured part of messages whose beginning or end the capture lacks.' },
  unattributed: {
    word: 'Unattributed',
    says: 'Payload that no known transport explains, and damaged bytes. They are counted.',
  },
};

/** Causes of a change from A to B that are not a category of bytes. */
const CHANGE_TERMS = {
  'only A': {
    word: 'Fields in A alone',
    says: 'All bytes of the fields that occur in A alone, whether or not the type of B has them.',
  },
  'only B': {
    word: 'Fields in B alone',
    says: 'All bytes of the fields that occur in B alone, whether or not the type of A has them.',
  },
} as const satisfies Readonly<Record<string, Term>>;

/** Parts of the workspace, as `panel-` and the name of the panel. */
const PANEL_TERMS = {
  costs: { word: 'Costs', says: 'The answer: headline, picture and a table of what every field takes.' },
  field: { word: 'Field', says: 'Facts, charts and what-ifs of the selected field.' },
  bytes: { word: 'Bytes', says: 'One message byte by byte in both encodings; a selected field is lit up in both.' },
  advice: {
    word: 'What should change',
    says: 'Changes of the schema that make these messages smaller, each applied and measured, the best first.',
  },
  messages: { word: 'Messages', says: 'All messages and their groups. A chosen one is analysed alone.' },
  layers: { word: 'Layers', says: 'Where every byte of the capture file goes, from its headers in to the messages.' },
  matrix: { word: 'Encodings', says: 'The same messages in other encodings and after compressors, all measured.' },
  schema: { word: 'Schema', says: 'The .proto files or descriptor sets that name the fields. Drop yours anywhere.' },
  input: { word: 'Input', says: 'How the file was read and why, other ways to read it, and what else to open.' },
  findings: { word: 'Findings', says: 'Errors and warnings about the input and the schema, each with its place.' },
} as const satisfies Readonly<Record<string, Term>>;

const INTERFACE_TERMS = {
  native: {
    word: 'Native',
    says: 'A sequential encoding that writes values one after the other without tags, as OpenSearch’s StreamOutput does; both ends know the order.',
  },
  protobuf: { word: 'Protobuf', says: 'Bytes of the field and of all fields below it in protobuf’s wire format.' },
  self: {
    word: 'Self',
    says: 'The field’s own bytes: tag, length and value. A message’s own bytes are its tags and length prefixes, without the fields in it.',
  },
  total: {
    word: 'Total',
    says: 'Self and the bytes of all fields below it. It does not change when the row is collapsed.',
  },
  paid: {
    word: 'Compressed',
    says: 'Bytes of the compressed stream that the field and all below it pay: a copied byte pays a share of its copy, a new one what it costs to write. With the container they sum to the stream.',
  },
  rank: {
    word: 'Rank',
    says: 'The rank of the field by its own bytes: before compression, and after it.',
  },
  share: { word: 'Of all', says: 'The total’s part of all bytes shown.' },
  records: { word: 'Records', says: 'How often the field’s tag occurs on the wire; a packed list is one record.' },
  'per-record': {
    word: 'A record',
    says: 'The mean of the field’s records, each a tag with its value. A field that is absent has no record, and takes nothing in protobuf.',
  },
  'per-parent': {
    word: 'A parent',
    says: 'The mean of all messages that could hold the field, whether they do or not: native also writes a byte or more for an absent value.',
  },
  presence: { word: 'Presence', says: 'The share of parent messages that contain the field.' },
  difference: { word: 'Difference', says: 'Protobuf minus native: a positive number means that protobuf takes more.' },
  category: {
    word: 'By category',
    says: 'The bytes by category. All bars in the table have the same scale.',
  },
  composition: {
    word: 'Each as 100 %',
    says: 'Each bar fills its column and shows what the field is made of; bars of different rows cannot be compared.',
  },
  question: {
    word: 'Question',
    says: 'Composition shows where the bytes go; the other two compare the messages with another encoding or with another input.',
  },
  icicle: {
    word: 'Icicle',
    says: 'The whole message as one picture: a cell is as wide as the bytes of its field and its children; a cell is below its parent.',
  },
  scope: { word: 'Scope', says: 'The messages that are summed: all, one group, or the one that is shown as bytes.' },
  group: { word: 'Group', says: 'Messages of one method and direction, read as one type.' },
  'native-profile': {
    word: 'Native profile',
    says: 'The rules by which each field is written natively: OpenSearch’s, those that a schema lays out, or those of another format, such as Avro.',
  },
  writer: { word: 'Native writer', says: 'The call that writes a field natively, such as writeVLong or writeString.' },
  waste: {
    word: 'Waste',
    says: 'Bytes that could be saved without changing a value: overlong varints, negatives in ten bytes, defaults written.',
  },
  guess: { word: 'guess', says: 'No schema names the field; its type is what its bytes look like.' },
} as const satisfies Readonly<Record<string, Term>>;

export type TermName =
  | keyof typeof INTERFACE_TERMS
  | Category
  | `column-${keyof typeof COLUMN_TERMS}`
  | `declared-${keyof typeof DECLARED_TERMS}`
  | `table-${keyof typeof TABLE_TERMS}`
  | `label-${keyof typeof LABEL_TERMS}`
  | `layer-${Layer}`
  | `panel-${keyof typeof PANEL_TERMS}`
  | `cause-${Cause}`;

const named = (prefix: string, terms: Readonly<Record<string, Term>>): Readonly<Record<string, Term>> =>
  Object.fromEntries(Object.entries(terms).map(([name, term]) => [`${prefix}-${name}`, term]));

export const TERMS = {
  ...INTERFACE_TERMS,
  ...CATEGORY_TERMS,
  ...named('column', COLUMN_TERMS),
  ...named('declared', DECLARED_TERMS),
  ...named('table', TABLE_TERMS),
  ...named('label', LABEL_TERMS),
  ...named('layer', LAYER_TERMS),
  ...named('panel', PANEL_TERMS),
  ...named('cause', { ...CATEGORY_TERMS, ...CHANGE_TERMS, ...CAUSE_TERMS }),
} as Readonly<Record<TermName, Term>>;

export const causeTerm = (cause: Cause): Term => CAUSE_TERMS[cause];

/** The table as a page of the docs. */
export function printGlossary(): string {
  const rows = (terms: readonly Term[]): string => terms.map(({ word, says }) => `| ${word} | ${says} |\n`).join('');
  return `# Glossary

Made of \`src/wording/terms.ts\`; the page shows the same sentences at hover, focus and long press.

| term | says |
|---|---|
${rows(Object.values(INTERFACE_TERMS))}
## Categories

The use of a byte. Colours, legends, ledgers and exports use these.

| category | says |
|---|---|
${rows(Object.values(CATEGORY_TERMS))}
## Columns of messages and fields

| column | says |
|---|---|
${rows(Object.values(COLUMN_TERMS))}
## Columns of declared fields

| column | says |
|---|---|
${rows(Object.values(DECLARED_TERMS))}
## Columns of other tables

| column | says |
|---|---|
${rows(Object.values(TABLE_TERMS))}
## Labels of facts and choices

| label | says |
|---|---|
${rows(Object.values(LABEL_TERMS))}
## Panels

| panel | says |
|---|---|
${rows(Object.values(PANEL_TERMS))}
## Layers of a capture

| layer | says |
|---|---|
${rows(Object.values(LAYER_TERMS))}
## Causes of a difference

Protobuf minus native, in causes that sum to it exactly.

| cause | says |
|---|---|
${rows(Object.values(CAUSE_TERMS))}${rows(Object.values(CHANGE_TERMS))}`;
}
