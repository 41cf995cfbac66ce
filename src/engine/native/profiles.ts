/**
 * Native profiles: rules that give a writer for each proto type and presence. They are only data; `derive.ts` applies
 * them.
 */
import type { FieldType } from '../schema/descriptor.ts';
import type { Absence, IntForm, Padding, ValueForm } from './layout.ts';

export interface NativeProfile {
  readonly id: string;
  readonly label: string;
  /** Its description, in one sentence. */
  readonly description: string;
  /** The form of a value by its proto type. A `group` is written like a message. */
  readonly forms: Readonly<Record<Exclude<FieldType, 'group'>, ValueForm>>;
  /** The form of the count before a repeated or map field. */
  readonly count: IntForm;
  /** The mark of absent singular fields with explicit presence, of absent booleans, and of absent messages. */
  readonly absence: { readonly explicit: Absence; readonly bool: Absence; readonly message: Absence };
  /** The form of the flag before an optional value; default: one byte. */
  readonly flag?: IntForm;
  /** Fields are written by ascending number; default: in the order of declaration. */
  readonly byNumber?: boolean;
  /** Elements are written in blocks, and a count of 0 ends them. */
  readonly inBlocks?: boolean;
  /** The values that its format cannot hold. */
  readonly lacks?: 'unsigned' | 'nan' | 'vlong';
  /** Whether the options of schemas/native/options.proto change single fields. */
  readonly options: boolean;
  /**
   * Whether the user may change a field's writer: only in profiles that write as OpenSearch does, because all writers
   * are OpenSearch's.
   */
  readonly overridable: boolean;
}

const fixed = (bytes: 1 | 2 | 4 | 8): IntForm => ({ kind: 'fixed', bytes, order: 'big' });
const varint = (bits: 32 | 64, zigzag = false): IntForm => ({ kind: 'varint', bits, zigzag });

/** The writers of OpenSearch's StreamOutput by name (`org.opensearch.core.common.io.stream.StreamOutput`). */
export const STREAM_OUTPUT = {
  Byte: { kind: 'int', form: fixed(1) },
  Short: { kind: 'int', form: fixed(2) },
  Int: { kind: 'int', form: fixed(4) },
  Long: { kind: 'int', form: fixed(8) },
  VInt: { kind: 'int', form: varint(32) },
  VLong: { kind: 'int', form: varint(64) },
  ZLong: { kind: 'int', form: varint(64, true) },
  Float: { kind: 'float', bytes: 4, order: 'big' },
  Double: { kind: 'float', bytes: 8, order: 'big' },
  Boolean: { kind: 'bool' },
  String: { kind: 'string', length: varint(32), unit: 'utf16', body: 'cesu8' },
  Text: { kind: 'string', length: fixed(4), unit: 'byte', body: 'utf8' },
  BytesReference: { kind: 'bytes', length: varint(32) },
} as const satisfies Record<string, ValueForm>;
export type StreamOutputWriter = keyof typeof STREAM_OUTPUT;

const usual: NativeProfile = {
  id: 'opensearch',
  label: 'OpenSearch as usually written',
  description: 'Integers in fixed width, as most writeTo methods have them; one boolean byte before an optional value.',
  forms: {
    double: STREAM_OUTPUT.Double,
    float: STREAM_OUTPUT.Float,
    int32: STREAM_OUTPUT.Int,
    uint32: STREAM_OUTPUT.Int,
    sint32: STREAM_OUTPUT.Int,
    fixed32: STREAM_OUTPUT.Int,
    sfixed32: STREAM_OUTPUT.Int,
    int64: STREAM_OUTPUT.Long,
    uint64: STREAM_OUTPUT.Long,
    sint64: STREAM_OUTPUT.Long,
    fixed64: STREAM_OUTPUT.Long,
    sfixed64: STREAM_OUTPUT.Long,
    bool: STREAM_OUTPUT.Boolean,
    enum: STREAM_OUTPUT.VInt,
    string: STREAM_OUTPUT.String,
    bytes: STREAM_OUTPUT.BytesReference,
    message: { kind: 'message' },
  },
  count: varint(32),
  absence: { explicit: 'flag', bool: 'tristate', message: 'flag' },
  options: false,
  overridable: true,
};

const sized = (length: IntForm, padding: Padding | undefined) => ({
  string: { kind: 'string', length, unit: 'byte', body: 'utf8', ...(padding && { padding }) } as const,
  bytes: { kind: 'bytes', length, ...(padding && { padding }) } as const,
});

/** Forms of a format with one signed and one unsigned integer form for each width. */
function formsOf({
  int32,
  uint32,
  int64,
  uint64,
  bool,
  order,
  length,
  padding,
}: {
  readonly int32: IntForm;
  readonly uint32: IntForm;
  readonly int64: IntForm;
  readonly uint64: IntForm;
  readonly bool?: ValueForm;
  readonly order: 'big' | 'little';
  readonly length: IntForm;
  readonly padding?: Padding;
}): NativeProfile['forms'] {
  const [signed32, unsigned32]: readonly ValueForm[] = [int32, uint32].map((form) => ({ kind: 'int', form }));
  const [signed64, unsigned64]: readonly ValueForm[] = [int64, uint64].map((form) => ({ kind: 'int', form }));
  return {
    double: { kind: 'float', bytes: 8, order },
    float: { kind: 'float', bytes: 4, order },
    int32: signed32!,
    sint32: signed32!,
    sfixed32: signed32!,
    enum: signed32!,
    uint32: unsigned32!,
    fixed32: unsigned32!,
    int64: signed64!,
    sint64: signed64!,
    sfixed64: signed64!,
    uint64: unsigned64!,
    fixed64: unsigned64!,
    bool: bool ?? { kind: 'bool' },
    ...sized(length, padding),
    message: { kind: 'message' },
  };
}

