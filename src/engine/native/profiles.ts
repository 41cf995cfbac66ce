/** Native profiles: rules from proto type and presence to a writer. Data only; `derive.ts` applies them. */
import type { FieldType } from '../schema/descriptor.ts';
import type { Absence, IntForm, ValueForm } from './layout.ts';

export interface NativeProfile {
  readonly id: string;
  readonly label: string;
  /** What it stands for, in a sentence. */
  readonly description: string;
  /** The form of a value by its proto type; `group` is written as a message. */
  readonly forms: Readonly<Record<Exclude<FieldType, 'group'>, ValueForm>>;
  /** The number of elements before a repeated or map field. */
  readonly count: IntForm;
  /** What marks absence of a singular field with explicit presence; of booleans, and of messages. */
  readonly absence: { readonly explicit: Absence; readonly bool: Absence; readonly message: Absence };
  /** Whether the options of schemas/native/options.proto change single fields. */
  readonly options: boolean;
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
};

/** Every profile a person can choose; the first is the default. */
export const NATIVE_PROFILES: readonly NativeProfile[] = [
  usual,
  {
    ...usual,
    id: 'opensearch-tuned',
    label: 'OpenSearch tuned',
    description: 'VInt, VLong and ZLong wherever a value may be small; the rest as usual.',
    forms: {
      ...usual.forms,
      int32: STREAM_OUTPUT.VInt,
      uint32: STREAM_OUTPUT.VInt,
      sint32: STREAM_OUTPUT.ZLong,
      int64: STREAM_OUTPUT.ZLong,
      uint64: STREAM_OUTPUT.VLong,
      sint64: STREAM_OUTPUT.ZLong,
    },
  },
  {
    ...usual,
    id: 'laid-out',
    label: 'As laid out by the schema',
    description: 'As usually written, except where the schema’s wirecost.native options say otherwise.',
    options: true,
  },
];
