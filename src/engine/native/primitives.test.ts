/**
 * Every recorded row of StreamOutput calls (OpenSearch 2.19.2): the same value, written with our forms, gives the same
 * bytes. Calls that combine others are combined here as facts of the class say; the rest is one form of STREAM_OUTPUT.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Output } from './output.ts';
import { STREAM_OUTPUT, type StreamOutputWriter } from './profiles.ts';

type Write<V = unknown> = (out: Output, value: V) => void;

const integer = (writer: StreamOutputWriter) => (out: Output, value: number | string) => {
  const form = STREAM_OUTPUT[writer];
  if (form.kind !== 'int') throw new Error(`${writer} is not an integer`);
  const bits = BigInt.asIntN(64, BigInt(value));
  out.int(form.form, Number(BigInt.asIntN(32, bits)), Number(bits >> 32n));
};
const vint = integer('VInt');
const long = integer('Long');
const byte = (out: Output, value: number) => out.byte(value & 255);
const bool = (out: Output, value: boolean) => out.byte(value ? 1 : 0);
const ieee = (bytes: 4 | 8) => (out: Output, value: number | string) => {
  const view = new DataView(new ArrayBuffer(bytes));
  if (bytes === 4) view.setFloat32(0, Number(value));
  else view.setFloat64(0, Number(value));
  out.raw(new Uint8Array(view.buffer));
};
const float = ieee(4);
const double = ieee(8);
const string = (out: Output, value: string) => {
  vint(out, value.length);
  out.cesu8(value);
};
const text = (out: Output, value: string) => {
  const bytes = new TextEncoder().encode(value);
  integer('Int')(out, bytes.length);
  out.raw(bytes);
};
const raw = (out: Output, value: { hex: string }) => out.raw(Buffer.from(value.hex, 'hex'));
const bytes = (out: Output, value: { hex: string } | null) => {
  vint(out, value === null ? 0 : value.hex.length / 2);
  if (value !== null) raw(out, value);
};
const optional =
  <V>(write: (out: Output, value: V) => void) =>
  (out: Output, value: V | null) => {
    bool(out, value !== null);
    if (value !== null) write(out, value);
  };
const list =
  <V>(write: (out: Output, value: V) => void) =>
  (out: Output, values: readonly V[]) => {
    vint(out, values.length);
    for (const value of values) write(out, value);
  };
const entries =
  <V>(write: (out: Output, value: V) => void) =>
  (out: Output, map: Record<string, V>) => {
    vint(out, Object.keys(map).length);
    for (const [key, value] of Object.entries(map)) {
      string(out, key);
      write(out, value);
    }
  };
const strings = list(string);
const UNITS = ['NANOSECONDS', 'MICROSECONDS', 'MILLISECONDS', 'SECONDS', 'MINUTES', 'HOURS', 'DAYS'];
/** A generic value: its type byte, then the value. */
const generic =
  (type: number, write: (out: Output) => void = () => {}) =>
  (out: Output) => {
    byte(out, type);
    write(out);
  };
const g = {
  null: generic(-1),
  string: (value: string) => generic(0, (out) => string(out, value)),
  int: (value: number) => generic(1, (out) => integer('Int')(out, value)),
  long: (value: number) => generic(2, (out) => long(out, value)),
};
const MILLIS = 1700000000123;
const all = (writes: readonly ((out: Output) => void)[]) => (out: Output) => {
  vint(out, writes.length);
  for (const write of writes) write(out);
};
const keyed = (pairs: readonly (readonly [string, (out: Output) => void])[]) =>
  all(
    pairs.map(([key, write]) => (out) => {
      string(out, key);
      write(out);
    }),
  );
