/** Inputs whose memory grows most with their size: deep, wide, many and packed. Each is made, none is kept. */

function varint(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
  return bytes;
}

const repeated = (bytes: readonly number[], count: number): Uint8Array =>
  Uint8Array.from({ length: bytes.length * count }, (_, at) => bytes[at % bytes.length]!);

/** Field 1 in itself. */
function nested(depth: number): Uint8Array {
  const heads: (readonly number[])[] = [];
  let size = 0;
  for (let level = 0; level < depth; level++) {
    const head = [10, ...varint(size)];
    heads.push(head);
    size += head.length;
  }
  return Uint8Array.from(heads.reverse().flat());
}

/** A message of `width` fields in each message, nested `depth` levels deep. */
function branching(width: number, depth: number): Uint8Array {
  if (depth === 0) return Uint8Array.of(8, 1);
  const inner = branching(width, depth - 1);
  const parts = Array.from({ length: width }, (_, field) =>
    Uint8Array.from([...varint((field + 1) * 8 + 2), ...varint(inner.length), ...inner]),
  );
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

const FIRST_NUMBER = 16_384;

export const INPUTS = {
  /** 300,000 field numbers. */
  numbers: (): Uint8Array =>
    Uint8Array.from(Array.from({ length: 300_000 }, (_, at) => [...varint((FIRST_NUMBER + at) * 8), 1]).flat()),
  branching: (): Uint8Array => branching(8, 6),
  deep: (): Uint8Array => nested(20_000),
  /** Paths of the maximum length. */
  deepPaths: (): Uint8Array => nested(500),
  /** 400,000 messages of a type with 150 absent fields, in one. */
  empties: (): Uint8Array => repeated([10, 0], 400_000),
  /** 280,000 short texts: the most values for their bytes that `advise` holds. */
  words: (): Uint8Array => repeated([0xca, 9, 5, 0x61, 0x62, 0x63, 0x64, 0x65], 280_000),
  groups: (): Uint8Array => Uint8Array.from([...repeated([11], 60_000), ...repeated([12], 60_000)]),
  /** One packed run. */
  packed: (): Uint8Array => Uint8Array.from([0xba, 9, ...varint(1_000_000), ...repeated([5], 1_000_000)]),
  texts: (): Uint8Array => repeated([18, 4, 0x61, 0x62, 0x63, 0x64], 170_000),
  /** 300,000 messages of two bytes, each after its size. */
  messages: (): Uint8Array => repeated([2, 8, 1], 300_000),
  /** A message in base64 a line, as many as are read so. */
  lines: (): Uint8Array => repeated([0x43, 0x67, 0x46, 0x68, 0x0a], 50_000),
  few: (): Uint8Array => repeated([2, 8, 1], 3_000),
} as const;

/** Schemas of 2 MB whose declarations are as short as possible, so that memory per byte is the largest. */
const crowded = (declare: (at: number) => string): string => {
  const parts = ['syntax = "proto3";'];
  for (let at = 0, size = 0; size < 2_000_000; at++) {
    const part = declare(at);
    parts.push(part);
    size += part.length;
  }
  return parts.join('');
};

export const SCHEMAS = {
  'fields.proto': () => crowded((at) => `message M${at}{int32 a=1;int32 b=2;int32 c=3;int32 d=4;}`),
  'empty.proto': () => crowded((at) => `message M${at}{}`),
  'maps.proto': () => crowded((at) => `message M${at}{map<int32,int32> a=1;}`),
  'nested.proto': () => crowded((at) => `message M${at}{message N{message O{int32 a=1;}O o=1;}N n=1;}`),
  'values.proto': () => crowded((at) => `message M${at}{}enum E${at}{A${at}=0;B${at}=1;C${at}=2;D${at}=3;}`),
} as const;

/** A message in itself with 149 other fields, and lists. */
export const WIDE_SCHEMA = `syntax = "proto3";
message M {
  M m = 1;
${Array.from({ length: 149 }, (_, at) => `  optional int32 a_field_with_a_long_name_${at} = ${at + 2};`).join('\n')}
  repeated int32 packed = 151;
  repeated M list = 152;
  repeated string texts = 153;
}
`;