export const little = (bytes: 1 | 2 | 4 | 8): IntForm => ({ kind: 'fixed', bytes, order: 'little' });
const marked = (zigzag: boolean): IntForm => ({ kind: 'marked', bits: 64, zigzag });
const flagged = { explicit: 'flag', bool: 'flag', message: 'flag' } as const;
const foreign = { absence: flagged, options: false, overridable: false } as const;

/** Formats of other systems. Each is compared with its own library (`foreign-profiles.test.ts`). */
const FOREIGN: readonly NativeProfile[] = [
  {
    ...foreign,
    id: 'avro',
    label: 'Avro binary',
    description:
      'Fields by ascending number; zigzag integers, little-endian floats, blocks that a 0 ends; what may be absent is a union with null.',
    forms: formsOf({
      int32: varint(64, true),
      uint32: varint(64, true),
      int64: varint(64, true),
      uint64: varint(64, true),
      order: 'little',
      length: varint(64, true),
    }),
    count: varint(64, true),
    flag: varint(64, true),
    byNumber: true,
    inBlocks: true,
    lacks: 'unsigned',
  },
  {
    ...foreign,
    id: 'bincode-fixed',
    label: 'bincode, fixed widths',
    description: 'Rust’s bincode 1: little-endian, lengths in 8 bytes, one byte before an Option.',
    forms: formsOf({
      int32: little(4),
      uint32: little(4),
      int64: little(8),
      uint64: little(8),
      order: 'little',
      length: little(8),
    }),
    count: little(8),
  },
  {
    ...foreign,
    id: 'bincode-variable',
    label: 'bincode, variable widths',
    description:
      'Rust’s bincode 2: integers up to 250 and lengths in one byte, signed ones zigzag, larger ones marked.',
    forms: formsOf({
      int32: marked(true),
      uint32: marked(false),
      int64: marked(true),
      uint64: marked(false),
      order: 'little',
      length: marked(false),
    }),
    count: marked(false),
  },
  {
    ...foreign,
    id: 'postcard',
    label: 'postcard',
    description: 'Rust’s postcard: varints as protobuf’s, signed ones zigzag, one byte before an Option.',
    forms: formsOf({
      int32: varint(64, true),
      uint32: varint(64),
      int64: varint(64, true),
      uint64: varint(64),
      order: 'little',
      length: varint(64),
    }),
    count: varint(64),
  },
  {
    ...foreign,
    id: 'borsh',
    label: 'Borsh',
    description: 'Little-endian, lengths in 4 bytes, one byte before an Option.',
    forms: formsOf({
      int32: little(4),
      uint32: little(4),
      int64: little(8),
      uint64: little(8),
      order: 'little',
      length: little(4),
    }),
    count: little(4),
    lacks: 'nan',
  },
  {
    ...foreign,
    id: 'xdr',
    label: 'XDR',
    description:
      'Big-endian in units of 4 bytes: booleans, lengths and optional marks take 4, texts and bytes are padded to 4, which counts as length.',
    forms: formsOf({
      int32: fixed(4),
      uint32: fixed(4),
      int64: fixed(8),
      uint64: fixed(8),
      bool: { kind: 'int', form: fixed(4) },
      order: 'big',
      length: fixed(4),
      padding: 4,
    }),
    count: fixed(4),
    flag: fixed(4),
  },
];

/** The profile that follows the options of a schema. Captured native messages are read with it. */
export const SCHEMA_LAYOUT_PROFILE: NativeProfile = {
  ...usual,
  id: 'laid-out',
  label: 'As laid out by the schema',
  description: 'As usually written, except where the schema’s wirecost.native options say otherwise.',
  options: true,
};

/** Every profile that the user can choose; the first one is the default. */
export const NATIVE_PROFILES: readonly NativeProfile[] = [
  usual,
  {
    ...usual,
    id: 'opensearch-tuned',
    label: 'OpenSearch tuned',
    description: 'VInt, VLong and ZLong where a value may be small; the rest as usual.',
    forms: {
      ...usual.forms,
      int32: STREAM_OUTPUT.VInt,
      uint32: STREAM_OUTPUT.VInt,
      sint32: STREAM_OUTPUT.ZLong,
      int64: STREAM_OUTPUT.ZLong,
      uint64: STREAM_OUTPUT.VLong,
      sint64: STREAM_OUTPUT.ZLong,
    },
    lacks: 'vlong',
  },
  SCHEMA_LAYOUT_PROFILE,
  ...FOREIGN,
];

export const profileById = (wanted: string): NativeProfile | undefined =>
  NATIVE_PROFILES.find(({ id }) => id === wanted);