const sampleMap = keyed([
  ['b', g.int(1)],
  ['a', generic(7, all([g.string('x'), g.long(2)]))],
  ['n', g.null],
]);
const generics: Record<string, (out: Output, value: string) => void> = {
  null: g.null,
  String: (out, value) => g.string(value)(out),
  Integer: (out, value) => g.int(Number(value))(out),
  Long: (out, value) => generic(2, () => long(out, value))(out),
  Float: (out, value) => generic(3, () => float(out, value))(out),
  Double: (out, value) => generic(4, () => double(out, value))(out),
  Boolean: (out, value) => generic(5, () => bool(out, value === 'true'))(out),
  'byte[]': generic(6, (out) => bytes(out, { hex: '010203' })),
  List: generic(7, all([g.string('a'), g.int(1), g.null])),
  'Object[]': generic(8, all([g.string('a'), g.int(1)])),
  LinkedHashMap: generic(9, sampleMap),
  HashMap: generic(10, keyed([['k', g.string('v')]])),
  Byte: (out, value) => generic(11, () => byte(out, Number(value)))(out),
  Date: generic(12, (out) => long(out, MILLIS)),
  'joda DateTime': generic(13, (out) => {
    string(out, 'UTC');
    long(out, MILLIS);
  }),
  BytesReference: generic(14, (out) => bytes(out, { hex: '0908' })),
  Text: (out, value) => generic(15, () => text(out, value))(out),
  Short: (out, value) => generic(16, () => integer('Short')(out, value))(out),
  'int[]': generic(17, (out) => list(integer('Int'))(out, [1, -1])),
  'long[]': generic(18, (out) => list(long)(out, [1, -1])),
  'float[]': generic(19, (out) => list(float)(out, [1.5])),
  'double[]': generic(20, (out) => list(double)(out, [0.5])),
  BytesRef: generic(21, (out) => bytes(out, { hex: '726566' })),
  GeoPoint: generic(22, (out) => {
    double(out, 52.5);
    double(out, 13.25);
  }),
  ZonedDateTime: (out, value) =>
    generic(23, () => {
      string(out, value.endsWith('Z') ? 'Z' : 'Europe/Berlin');
      long(out, value.endsWith('Z') ? 0 : MILLIS);
    })(out),
  LinkedHashSet: generic(24, all([g.string('z'), g.string('a')])),
  HashSet: generic(25, all([g.string('only')])),
  BigInteger: (out, value) => generic(26, () => string(out, value))(out),
};
const sortValues: Record<string, (out: Output, value: string) => void> = {
  null: generic(0),
  String: (out, value) => generic(1, () => string(out, value))(out),
  Integer: (out, value) => generic(2, () => integer('Int')(out, value))(out),
  Long: (out, value) => generic(3, () => long(out, value))(out),
  Float: (out, value) => generic(4, () => float(out, value))(out),
  Double: (out, value) => generic(5, () => double(out, value))(out),
  Byte: (out, value) => generic(6, () => byte(out, Number(value)))(out),
  Short: (out, value) => generic(7, () => integer('Short')(out, value))(out),
  Boolean: (out, value) => generic(8, () => bool(out, value === 'true'))(out),
  BytesRef: generic(9, (out) => bytes(out, { hex: '7465726d' })),
  BigInteger: (out, value) => generic(10, () => string(out, value))(out),
};

/** A query as a named writeable: its kind, its boost, its name if it has one, then what the kind adds. */
const query =
  (kind: string, boost: number, write: (out: Output) => void = () => {}, name: string | null = null) =>
  (out: Output) => {
    string(out, kind);
    float(out, boost);
    optional(string)(out, name);
    write(out);
  };
const term = (field: string, value: (out: Output) => void) => (out: Output) => {
  string(out, field);
  value(out);
  bool(out, false);
};
const namedWriteables: Record<string, (out: Output) => void> = {
  'term{user:kim}': query(
    'term',
    2,
    term(
      'user',
      generic(21, (out) => bytes(out, { hex: '6b696d' })),
    ),
    'n',
  ),
  match_all: query('match_all', 1),
  'docvalueformat raw': (out) => string(out, 'raw'),
  '[match_all, term{n:5}]': all([query('match_all', 1), query('term', 1, term('n', g.int(5)))]),
};

/** An exception: present, kind, what the kind adds, cause (some kinds have no place for one), frames, suppressed. */
const none = (out: Output) => bool(out, false);
const noCause = () => {};
const exception =
  (
    kind: number,
    parts: (out: Output) => void,
    cause: (out: Output) => void = none,
    frames: (out: Output) => void = all([]),
  ) =>
  (out: Output) => {
    bool(out, true);
    vint(out, kind);
    parts(out);
    cause(out);
    frames(out);
    vint(out, 0);
  };
