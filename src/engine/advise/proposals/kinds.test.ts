/**
 * The proposals on messages that hold each kind, their savings, and the equality of the patched file and the changed
 * schema.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareSchemas } from '#engine/schema/compare/compare-schemas.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import type { Advice } from '../advice.ts';
import { Advisor } from '../advise.ts';
import { applyChanges } from '../apply.ts';
import type { Change } from '../change.ts';
import { DIGITS, DURATION, messageTime, TIMESTAMP, textTime } from '../conversions/times.ts';
import { FieldEncodings } from '../forms.ts';
import { patchOf } from '../patch.ts';
import { rankAdvice } from '../rank-advice.ts';
import { FieldValues } from '../uses.ts';
import { TreeNode, type TreeValue } from '../value-tree.ts';
import { writeTree } from '../write-tree.ts';
import { columns } from './columns.ts';
import { enums } from './enums.ts';
import { narrowIntegers } from './integers.ts';
import { packing } from './packing.ts';
import { alwaysSet, emptyMessages, loneOneofs, sentinels, setDefaults } from './presence.ts';
import type { Propose } from './proposal.ts';
import { PROPOSALS } from './proposals.ts';
import { differences, sequences } from './sequences.ts';
import { shifts } from './shifts.ts';
import { renumbering } from './structure.ts';
import { symbolTables } from './tables.ts';
import { idsAsHex, spelledTexts } from './texts.ts';
import { times } from './times.ts';
import { constants, maps, onlyFields } from './wrapped.ts';

type Plain = { readonly [name: string]: Plain | TreeValue | readonly (Plain | TreeValue)[] };

/** Texts as bytes, objects as messages of the types that the fields have. */
function treeOf(type: string, plain: Plain, forms: FieldEncodings): TreeNode {
  const fields = new Map<string, TreeValue[]>();
  for (const [name, value] of Object.entries(plain)) {
    const { typeName } = forms.field(type, name)!;
    const list = (Array.isArray(value) ? value : [value]) as readonly (Plain | TreeValue)[];
    const made = list.map((one): TreeValue => {
      const isPlain = typeof one === 'object' && !(one instanceof Uint8Array) && !(one instanceof TreeNode);
      return isPlain ? treeOf(typeName!, one, forms) : one;
    });
    fields.set(name, made);
  }
  return new TreeNode(type, fields);
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

interface Row {
  readonly name: string;
  readonly proto: string;
  readonly value: (at: number) => Plain;
  /** Their number; otherwise 4. */
  readonly records?: number;
  readonly title: string;
  /** Bytes of all records. */
  readonly saved: number;
  /** Absent: the schema stays. */
  readonly declared?: string;
  readonly compatibility: readonly [binary: string, json: string];
}

const ROWS: readonly Row[] = [
  {
    name: 'the same text of ten bytes in each record',
    proto: 'message R { string name = 1; }',
    value: () => ({ name: text('ten bytes.') }),
    // An entry takes 1 + 1 + 10, a use 11 − 1 less: 12 are not won by the first use.
    title:
      'Write the texts of name of R once, in a table, and refer to them: a text of 11.0 bytes with its length pays from use 2 on',
    // Four times 10, less the entry of 12 and that of "", 2.
    saved: 26,
    declared: 'uint32 name = 2;',
    compatibility: ['unsafe', 'unsafe'],
  },
  {
    name: 'few different words, beside a type of the name that the enum would have',
    proto: 'message Level {} message R { string level = 1; }',
    value: (at) => ({ level: text(['INFO', 'WARN', 'INFO', ''][at % 4]!) }),
    records: 32,
    title: 'Declare level of R an enum: 2 different words in 24 values',
    // 1 + 1 + 4, then 1 + 1.
    saved: 24 * 4,
    declared:
      'reserved 1; LevelEnum level = 2;\n  enum LevelEnum {\n    LEVEL_ENUM_UNSPECIFIED = 0;\n    INFO = 1;\n    WARN = 2;\n  }',
    compatibility: ['unsafe', 'conditional'],
  },
  {
    name: 'words of three fields, two of which share a word and so an enum',
    proto: 'message R { string a = 1; string b = 2; string c = 3; }',
    value: (at) => ({
      a: text(['yes', 'no'][at % 2]!),
      b: text(['no', 'so'][at % 2]!),
      c: text(['on', 'off'][at % 2]!),
    }),
    records: 16,
    title: 'Declare a, b and c of R enums: 5 different words in 48 values',
    // A length and its text become one byte.
    saved: 8 * (3 + 2 + 2 + 2 + 2 + 3),
    declared:
      'A b = 5; C c = 6;\n  enum A {\n    A_UNSPECIFIED = 0;\n    no = 1;\n    so = 2;\n    yes = 3;\n  }\n  enum C {',
    compatibility: ['unsafe', 'conditional'],
  },
  {
    name: 'words of the values of a map, with digits',
    proto: 'message R { map<int32, string> tags = 1; }',
    value: (at) => ({ tags: [{ key: 1 + at, value: text(['http2', 'grpc', 'x86_64'][at % 3]!) }] }),
    records: 24,
    title: 'Declare value of TagsEntry an enum: 3 different words in 24 values',
    // A length and its text become one byte.
    saved: 8 * (5 + 4 + 6),
    declared:
      'reserved 1; map<int32, TagsValue> tags = 2;\n  enum TagsValue {\n    TAGS_VALUE_UNSPECIFIED = 0;\n    grpc = 1;',
    compatibility: ['unsafe', 'conditional'],
  },
  {
    name: 'lists of few different words',
    proto: 'message R { repeated string on = 1; }',
    value: () => ({ on: [text('mon'), text('tue'), text('wed'), text('thu'), text('fri')] }),
    records: 240,
    title: 'Declare on of R an enum: 5 different words in 1,200 values',
    // Five times 1 + 1 + 3, then 1 + 1 + 5.
    saved: 240 * (25 - 7),
    declared: 'enum On {',
    compatibility: ['unsafe', 'conditional'],
  },
  {
    name: 'whole milliseconds of a Timestamp',
    proto: 'import "google/protobuf/timestamp.proto"; message R { google.protobuf.Timestamp time = 1; }',
    value: (at) => ({ time: { seconds: 1_790_000_000 + at, nanos: 7_000_000 * (at + 1) } }),
    title: 'Write time of R as int64 of milliseconds since 1970',
    // Seconds take 1 + 5, nanos 1 + 4, and 2 around them; then 1 + 6.
    saved: 24,
    declared: 'optional int64 time',
    compatibility: ['unsafe', 'unsafe'],
  },
  {
    name: 'a Duration of nanoseconds, one of them negative',
    proto: 'import "google/protobuf/duration.proto"; message R { google.protobuf.Duration took = 1; }',
    value: (at) => ({ took: at === 3 ? { nanos: -77_000_001 } : { nanos: 90_000_001 + at } }),
    title: 'Write took of R as sint64 of nanoseconds',
    // 2 + 1 + 4 as 1 + 4; the negative nanos take ten bytes, and four as sint64.
    saved: 3 * 2 + 8,
    declared: 'optional sint64 took',
    compatibility: ['unsafe', 'unsafe'],
  },
  {
    name: 'times of several units',
    proto:
      'import "google/protobuf/timestamp.proto"; import "google/protobuf/duration.proto"; message R { google.protobuf.Timestamp time = 1; google.protobuf.Duration took = 2; }',
    value: (at) => ({ time: { seconds: 1_790_000_000 + at }, took: { nanos: 90_000_001 + at } }),
    title: 'Write time and took of R as int64 of seconds since 1970 or int64 of nanoseconds',
    saved: 4 * (2 + 2),
    declared: 'optional int64 time',
    compatibility: ['unsafe', 'unsafe'],
  },
  {
    name: 'two different times, which may be round by chance',
    proto: 'import "google/protobuf/timestamp.proto"; message R { google.protobuf.Timestamp time = 1; }',
    value: (at) => ({ time: { seconds: 1_790_000_000 + (at % 2), nanos: 7_000_000 } }),
    title: 'Write time of R as sfixed64 of nanoseconds since 1970',
    // Seconds take 1 + 5, nanos 1 + 4, and 2 around them; then 1 + 8.
    saved: 4 * 4,
    declared: 'optional sfixed64 time',
    compatibility: ['unsafe', 'unsafe'],
  },
  {
    name: 'times in a list, in a oneof and in a map',
    proto:
      'import "google/protobuf/timestamp.proto"; message R { repeated google.protobuf.Timestamp a = 1; oneof o { google.protobuf.Timestamp b = 2; } map<int32, google.protobuf.Timestamp> m = 3; }',
    value: (at) => {
      const time = { seconds: 1_790_000_000 + at };
      return { a: [time, time], b: time, m: [{ key: 1, value: time }] };
    },
    title: 'Write R.a, R.b and MEntry.value as int64 of seconds since 1970',
    // A list as 2 × (2 + 6), then 2 + 2 × 5; two more as 2 + 6, then 1 + 5.
    saved: 4 * (16 - 12 + 2 * 2),
    declared: 'repeated int64 a = 4; oneof o { int64 b = 5; } map<int32, int64> m = 6;',
    compatibility: ['unsafe', 'unsafe'],
  },
  {
    name: 'RFC 3339 text',
    proto: 'message R { string at = 1; }',
    value: (at) => ({ at: text(`2026-11-22T14:0${at}:59.12${at + 1}Z`) }),
    title: 'Write at of R as int64 of milliseconds since 1970',
    saved: 4 * (25 - 6),
    declared: 'int64 at',
    compatibility: ['unsafe', 'unsafe'],
  },
  {
    name: 'decimal text as long as hex text may be',
    proto: 'message R { string at = 1; }',
    value: (at) => ({ at: text(`179000000${at}`) }),
    title: 'Declare at of R uint64: the text is decimal',
    // Ten digits behind their length, then five bytes.
    saved: 4 * (11 - 5),
    declared: 'uint64 at = 2;',
    compatibility: ['unsafe', 'conditional'],
  },
  {
    name: 'hex text, apart from lists of hex text',
    proto: 'message R { string a = 1; repeated string b = 2; }',
    value: (at) => ({ a: text(`00c0ffee00c0ff0${at}`), b: [text(`00c0ffee0000000${at}`)] }),
    title: 'Declare a of R bytes: the text is lower-case hex',
    saved: 4 * 8,
    declared: 'bytes a = 3;',
    compatibility: ['unsafe', 'unsafe'],
  },
  {
    name: 'ids of 16 bytes',
    proto: 'message R { bytes id = 1; }',
    value: (at) => ({ id: new Uint8Array(16).fill(at) }),
    title: 'Write id of R as hex text: what bytes save',
    saved: 4 * -16,
    declared: 'string id = 2;',
    compatibility: ['unsafe', 'unsafe'],
  },
  {
    name: 'decimal text, some of it negative',
    proto: 'message R { string a = 1; string b = 2; }',
    value: (at) => ({ a: text(`12345${at}`), b: text(`-12345${at}`) }),
    title: 'Declare a and b of R uint64 or sint64: the text is decimal',
    saved: 4 * (7 - 3 + 8 - 3),
    declared: 'uint64 a = 3; sint64 b = 4;',
    compatibility: ['unsafe', 'conditional'],
  },
  {
    name: 'a wrapper',
    proto: 'import "google/protobuf/wrappers.proto"; message R { google.protobuf.Int64Value n = 1; }',
    value: (at) => ({ n: { value: at + 1 } }),
    title: 'Replace the message in n of R by its only field',
    saved: 8,
    declared: 'optional int64 n',
    compatibility: ['unsafe', 'safe'],
  },
  {
    name: 'a message of one list',
    proto: 'message Tags { repeated string tag = 1; } message R { Tags tags = 1; }',
    value: (at) => ({ tags: { tag: [text('a'), text(`b${at}`)] } }),
    title: 'Replace the message in tags of R by its only field',
    saved: 8,
    declared: 'repeated string tags',
    compatibility: ['unsafe', 'unsafe'],
  },
  {
    name: 'a message of one message',
    proto:
      'message Inner { string a = 1; string b = 2; } message Outer { Inner inner = 1; } message R { Outer outer = 1; }',
    value: (at) => ({ outer: { inner: { a: text('a'), b: text(`b${at}`) } } }),
    title: 'Replace the message in outer of R by its only field',
    saved: 8,
    declared: '.Inner outer',
    compatibility: ['unsafe', 'unsafe'],
  },
  {
    name: 'a map with zeros in it',
    proto: 'message R { map<string, int32> counts = 1; }',
    value: (at) => ({
      counts: [
        { key: text('a'), value: 0 },
        { key: text(`b${at}`), value: 1 },
      ] as unknown as TreeValue[],
    }),
    title: 'Declare counts of R a list of entries: defaults in them need not be written',
    saved: 8,
    declared: 'repeated CountsEntry counts',
    compatibility: ['conditional', 'unsafe'],
  },
  {
    name: 'sorted numbers',
    proto: 'message R { repeated int64 at = 1; }',
    value: (at) => ({ at: [1_000_000, 1_000_001, 1_000_040 + at] }),
    title: 'Write at of R as the difference from the number before it',
    // Three bytes each, then 3, 1 and 1 in zigzag.
    saved: 4 * (9 - 5),
    declared: 'repeated sint64 at = 2;',
    compatibility: ['unsafe', 'unsafe'],
  },
  {
    name: 'numbers that grow from record to record',
    proto: 'message R { int64 at = 1; }',
    value: (at) => ({ at: 1_000_000_000 + at }),
    title: 'Write at of R as the difference from the one before it',
    // Five bytes each, then one for all but the first.
    saved: 3 * 4,
    declared: 'sint64 at = 2;',
    compatibility: ['unsafe', 'unsafe'],
  },
  {
    name: 'an end that is near its start',
    proto: 'message R { fixed64 start = 1; fixed64 end = 2; }',
    value: (at) => ({ start: 1000 * at + 1, end: 1000 * at + 8 }),
    title: 'Write end of R as the distance from start',
    saved: 4 * 7,
    declared: 'fixed64 start = 1; uint64 end = 3;',
    compatibility: ['unsafe', 'unsafe'],
  },
  {
    name: 'records of one number',
    proto: 'message P { sint32 n = 1; }\nmessage R { repeated P p = 1; }',
    value: () => ({ p: [{ n: 1 }, { n: 2 }, { n: 3 }] }),
    title: 'Write p of R as columns, without P: a list for n',
    // Three tags and lengths with 2, then 2 + 3.
    saved: 4 * (12 - 5),
    declared: 'repeated sint32 p_n = 2;',
    compatibility: ['unsafe', 'unsafe'],
  },
  {
    name: 'long messages in each other, all delimited',
    proto: 'message J { string s = 1; } message I { J j = 1; } message R { I i = 1; }',
    value: () => ({ i: { j: { s: text('s'.repeat(200)) } } }),
    title: 'Write r and all messages in it delimited',
    // A length of two bytes, then an end of one.
    saved: 4 * 3,
    declared: 'J j = 2 [features.message_encoding = DELIMITED];',
    compatibility: ['unsafe', 'safe'],
  },
  {
    name: 'long messages in each other, those of the records delimited',
    proto: 'message J { string s = 1; } message I { J j = 1; } message R { I i = 1; }',
    value: () => ({ i: { j: { s: text('s'.repeat(200)) } } }),
    title: 'Write r and the messages right in it delimited',
    saved: 4 * 2,
    declared: 'message I { J j = 1; } message R {\n  reserved 1; I i = 2 [features.message_encoding = DELIMITED];',
    compatibility: ['unsafe', 'safe'],
  },
  {
    name: 'records of numbers and texts, some of them defaults',
    proto: 'message P { double value = 1; int64 at = 2; string unit = 3; }\nmessage R { repeated P p = 1; }',
    value: () => ({
      p: [
        { value: new Uint8Array(8).fill(1), at: 5, unit: text('s') },
        { value: new Uint8Array(8).fill(2), at: 6 },
        { value: new Uint8Array(8).fill(3), unit: text('ms') },
      ],
    }),
    title: 'Write p of R as columns, without P: a list for each of value, at and unit',
    // Three tags and lengths with 9 + 2 + 3, 9 + 2 and 9 + 4; then 2 + 24, 2 + 3, and 2 + 1, 2, 2 + 2.
    saved: 4 * (6 + 38 - 26 - 5 - 9),
    declared: 'repeated double p_value = 2;\n  repeated int64 p_at = 3;\n  repeated string p_unit = 4;',
    compatibility: ['unsafe', 'unsafe'],
  },
  {
    name: 'a oneof of one field that is often set to its default',
    proto: 'message R { int32 n = 1;\n  // how it ended\n  oneof end { int32 code = 2; } }',
    value: (at) => ({ n: at + 1, code: at === 0 ? 7 : 0 }),
    title: 'Take code of R out of a oneof of its own: it is always set, to its default in 3 of 4 values',
    saved: 6,
    declared: '// how it ended\n  int32 code = 2; }',
    compatibility: ['conditional', 'conditional'],
  },
  {
    name: 'what all records share',
    proto: 'message R { repeated I i = 1; }\nmessage I { string index = 1; int32 n = 2; }',
    value: (at) => ({ i: [1, 2].map((n) => ({ index: text('logs'), n: n + at })) }),
    records: 500,
    title: 'Write index once in R: i of one list have the same (1,000 in 500 lists)',
    // Six bytes of two records, and once in each list.
    saved: 500 * 6,
    declared: 'optional string index = 2',
    compatibility: ['unsafe', 'unsafe'],
  },
  {
    name: 'what the records of three lists share',
    proto: 'message R { repeated I i = 1; }\nmessage I { int32 n = 1; string s = 2; }',
    value: (at) => ({ i: ['a', 'b'].map((s) => ({ n: 7, s: text(s + at) })) }),
    records: 3,
    title: 'Write n once in R: i of one list have the same (6 in 3 lists)',
    saved: 3 * 2,
    declared: 'optional int32 n = 2',
    compatibility: ['unsafe', 'unsafe'],
  },
  {
    name: 'what all records share, with the name of a oneof',
    proto: 'message R { repeated I i = 1; oneof index { int32 a = 2; } }\nmessage I { string index = 1; int32 n = 2; }',
    value: (at) => ({ i: [1, 2].map((n) => ({ index: text('logs'), n: n + at })) }),
    title: 'Write index once in R: i of one list have the same (8 in 4 lists)',
    saved: 4 * 6,
    declared: 'optional string i_index = 3',
    compatibility: ['unsafe', 'unsafe'],
  },
  {
    name: 'what all records share, with the name of a constant',
    proto: 'message R { repeated I i = 1; enum K { index = 0; } }\nmessage I { string index = 1; int32 n = 2; }',
    value: (at) => ({ i: [1, 2].map((n) => ({ index: text('logs'), n: n + at })) }),
    title: 'Write index once in R: i of one list have the same (8 in 4 lists)',
    saved: 4 * 6,
    declared: 'optional string i_index = 2',
    compatibility: ['unsafe', 'unsafe'],
  },
  {
    name: 'negative numbers',
    proto: 'message R { int32 n = 1; int64 m = 2; }',
    value: (at) => ({ n: -1 - at, m: at % 2 ? 300 : -300 }),
    title: 'Declare n and m of R sint: negative numbers take ten bytes now',
    // Ten bytes each, then one and two.
    saved: 4 * 9 + 2 * 8,
    declared: 'sint32 n = 3; sint64 m = 4;',
    compatibility: ['unsafe', 'safe'],
  },
  {
    name: 'numbers of zigzag that are never negative',
    proto: 'message R { sint32 n = 1; }',
    value: (at) => ({ n: 64 + at }),
    title: 'Declare n of R uint: it is never negative',
    // Up to 63 fit into a byte, then up to 127.
    saved: 4,
    declared: 'uint32 n = 2;',
    compatibility: ['unsafe', 'conditional'],
  },
  {
    name: 'large varints',
    proto: 'message R { int32 n = 1; uint64 m = 2; }',
    value: (at) => ({ n: 2 ** 28 + at, m: 2n ** 56n }),
    title: 'Declare n and m of R fixed: as varints they take more',
    // A varint of five bytes begins at 2^28, one of nine at 2^56.
    saved: 4 * (1 + 1),
    declared: 'sfixed32 n = 3; fixed64 m = 4;',
    compatibility: ['unsafe', 'safe'],
  },
  {
    name: 'small numbers of fixed width, some of them negative',
    proto: 'message R { fixed64 n = 1; sfixed32 m = 2; }',
    value: (at) => ({ n: 1 + at, m: -1 - at }),
    title: 'Declare n and m of R as varints: the numbers are small',
    saved: 4 * (7 + 3),
    declared: 'uint64 n = 3; sint32 m = 4;',
    compatibility: ['unsafe', 'safe'],
  },
  {
    name: 'large numbers of fixed width',
    proto: 'message R { fixed32 n = 1; }',
    value: (at) => ({ n: 2 ** 28 + at }),
    title: 'Declare n of R as varints: what fixed saves',
    saved: -4,
    declared: 'uint32 n = 2;',
    compatibility: ['unsafe', 'safe'],
  },
  {
    name: 'numbers of 64 bits that need 32',
    proto: 'message R { fixed64 n = 1; sfixed64 m = 2; }',
    value: () => ({ n: 2 ** 32 - 1, m: -(2 ** 31) }),
    title: 'Declare n and m of R with 32 bits: no value needs more',
    saved: 4 * (4 + 4),
    declared: 'fixed32 n = 3; sfixed32 m = 4;',
    compatibility: ['unsafe', 'conditional'],
  },
  {
    name: 'doubles of one digit',
    proto: 'message R { double d = 1; }',
    value: (at) => ({ d: at / 10 + 1 }),
    records: 24,
    title: 'Declare d of R sint64, times 10: they have 1 digit behind the point',
    // 10 to 33 take one byte.
    saved: 24 * 7,
    declared: 'sint64 d = 2;',
    compatibility: ['unsafe', 'unsafe'],
  },
  {
    name: 'doubles of six digits',
    proto: 'message R { double d = 1; }',
    value: (at) => ({ d: (1_000_001 + 2 * at) / 1e6 }),
    records: 24,
    title: 'Declare d of R sint64, times 1,000,000: they have 6 digits behind the point',
    // Zigzag of 1,000,001 to 1,000,047 takes three bytes.
    saved: 24 * 5,
    declared: 'sint64 d = 2;',
    compatibility: ['unsafe', 'unsafe'],
  },
  {
    name: 'whole doubles',
    proto: 'message R { double d = 1; }',
    value: (at) => ({ d: at + 1 }),
    records: 24,
    title: 'Declare d of R sint64, as it is: they are whole numbers',
    saved: 24 * 7,
    declared: 'sint64 d = 2;',
    compatibility: ['unsafe', 'conditional'],
  },
  {
    name: 'halves',
    proto: 'message R { double d = 1; }',
    value: (at) => ({ d: at + 0.5 }),
    records: 24,
    title: 'Declare d of R float: every value survives',
    saved: 24 * 4,
    declared: 'float d = 2;',
    compatibility: ['unsafe', 'conditional'],
  },
  {
    name: 'doubles, most of them whole',
    proto: 'message R { double d = 1; }',
    value: (at) => ({ d: at === 0 ? Math.PI : at }),
    title: 'Write whole values of d of R as sint64, in a field beside it',
    saved: 3 * 7,
    declared: 'sint64 int_d = 2;',
    compatibility: ['unsafe', 'unsafe'],
  },
  {
    name: 'a run that is not packed',
    proto: 'message R { repeated int32 n = 1 [packed = false]; }',
    value: () => ({ n: [1, 2, 3] }),
    title: 'Pack n of R: one tag for a whole run',
    // Three tags, then a tag and a length.
    saved: 4,
    declared: 'repeated int32 n = 1 [packed = true];',
    compatibility: ['safe', 'safe'],
  },
  {
    name: 'packed runs of one element',
    proto: 'message R { repeated int32 n = 1; }',
    value: (at) => ({ n: [at] }),
    title: 'Expand n of R: most runs have one element',
    saved: 4,
    declared: 'repeated int32 n = 1 [packed = false];',
    compatibility: ['safe', 'safe'],
  },
  {
    name: 'packed runs of three elements',
    proto: 'message R { repeated int32 n = 1; }',
    value: () => ({ n: [1, 2, 3] }),
    title: 'Expand n of R: what packing saves',
    saved: -4,
    declared: 'repeated int32 n = 1 [packed = false];',
    compatibility: ['safe', 'safe'],
  },
  {
    name: 'numbers from −1 on',
    proto: 'message R { optional sint32 n = 1; }',
    value: (at) => ({ n: at === 0 ? 64 : -1 }),
    title: 'Write n of R plus 1 without a sign: nothing below −1 occurs',
    // 65 takes a byte, and 64 two in zigzag.
    saved: 1,
    declared: 'optional uint32 n = 2;',
    compatibility: ['unsafe', 'unsafe'],
  },
  {
    name: 'a sentinel',
    proto: 'message R { int32 n = 1; sint64 m = 2; }',
    value: (at) => ({ n: -1, m: at === 0 || at === 19 ? 5 : -1 }),
    records: 20,
    title: 'Leave out n and m of R where nothing is meant',
    // A tag with ten bytes, and a tag with one.
    saved: 20 * 11 + 18 * 2,
    declared: 'reserved 1; optional sint32 n = 3; optional sint64 m = 2;',
    compatibility: ['unsafe', 'conditional'],
  },
  {
    name: 'empty messages',
    proto: 'message I { int32 n = 1; } message R { I i = 1; }',
    value: (at) => ({ i: at === 0 ? { n: 1 } : {} }),
    title: 'Leave out i of R where the message is empty',
    saved: 3 * 2,
    compatibility: ['conditional', 'conditional'],
  },
  {
    name: 'a number that is often the default',
    proto: 'message R { int32 n = 1; int32 m = 2; }',
    value: (at) => (at % 2 ? { n: 1, m: 1 } : { m: 1 }),
    records: 32,
    title: 'Write n of R always: what implicit presence saves',
    saved: -16 * 2,
    declared: 'optional int32 n = 1;',
    compatibility: ['conditional', 'conditional'],
  },
  {
    name: 'a number with presence that is always set',
    proto: 'message R { optional int32 n = 1; }',
    value: (at) => ({ n: at === 0 ? 7 : 0 }),
    records: 1200,
    title: 'Take the presence of n of R away: it is always set, to its default in 1,199 of 1,200 values',
    saved: 1199 * 2,
    declared: 'message R { int32 n = 1; }',
    compatibility: ['conditional', 'conditional'],
  },
  {
    name: 'a tag of two bytes, and a free number of one',
    proto: 'message R { int32 n = 16; reserved 1 to 14; }',
    value: () => ({ n: 1 }),
    title: 'Number the fields of R by how often they are written',
    saved: 4,
    declared: 'int32 n = 15;',
    compatibility: ['unsafe', 'safe'],
  },
  {
    name: 'tags of three bytes, with all short numbers taken',
    proto: `message R { ${[...Array(15).keys()].map((at) => `int32 n${at} = ${at + 1};`).join(' ')} int32 n = 2048; int32 m = 2049; }`,
    value: () => ({ ...Object.fromEntries([...Array(15).keys()].map((at) => [`n${at}`, 1])), n: 1 }),
    title: 'Number the fields of R by how often they are written',
    saved: 4,
    declared: 'reserved 2048; int32 n0 = 1; int32 n1 = 2; int32 n2 = 3; int32 n3 = 4; int32 n4 = 5;',
    compatibility: ['unsafe', 'safe'],
  },
  {
    name: 'a tag of two bytes, and one byte for two fields, one of which is less often written',
    proto: 'message R { int32 n = 16; int32 m = 1; int32 k = 2; reserved 3 to 15; }',
    value: (at) => ({ n: 1, ...(at === 0 ? {} : { m: 1 }), ...(at === 0 ? { k: 1 } : {}) }),
    title: 'Number the fields of R by how often they are written',
    saved: 4 - 1,
    declared: 'reserved 2, 16; int32 n = 18; int32 m = 1; int32 k = 17;',
    compatibility: ['unsafe', 'safe'],
  },
  {
    name: 'a tag of three bytes, and one byte for a field that is seldom written',
    proto: 'message R { int32 n = 2048; int32 m = 1; reserved 2 to 15; }',
    value: (at) => (at === 0 ? { n: 1, m: 1 } : { n: 1 }),
    title: 'Number the fields of R by how often they are written',
    // Two bytes less each, and one more.
    saved: 4 * 2 - 1,
    declared: 'reserved 1, 2048; int32 n = 17; int32 m = 16;',
    compatibility: ['unsafe', 'safe'],
  },
  {
    name: 'a tag of two bytes, and one byte for a field that is seldom written',
    proto: 'message R { int32 n = 16; int32 m = 1; reserved 2 to 15; }',
    value: (at) => (at === 0 ? { n: 1, m: 1 } : { n: 1 }),
    title: 'Number the fields of R by how often they are written',
    // One of them pays a byte of the four. In the patch, no number is used again.
    saved: 4 - 1,
    declared: 'reserved 1, 16; int32 n = 18; int32 m = 17;',
    compatibility: ['unsafe', 'safe'],
  },
  {
    name: 'numbers that grow from record to record',
    proto: 'message R { int64 at = 1; }',
    value: (at) => ({ at: 1e12 + 7 * at }),
    title: 'Write at of R as the difference from the one before it',
    // Six bytes, then one in all but the first.
    saved: 3 * 5,
    declared: 'sint64 at = 2;',
    compatibility: ['unsafe', 'unsafe'],
  },
  {
    name: 'a number not far above another',
    proto: 'message R { uint64 start = 1; uint64 end = 2; }',
    value: (at) => ({ start: 1e12 - at * at * 1e9, end: 1e12 - at * at * 1e9 + 127 }),
    title: 'Write end of R as the distance from start',
    saved: 4 * 5,
    declared: 'uint64 end = 3;',
    compatibility: ['unsafe', 'unsafe'],
  },
];

const DELIMITED = { change: 'message encoding', message: 'R', field: 'r' } as const;

async function adviceOn({ proto, value, records = 4 }: Row) {
  const sources = [
    { path: 'r.proto', content: `syntax = "proto3";\n${proto}\nmessage Root {\n  repeated R r = 1;\n}\n` },
  ];
  const schema = compileSchema(sources);
  const forms = new FieldEncodings(schema.registry);
  const tree = treeOf('Root', { r: Array.from({ length: records }, (_, at) => value(at)) }, forms);
  const units = [{ delimiter: null, messages: [writeTree(tree, forms).bytes] }];
  const subject = { registry: schema.registry, type: 'Root', units, compressors: [], rankedBy: undefined };
  const found: Advice[] = [];
  for await (const { advice } of (await Advisor.open(subject)).proposals()) if (advice?.isSettled) found.push(advice);
  return { found, schema: { ...schema, sources } };
}

describe('is proposed', () => {
  it.each(ROWS.map((row) => [row.name, row] as const))('%s', async (_, row) => {
    const { found, schema } = await adviceOn(row);
    const advice = found.find(({ title }) => title === row.title);
    expect(found.map(({ title }) => title)).toContain(row.title);
    const { saved, compatibility, edits } = advice!;
    expect(saved.bytes).toBe(row.saved);
    expect([compatibility.binary, compatibility.json]).toEqual(row.compatibility);
    const patched = patchOf(schema, edits).files.get('r.proto');
    if (row.declared === undefined) expect(patched).toBeUndefined();
    else expect(patched).toContain(row.declared);
    const { diagnostics } = compileSchema([{ path: 'r.proto', content: patched ?? schema.sources[0]!.content }]);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});

it.each<[string, string, Change]>([
  ['a map as a list', 'proto3', { change: 'map', message: 'R', field: 'm', to: 'repeated' }],
  ['delimited messages', 'proto3', { ...DELIMITED, from: 'length-prefixed', to: 'delimited (editions)' }],
  ['delimited messages of an edition', '2023', { ...DELIMITED, from: 'length-prefixed', to: 'delimited (editions)' }],
])('the comparison of its patch has the same verdicts: %s', async (_, syntax, change) => {
  const head = syntax === 'proto3' ? 'syntax = "proto3"' : `edition = "${syntax}"`;
  const content = `${head};\nmessage R {\n  map<string, int32> m = 1;\n  R r = 2;\n}\n`;
  const sources = [{ path: 'r.proto', content }];
  const schema = { ...compileSchema(sources), sources };
  const units = [{ delimiter: null, messages: [Uint8Array.from([0x12, 5, 0x0a, 3, 0x0a, 1, 0x61])] }];
  const advisor = await Advisor.open({
    registry: schema.registry,
    type: 'R',
    units,
    compressors: [],
    rankedBy: undefined,
  });
  const { compatibility, edits } = await advisor.measure([change]);
  const patched = compileSchema([{ path: 'r.proto', content: patchOf(schema, edits).files.get('r.proto')! }]);
  const { reasons: _reasons, ...sides } = compatibility;
  expect(compareSchemas(schema.registry, patched.registry).sides).toEqual(sides);
});

it('no change of a type that ships with the libraries is proposed', async () => {
  const { found } = await adviceOn(ROWS.find(({ name }) => name.startsWith('a Duration'))!);
  const changed = found.flatMap(({ changes }) => changes).filter((change) => 'message' in change);
  expect(changed.map(({ message }) => message)).toContain('R');
  expect(changed.map(({ message }) => message)).not.toContain('google.protobuf.Duration');
});

it.each<[string, string, (at: number) => Plain]>([
  ['names that differ in their numbers', 'string s = 1;', (at) => ({ s: text(`node${at % 3}`) })],
  ['ids', 'string s = 1;', (at) => ({ s: text(['a3f9', 'b71c'][at % 2]!) })],
  [
    'an empty value of a map, which JSON has',
    'map<int32, string> s = 1;',
    (at) => ({ s: [{ key: at, value: text(at % 2 ? 'on' : '') }] }),
  ],
  ['keys of a map', 'map<string, int32> s = 1;', (at) => ({ s: [{ key: text(['on', 'off'][at % 2]!), value: at }] })],
])('no enum for %s', (_, field, value) => {
  const proto = `syntax = "proto3"; message R { ${field} }`;
  const forms = new FieldEncodings(compileSchema([{ path: 'r.proto', content: proto }]).registry);
  const trees = Array.from({ length: 32 }, (_, at) => treeOf('R', value(at), forms));
  expect(enums(new FieldValues(trees, forms, 'R'))).toEqual([]);
});

it.each<[string, string, boolean]>([
  ['a message of the schema', 'Own', true],
  ['a wrapper, which is then false', 'google.protobuf.BoolValue', false],
  ['a duration, which is then 0', 'google.protobuf.Duration', false],
  ['a time, which is then that of 1970', 'google.protobuf.Timestamp', false],
])('leaving out %s where it is empty', (_, type, isProposed) => {
  const imports = ['duration', 'timestamp', 'wrappers'].map((name) => `import "google/protobuf/${name}.proto";`);
  const proto = `syntax = "proto3"; ${imports.join(' ')} message Own { int32 n = 1; } message R { ${type} field = 1; }`;
  const forms = new FieldEncodings(compileSchema([{ path: 'r.proto', content: proto }]).registry);
  const found = emptyMessages(new FieldValues([treeOf('R', { field: {} }, forms)], forms, 'R'));
  expect(found.length > 0).toBe(isProposed);
});

const LIST = 'message I { int32 n = 1; } repeated I i = 1;';

it('of many fields that records share, the three that save most are also proposed alone', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const fields = names.map((name, at) => `string ${name} = ${at + 1};`).join(' ');
  const proto = `syntax = "proto3"; message R { repeated I i = 1; } message I { ${fields} }`;
  const forms = new FieldEncodings(compileSchema([{ path: 'r.proto', content: proto }]).registry);
  const record = Object.fromEntries(names.map((name, at) => [name, text('text'.repeat(at + 1))]));
  const trees = Array.from({ length: 3 }, () => treeOf('R', { i: [record, record] }, forms));
  const titles = constants(new FieldValues(trees, forms, 'R')).map(({ title }) => title.split(' once')[0]);
  expect(titles).toEqual(['Write 5 fields (e, d and 3 more)', 'Write e', 'Write d', 'Write c']);
});

it('of thousands of fields, as many are given shorter numbers as there are', () => {
  const names = Array.from({ length: 8000 }, (_, at) => `f${at}`);
  const proto = `syntax = "proto3"; message R { ${names.map((name, at) => `int32 ${name} = ${at + 2048};`).join(' ')} }`;
  const forms = new FieldEncodings(compileSchema([{ path: 'r.proto', content: proto }]).registry);
  const record = Object.fromEntries(names.map((name) => [name, 1]));
  const [found] = renumbering(new FieldValues([treeOf('R', record, forms)], forms, 'R'));
  expect(found?.changes).toHaveLength(2047);
});

it.each<[string, string, boolean]>([
  ['a wrapper', 'google.protobuf.Int64Value', true],
  ['a message with a form of its own in JSON', 'google.protobuf.FieldMask', false],
])('the only field of %s', (_, type, isProposed) => {
  const imports = ['wrappers', 'field_mask'].map((name) => `import "google/protobuf/${name}.proto";`);
  const proto = `syntax = "proto3"; ${imports.join(' ')} message R { ${type} field = 1; }`;
  const forms = new FieldEncodings(compileSchema([{ path: 'r.proto', content: proto }]).registry);
  const found = onlyFields(new FieldValues([treeOf('R', { field: {} }, forms)], forms, 'R'));
  expect(found.length > 0).toBe(isProposed);
});

it('a table of two fields that share a text, which neither has twice', () => {
  const proto = 'syntax = "proto3"; message L { repeated R r = 1; } message R { string a = 1; string b = 2; }';
  const forms = new FieldEncodings(compileSchema([{ path: 'r.proto', content: proto }]).registry);
  const shared = text('host-a.example');
  const trees = Array.from({ length: 8 }, () => treeOf('L', { r: [{ a: shared, b: shared }] }, forms));
  const titles = symbolTables(new FieldValues(trees, forms, 'L')).map(({ title }) => title.split(' once')[0]);
  expect(titles).toEqual(['Write the texts of a and b of R']);
});

it.each<[string, Propose, string, (at: number) => Plain]>([
  ['a positive number in all messages', sentinels, 'int32 n = 1;', () => ({ n: 7 })],
  ['a number of four messages in five', sentinels, 'int32 n = 1;', (at) => ({ n: at % 5 ? -1 : 3 })],
  ['absence that has a meaning', sentinels, 'optional int32 n = 1;', (at) => (at ? { n: -1 } : {})],
  ['a sentinel in a oneof', sentinels, 'oneof o { int32 n = 1; }', () => ({ n: -1 })],
  ['empty messages, some of them absent', emptyMessages, 'R r = 1;', (at) => (at ? { r: {} } : {})],
  ['empty messages in a oneof', emptyMessages, 'oneof o { R r = 1; }', () => ({ r: { r: {} } })],
  ['a oneof that is not always set', loneOneofs, 'oneof o { int32 n = 1; }', (at) => (at ? { n: 0 } : {})],
  ['a oneof of two fields', loneOneofs, 'oneof o { int32 n = 1; int32 m = 2; }', () => ({ n: 0 })],
  ['presence that is not always there', setDefaults, 'optional int32 n = 1;', (at) => (at ? { n: 0 } : {})],
  ['presence of what is never the default', setDefaults, 'optional int32 n = 1;', () => ({ n: 1 })],
  [
    'a table beside a field of its name',
    symbolTables,
    'string symbols = 1; repeated string s = 2;',
    () => ({ s: [text('ten bytes.'), text('ten bytes.')] }),
  ],
  ['a table of bytes', symbolTables, 'repeated bytes s = 1;', () => ({ s: [text('ten bytes.'), text('ten bytes.')] })],
  [
    'a table of single letters',
    symbolTables,
    'repeated string s = 1;',
    (at) => ({ s: [text(String.fromCharCode(97 + at)), text(String.fromCharCode(97 + at))] }),
  ],
  [
    'a table of a text and of empty ones',
    symbolTables,
    'repeated string s = 1;',
    () => ({ s: [text('host-a.example'), text(''), text('')] }),
  ],
  [
    'a list of messages that have a key as a list of entries',
    maps,
    'message K { optional int32 key = 1; } repeated K k = 1;',
    () => ({ k: [{ key: 0 }] }),
  ],
  ['columns of one message', columns, 'message P { int32 n = 1; } P p = 1;', () => ({ p: { n: 1 } })],
  [
    'columns of records with a list',
    columns,
    'message P { repeated int32 n = 1; int32 m = 2; } repeated P p = 1;',
    () => ({ p: [{ n: [1], m: 1 }] }),
  ],
  ['columns of constants', columns, 'enum E { A = 0; B = 1; } repeated E e = 1;', () => ({ e: [1] })],
  ['a map without defaults', maps, 'map<int32, int32> m = 1;', (at) => ({ m: [{ key: at + 1, value: 1 }] })],
  ['what two lists share', constants, LIST, (at) => (at < 2 ? { i: [{ n: 7 }, { n: 7 }] } : {})],
  ['what 17 lists in 20 share', constants, LIST, (at) => ({ i: [{ n: 7 }, { n: at < 3 ? 8 : 7 }] })],
  ['what lists of one record share', constants, LIST, () => ({ i: [{ n: 7 }] })],
  ['an id of 15 bytes as text', idsAsHex, 'bytes b = 1;', () => ({ b: new Uint8Array(15) })],
  ['a decimal text of four digits', spelledTexts, 'string s = 1;', (at) => ({ s: text(`10${10 + at}`) })],
  ['a hex text of six digits', spelledTexts, 'string s = 1;', (at) => ({ s: text(`abcd${10 + at}`) })],
  ['times, one of them none', times, 'string s = 1;', (at) => ({ s: text(at ? `2026-11-22T14:00:${10 + at}Z` : '-') })],
  ['growing numbers of separate messages', sequences, 'int64 n = 1;', (at) => ({ n: 1_000_000 + at })],
  ['an end before its start', sequences, 'int64 start = 1; int64 end = 2;', (at) => ({ start: 2 + at, end: 1 + at })],
  [
    'differences of constants',
    differences,
    'enum E { A = 0; B = 1000000; C = 1000001; } repeated E e = 1;',
    () => ({ e: [1_000_000, 1_000_001] }),
  ],
  ['runs of two, as long in each form', packing, 'repeated int32 n = 1 [packed = false];', () => ({ n: [1, 2] })],
  ['a shift of −2', shifts, 'optional sint32 n = 1;', (at) => ({ n: at - 2 })],
  ['a number that needs 33 bits', narrowIntegers, 'fixed64 n = 1;', () => ({ n: 2 ** 32 })],
  ['a negative number that needs 33 bits', narrowIntegers, 'sfixed64 n = 1;', () => ({ n: -(2 ** 31) - 1 })],
])('is not proposed: %s', (_, propose, fields, value) => {
  const proto = `syntax = "proto3"; message R { ${fields} }`;
  const forms = new FieldEncodings(compileSchema([{ path: 'r.proto', content: proto }]).registry);
  const trees = Array.from({ length: 20 }, (_, at) => treeOf('R', value(at), forms));
  expect(propose(new FieldValues(trees, forms, 'R'))).toEqual([]);
});

it.each<[string, string, readonly number[], boolean]>([
  ['sorted numbers of fixed width', 'fixed64', [1e15, 1e15 + 1, 1e15 + 40], true],
  ['numbers that are as small as varints', 'fixed64', [30, 10, 20], false],
  ['numbers in no order', 'uint32', [1_000_000, 5, 1_000_000], false],
  ['negative numbers, sorted', 'sint32', [-1_000_000, -999_999, -999_000], true],
  ['numbers of seven bits, sorted', 'fixed64', [100, 101, 102], false],
  ['negative numbers that are as small as varints', 'sfixed32', [-30, -10, -20], false],
])('differences in a list: %s', (_, type, n, isProposed) => {
  const proto = `syntax = "proto3"; message R { repeated ${type} n = 1; }`;
  const forms = new FieldEncodings(compileSchema([{ path: 'r.proto', content: proto }]).registry);
  expect(differences(new FieldValues([treeOf('R', { n }, forms)], forms, 'R'))).toHaveLength(isProposed ? 1 : 0);
});

it('waste of the writer comes first, measured against the bytes as captured, alone and with a change of the schema', async () => {
  const proto = 'syntax = "proto3"; message M { string s = 1; int64 n = 2; }';
  const { registry } = compileSchema([{ path: 'm.proto', content: proto }]);
  // s = "a" behind a length of 4 bytes, n = −1 in ten.
  const bytes = Uint8Array.from([0x0a, 0x81, 0x80, 0x80, 0x00, 0x61, 0x10, ...Array<number>(9).fill(0xff), 0x01]);
  const units = [{ delimiter: null, messages: [bytes] }];
  const advisor = await Advisor.open({ registry, type: 'M', units, compressors: [], rankedBy: undefined });
  const found: Advice[] = [];
  for await (const { advice } of advisor.proposals()) if (advice?.isSettled) found.push(advice);
  const [first, second] = rankAdvice(found, undefined);
  expect(first).toMatchObject({
    title: 'Write the same values without any waste',
    against: 'captured',
    saved: { bytes: 3 },
    effort: 'writer only',
    compatibility: { binary: 'safe', json: 'safe', source: 'safe' },
  });
  expect(second?.title).toBe('Write lengths in as few bytes as they need');
  const sint = { change: 'type', message: 'M', field: 'n', from: 'int64', to: 'sint64' } as const;
  expect((await advisor.measure([...second!.changes, sint])).saved.bytes).toBe(3 + 9);
});

it('a type of many fields: titles name two of them, and the tables that save most are tried alone and in pairs', () => {
  const names = Array.from({ length: 40 }, (_, at) => `f${at}`);
  const fields = names.map((name, at) => `string ${name} = ${at + 1};`).join(' ');
  const proto = `syntax = "proto3"; message L { repeated R r = 1; } message R { ${fields} }`;
  const forms = new FieldEncodings(compileSchema([{ path: 'r.proto', content: proto }]).registry);
  const record = Object.fromEntries(names.map((name, at) => [name, text('text'.repeat(at + 1))]));
  const uses = new FieldValues([treeOf('L', { r: [record, record] }, forms)], forms, 'L');
  expect(columns(uses)[0]?.title).toBe('Write r of L as columns, without R: a list for each of f0, f1 and 38 more');
  const tables = symbolTables(uses);
  expect(tables).toHaveLength(16 + 6 + 1);
  expect(tables[0]?.title).toMatch(/^Write the texts of f24 of R once/);
  expect(tables.at(-1)?.title).toMatch(/^Write the texts of f0, f1 and 38 more of R once/);
});

it.each<[string, readonly Plain[], number]>([
  [
    'in one message twice',
    [
      { a: text('host-a.example'), b: text('other') },
      { a: text('host-a.example'), b: text('more') },
    ],
    1,
  ],
  ['in each of many messages once', [{ a: text('host-a.example'), b: text('other') }], 0],
])('a table of texts that stand %s', (_, records, proposed) => {
  const proto = 'syntax = "proto3"; message L { repeated R r = 1; } message R { string a = 1; string b = 2; }';
  const forms = new FieldEncodings(compileSchema([{ path: 'r.proto', content: proto }]).registry);
  const trees = Array.from({ length: 32 }, () => treeOf('L', { r: records }, forms));
  const ofA = symbolTables(new FieldValues(trees, forms, 'L')).filter(({ title }) => title.includes(' of a of R '));
  expect(ofA).toHaveLength(proposed);
});

describe('rows that give numbers to fields of one message can be applied together', () => {
  // Fifteen short numbers but 7, which a frequent field would get; two lists with records of the same names.
  const rare = Array.from({ length: 10 }, (_, at) => `int32 rare_${at} = ${at + (at < 3 ? 4 : 5)};`).join(' ');
  const proto = `syntax = "proto3";
    message L { repeated R a = 1; repeated R b = 2; string s = 3; ${rare} double x = 15; double y = 16; string t = 17; }
    message R { string place = 1; uint32 n = 2; }`;
  const { registry } = compileSchema([{ path: 'r.proto', content: proto }]);
  const forms = new FieldEncodings(registry);
  const list = [7, 8, 9].map((n) => ({ place: text('host-a.example'), n }));
  const value = { a: list, b: list, s: text('ten bytes.'), x: 3, y: 4, t: text('ten bytes.') };
  const trees = Array.from({ length: 4 }, () => treeOf('L', value, forms));
  const uses = new FieldValues(trees, forms, 'L');
  const changes = new Set(PROPOSALS.flatMap((propose) => propose(uses)).flatMap((row) => row.changes));
  const isOf = (kind: Change['change'], ...names: readonly string[]) =>
    [...changes].filter((one) => one.change === kind && names.every((name) => JSON.stringify(one).includes(name)));

  it.each<[string, readonly (readonly Change[])[]]>([
    ['columns of two lists', [isOf('columns', '"a"'), isOf('columns', '"b"')]],
    ['constants of two lists', [isOf('constant', '"a"'), isOf('constant', '"b"')]],
    ['whole numbers of two fields', [isOf('new field', 'int_x'), isOf('new field', 'int_y')]],
    ['a table and numbers by frequency', [isOf('symbol table', '"L.s","L.t"'), isOf('number')]],
    ['a table, columns and whole numbers', [isOf('symbol table', '"L.s","L.t"'), isOf('columns'), isOf('new field')]],
  ])('%s', (_, rows) => {
    expect(rows.map((row) => row.length > 0)).toEqual(rows.map(() => true));
    // A table has a row for each set of its fields.
    const chosen = rows.flatMap((row) => (row[0]?.change === 'symbol table' ? row.slice(0, 1) : row));
    expect(applyChanges(chosen, forms, 'L').changes).toHaveLength(new Set(chosen).size);
  });
});

it('presence of many numbers: the sixteen that are set most are tried', () => {
  const fields = Array.from({ length: 40 }, (_, at) => `int32 f${at} = ${at + 1};`).join(' ');
  const proto = `syntax = "proto3"; message R { ${fields} }`;
  const forms = new FieldEncodings(compileSchema([{ path: 'r.proto', content: proto }]).registry);
  const numbers = (from: number): Plain =>
    Object.fromEntries(Array.from({ length: 40 - from }, (_, at) => [`f${from + at}`, 1]));
  const trees = Array.from({ length: 64 }, (_, at) => treeOf('R', numbers(at), forms));
  const tried = alwaysSet(new FieldValues(trees, forms, 'R')).map(({ title }) => /f\d+/.exec(title)?.[0]);
  expect(tried).toEqual(Array.from({ length: 16 }, (_, at) => `f${24 + at}`));
});

it.each([
  ['no', ['04Z', '05Z', '06Z']],
  ['3', ['04.500Z', '05.250Z', '06.000Z']],
  ['0, 3, 6 or 9', ['04.500Z', '05Z', '06.000001Z']],
  ['0 to 9', ['04.5Z', '05.25Z', '06Z']],
])('times of %s digits are texts of as many', (digits, seconds) => {
  const proto = 'syntax = "proto3"; message R { string at = 1; }';
  const forms = new FieldEncodings(compileSchema([{ path: 'r.proto', content: proto }]).registry);
  const trees = seconds.map((second) => treeOf('R', { at: text(`2026-11-22T14:03:${second}`) }, forms));
  expect(times(new FieldValues(trees, forms, 'R'))).toMatchObject([
    { changes: [{ value: expect.stringContaining(`text with ${digits} digits, Z, as `) }] },
  ]);
});

describe('times are converted back exactly', () => {
  const nanoseconds = fc.bigInt({ min: -62_135_596_800_000_000_000n, max: 253_402_300_799_999_999_999n });
  it('as Timestamp and Duration', () => {
    fc.assert(
      fc.property(nanoseconds, fc.constantFrom(TIMESTAMP, DURATION), (time, type) => {
        const { to, back } = messageTime(type);
        expect(to(back(time))).toBe(time);
      }),
    );
  });
  it('as text, or are refused', () => {
    const zones = fc.constantFrom('Z', '+00:00', '-03:30', '+14:00');
    fc.assert(
      fc.property(
        nanoseconds,
        fc.constantFrom(...DIGITS),
        zones,
        fc.constantFrom(1n, 1000n, 1_000_000n, 10n ** 9n),
        (time, digits, zone, unit) => {
          const whole = (time / unit) * unit;
          const { to, back } = textTime(digits, zone);
          const written = back(whole) as Uint8Array;
          const read = to(written);
          if (read !== undefined) expect(back(read)).toEqual(written);
          const needed = unit === 10n ** 9n || digits.includes('9') || (digits === '3' && unit >= 1_000_000n);
          // Years of four digits, in every zone.
          const isUsual = whole > -62_100_000_000n * 10n ** 9n && whole < 253_300_000_000n * 10n ** 9n;
          if (needed && isUsual) expect(read).toBe(whole);
        },
      ),
    );
  });
});