const message = (value: string) => (out: Output) => optional(string)(out, value);
/** Kind 0: OpenSearch's own exceptions carry their id behind the kind, and headers and metadata at their end. */
const own =
  (id: number, words: string, metadata: Record<string, string[]>, tail: (out: Output) => void) => (out: Output) => {
    bool(out, true);
    vint(out, 0);
    vint(out, id);
    message(words)(out);
    none(out);
    vint(out, 0);
    vint(out, 0);
    vint(out, 0);
    entries(strings)(out, metadata);
    tail(out);
  };
const status = (name: string, code: string) => (out: Output) => {
  string(out, name);
  string(out, code);
};
const frame = (out: Output) => {
  string(out, 'a.B');
  optional(string)(out, 'B.java');
  string(out, 'm');
  vint(out, 42);
};
const INTERNAL = 'INTERNAL_SERVER_ERROR';
const exceptions: Record<string, (out: Output) => void> = {
  null: none,
  'IllegalArgumentException(bad)': exception(6, message('bad')),
  'IllegalStateException(s, cause NullPointerException(n))': exception(
    14,
    message('s'),
    exception(4, message('n'), noCause),
  ),
  'EOFException(eof)': exception(8, message('eof'), noCause),
  'NoSuchFileException(f, o, r)': exception(
    13,
    (out) => {
      vint(out, 0);
      for (const part of ['f', 'o', 'r', 'f -> o: r']) optional(string)(out, part);
    },
    noCause,
  ),
  'OpenSearchException(m)': own(62, 'exception: m', {}, status('exception', INTERNAL)),
  'IndexClosedException(idx/uuid)': own(
    62,
    'index_closed_exception: closed',
    { 'opensearch.index': ['idx'], 'opensearch.index_uuid': ['uuid'] },
    status('index_closed_exception', 'BAD_REQUEST'),
  ),
  'ArithmeticException(unregistered)': own(
    62,
    'arithmetic_exception: unregistered',
    {},
    status('arithmetic_exception', INTERNAL),
  ),
  'IllegalArgumentException(with a frame) at a.B.m(B.java:42)': exception(
    6,
    message('with a frame'),
    none,
    all([frame]),
  ),
};

const timeValue = (out: Output, value: string) => {
  const [, amount, suffix] = /^(-?[\d.]+)(s|m)?$/.exec(value)!;
  const [duration, at] =
    value === '1.5s'
      ? [1500, 2]
      : suffix === 'm'
        ? [Number(amount), 4]
        : suffix === 's'
          ? [Number(amount), 3]
          : [Number(amount), 2];
  integer('ZLong')(out, duration!);
  byte(out, value === '0s' ? 2 : at!);
};
const instant = (out: Output, value: string) => {
  const [, , fraction = ''] = /^([^.]+)\.?(\d*)Z$/.exec(value)!;
  long(out, Math.floor(Date.parse(value) / 1000));
  integer('Int')(out, Number(fraction.padEnd(9, '0')));
};
/** Version.id: major · 1000000 + minor · 10000 + revision · 100 + 99, marked as OpenSearch's own by one bit. */
const version = (out: Output, value: string) => {
  const legacy = value.startsWith('legacy ');
  const [major, minor, revision] = value.replace('legacy ', '').split('.').map(Number);
  const id = major! * 1000000 + minor! * 10000 + revision! * 100 + 99;
  vint(out, legacy ? id : id ^ 0x08000000);
};
const sortField = (out: Output, value: string) => {
  const long = value === 'long desc';
  optional(string)(out, long ? 'n' : null);
  vint(out, long ? 5 : 0);
  byte(out, 0);
  g.null(out);
  bool(out, long);
};
const explanation = (out: Output) => {
  bool(out, true);
  string(out, 'why');
  vint(out, 2);
  bool(out, true);
  string(out, 'detail');
  vint(out, 0);
  byte(out, 2);
  integer('ZLong')(out, 3);
  bool(out, false);
  string(out, 'no');
  vint(out, 0);
  byte(out, 0);
  float(out, 1.5);
};

const WRITERS: Record<string, Write<never>> = {
  writeByte: byte,
  writeShort: integer('Short'),
  writeInt: integer('Int'),
  writeVInt: vint,
  writeLong: long,
  writeVLong: integer('VLong'),
  writeVLongNoCheck: integer('VLong'),
  writeZLong: integer('ZLong'),
  writeFloat: float,
  writeDouble: double,
  writeBoolean: bool,
  writeOptionalBoolean: (out: Output, value: boolean | null) => out.byte(value === null ? 2 : value ? 1 : 0),
  writeOptionalInt: optional(integer('Int')),
  writeOptionalVInt: optional(vint),
  writeOptionalLong: optional(long),
  writeOptionalVLong: optional(integer('VLong')),
  writeOptionalFloat: optional(float),
  writeOptionalDouble: optional(double),
  writeString: string,
  writeOptionalString: optional(string),
  writeText: text,
  // The caller made the bytes, by String.getBytes: half a surrogate pair is a question mark there.
  'writeText(bytes)': (out: Output, value: string) => text(out, value.replace(/\p{Surrogate}/gu, '?')),
  writeOptionalText: (out: Output, value: string | null) =>
    value === null ? integer('Int')(out, -1) : text(out, value),
  writeBytes: raw,
  writeByteArray: bytes,
  writeBytesReference: bytes,
  writeBytesRef: bytes,
  writeOptionalBytesReference: (out: Output, value: { hex: string } | null) => {
    vint(out, value === null ? 0 : value.hex.length / 2 + 1);
    if (value !== null) raw(out, value);
  },
  writeStringArray: strings,
  writeStringCollection: strings,
  writeStringArrayNullable: (out: Output, value: string[] | null) => strings(out, value ?? []),
  writeOptionalStringArray: optional(strings),
  writeOptionalStringCollection: optional(strings),
  writeIntArray: list(integer('Int')),
  writeVIntArray: list(vint),
  writeLongArray: list(long),
  writeVLongArray: list(integer('VLong')),
  writeFloatArray: list(float),
  writeDoubleArray: list(double),
  writeMapOfLists: entries(strings),
  'writeMap(string,float)': entries(float),
  writeMap: (out: Output, value: unknown) => (value === null ? g.null(out) : generic(9, sampleMap)(out)),
  writeMapWithConsistentOrder: generic(
    10,
    keyed([
      ['a', g.int(2)],
      ['b', g.int(1)],
    ]),
  ),
  writeEnum: (out: Output, value: string) => vint(out, UNITS.indexOf(value)),
  writeEnumSet: (out: Output, value: string) =>
    list(vint)(
      out,
      value === '[]'
        ? []
        : value
            .slice(1, -1)
            .split(', ')
            .map((name) => UNITS.indexOf(name)),
    ),
  writeVersion: version,
  writeBigInteger: string,
  writeInstant: instant,
  writeOptionalInstant: optional(instant),
  writeZoneId: string,
  writeOptionalZoneId: optional(string),
  writeTimeValue: timeValue,
  writeOptionalTimeValue: optional(timeValue),
  writeNamedWriteable: (out: Output, value: string) => namedWriteables[value]!(out),
  writeOptionalNamedWriteable: none,
  writeNamedWriteableList: (out: Output, value: string) => namedWriteables[value]!(out),
  writeException: (out: Output, value: string | null) => exceptions[String(value)]!(out),
  'Lucene.writeSortField': sortField,
  'Lucene.writeTotalHits': (out: Output, value: string) => {
    integer('VLong')(out, Number(value.split(' ')[1]));
    vint(out, value.startsWith('eq') ? 0 : 1);
  },
  'Lucene.writeExplanation': explanation,
};

interface Row {
  readonly op: string;
  readonly value: never;
  readonly hex: string;
}

const rows = readFileSync('fixtures/native/primitives.jsonl', 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);

const writerOf = (op: string): Write<never> => {
  const [call, kind] = op.split(':') as [string, string | undefined];
  if (kind === undefined) return WRITERS[call]!;
  return (call === 'writeGenericValue' ? generics : sortValues)[kind]!;
};

for (const op of new Set(rows.map((row) => row.op))) {
  test(`${op} gives the recorded bytes`, () => {
    for (const { value, hex } of rows.filter((row) => row.op === op)) {
      const out = new Output();
      writerOf(op)(out, value);
      expect(Buffer.from(out.finish()).toString('hex'), JSON.stringify(value)).toBe(hex);
    }
  });
}

test('all 681 rows are looked at', () => {
  expect(rows).toHaveLength(681);
});
