/**
 * Options as bytes of a descriptor set → raw options. Relevant options are converted as if they were written in text;
 * custom ones stay undecoded.
 */
import { NOWHERE, type RawField, type RawOption, type RawValue } from '../declaration.ts';
import type { OptionsKind } from '../options/raw-options.ts';
import type { ProtoReader } from './proto-reader.ts';

/** An option of descriptor.proto: its name, and the names of its values by number. Without values, it is a flag. */
type Known = readonly [name: string, values?: Readonly<Record<number, string>>];

/** Messages: `feature_support` is FieldOptions.FeatureSupport, `declaration` is ExtensionRangeOptions.Declaration. */
type Message = 'features' | 'feature_support' | 'declaration';

/** An option that is text. */
interface Text {
  readonly text: string;
}

const TEXT = (text: string): Text => ({ text });

const TARGETS: Readonly<Record<number, string>> = {
  1: 'TARGET_TYPE_FILE',
  2: 'TARGET_TYPE_EXTENSION_RANGE',
  3: 'TARGET_TYPE_MESSAGE',
  4: 'TARGET_TYPE_FIELD',
  5: 'TARGET_TYPE_ONEOF',
  6: 'TARGET_TYPE_ENUM',
  7: 'TARGET_TYPE_ENUM_ENTRY',
  8: 'TARGET_TYPE_SERVICE',
  9: 'TARGET_TYPE_METHOD',
};

const CONFLICTS = 'deprecated_legacy_json_field_conflicts';

/** The options that affect compilation or comparisons of versions, by message of descriptor.proto and field number. */
const KNOWN: Readonly<Record<OptionsKind, Readonly<Record<number, Known | Text | Message>>>> = {
  FileOptions: {
    1: TEXT('java_package'),
    8: TEXT('java_outer_classname'),
    10: ['java_multiple_files'],
    11: TEXT('go_package'),
    16: ['cc_generic_services'],
    17: ['java_generic_services'],
    18: ['py_generic_services'],
    27: ['java_string_check_utf8'],
    31: ['cc_enable_arenas'],
    36: TEXT('objc_class_prefix'),
    37: TEXT('csharp_namespace'),
    39: TEXT('swift_prefix'),
    40: TEXT('php_class_prefix'),
    41: TEXT('php_namespace'),
    44: TEXT('php_metadata_namespace'),
    45: TEXT('ruby_package'),
    9: ['optimize_for', { 1: 'SPEED', 2: 'CODE_SIZE', 3: 'LITE_RUNTIME' }],
    23: ['deprecated'],
    50: 'features',
  },
  MessageOptions: {
    1: ['message_set_wire_format'],
    2: ['no_standard_descriptor_accessor'],
    3: ['deprecated'],
    11: [CONFLICTS],
    12: 'features',
  },
  FieldOptions: {
    1: ['ctype', { 0: 'STRING', 1: 'CORD', 2: 'STRING_PIECE' }],
    6: ['jstype', { 0: 'JS_NORMAL', 1: 'JS_STRING', 2: 'JS_NUMBER' }],
    2: ['packed'],
    3: ['deprecated'],
    19: ['targets', TARGETS],
    21: 'features',
    22: 'feature_support',
  },
  OneofOptions: { 1: 'features' },
  ExtensionRangeOptions: {
    2: 'declaration',
    3: ['verification', { 0: 'DECLARATION', 1: 'UNVERIFIED' }],
    50: 'features',
  },
  EnumOptions: { 2: ['allow_alias'], 3: ['deprecated'], 6: [CONFLICTS], 7: 'features' },
  EnumValueOptions: { 1: ['deprecated'], 2: 'features', 4: 'feature_support' },
  ServiceOptions: { 33: ['deprecated'], 34: 'features' },
  MethodOptions: {
    33: ['deprecated'],
    34: ['idempotency_level', { 0: 'IDEMPOTENCY_UNKNOWN', 1: 'NO_SIDE_EFFECTS', 2: 'IDEMPOTENT' }],
    35: 'features',
  },
};

/** google.protobuf.FeatureSet: the name of each feature and of its values, by number. */
const FEATURES: Readonly<Record<number, readonly [string, Readonly<Record<number, string>>]>> = {
  1: ['field_presence', { 1: 'EXPLICIT', 2: 'IMPLICIT', 3: 'LEGACY_REQUIRED' }],
  2: ['enum_type', { 1: 'OPEN', 2: 'CLOSED' }],
  3: ['repeated_field_encoding', { 1: 'PACKED', 2: 'EXPANDED' }],
  4: ['utf8_validation', { 2: 'VERIFY', 3: 'NONE' }],
  5: ['message_encoding', { 1: 'LENGTH_PREFIXED', 2: 'DELIMITED' }],
  6: ['json_format', { 1: 'ALLOW', 2: 'LEGACY_BEST_EFFORT' }],
  8: ['default_symbol_visibility', { 1: 'EXPORT_ALL', 2: 'EXPORT_TOP_LEVEL', 3: 'LOCAL_ALL', 4: 'STRICT' }],
};

/** Lower numbers are descriptor.proto's own options; extensions begin here. */
const FIRST_EXTENSION = 1000;

/** google.protobuf.Edition. */
const EDITIONS: Readonly<Record<number, string>> = {
  900: 'EDITION_LEGACY',
  998: 'EDITION_PROTO2',
  999: 'EDITION_PROTO3',
  1000: 'EDITION_2023',
  1001: 'EDITION_2024',
};

/** Adds to `into`, because the record of a message may be split. */
export function readSetOptions(reader: ProtoReader, kind: OptionsKind, into: RawOption[]): void {
  while (reader.next()) {
    const { number, wireType } = reader;
    const known = KNOWN[kind][number];
    if (known === 'features' && wireType === 2) readFeatures(reader.inner(), into);
    else if (known === 'feature_support' && wireType === 2) readSupport(reader.inner(), into);
    else if (known === 'declaration' && wireType === 2) into.push(readDeclaration(reader.inner()));
    else if (typeof known === 'object' && 'text' in known && wireType === 2) {
      into.push(written([known.text], stringOf(reader.inner())));
    } else if (Array.isArray(known) && wireType === 0) {
      const [name, values] = known as Known;
      const value = values === undefined ? String(reader.bool()) : values[reader.uint()];
      if (value !== undefined) into.push(written([name], value));
    } else {
      const start = reader.at;
      reader.skip();
      const data = reader.bytes.subarray(start, reader.at);
      if (number >= FIRST_EXTENSION) into.push({ kind: 'wire', number, wireType, data });
    }
  }
}

function readSupport(reader: ProtoReader, into: RawOption[]): void {
  while (reader.next()) {
    const name = reader.number === 1 ? 'edition_introduced' : reader.number === 4 ? 'edition_removed' : undefined;
    if (name === undefined || reader.wireType !== 0) reader.skip();
    // An edition that is not in the list is newer than all of them.
    else into.push(written(['feature_support', name], EDITIONS[reader.uint()] ?? 'EDITION_MAX'));
  }
}

/** google.protobuf.ExtensionRangeOptions.Declaration, converted as if written in braces. */
const DECLARATION: Readonly<Record<number, string>> = {
  1: 'number',
  2: 'full_name',
  3: 'type',
  5: 'reserved',
  6: 'repeated',
};

function readDeclaration(reader: ProtoReader): RawOption {
  const fields: RawField[] = [];
  while (reader.next()) {
    const { number, wireType } = reader;
    const name = DECLARATION[number];
    const isText = name === 'full_name' || name === 'type';
    if (name === undefined || wireType !== (isText ? 2 : 0)) {
      reader.skip();
      continue;
    }
    const value = isText
      ? stringOf(reader.inner())
      : name === 'number'
        ? numberOf(reader.int())
        : wordOf(reader.bool());
    fields.push({ name: { text: name, isExtension: false, ...NOWHERE }, hasColon: true, value });
  }
  return written(['declaration'], { kind: 'aggregate', fields });
}

const stringOf = ({ bytes, at, end }: ProtoReader): RawValue => ({ kind: 'string', bytes: bytes.subarray(at, end) });
const numberOf = (value: number): RawValue => ({ kind: 'number', text: String(Math.abs(value)), negative: value < 0 });
const wordOf = (value: boolean): RawValue => ({ kind: 'identifier', text: String(value) });

function readFeatures(reader: ProtoReader, into: RawOption[]): void {
  while (reader.next()) {
    const feature = FEATURES[reader.number];
    if (feature === undefined || reader.wireType !== 0) {
      reader.skip();
      continue;
    }
    const value = feature[1][reader.uint()];
    if (value !== undefined) into.push(written(['features', feature[0]], value));
  }
}

const written = (name: readonly string[], value: string | RawValue): RawOption => ({
  kind: 'text',
  name: name.map((part) => ({ text: part, isExtension: false, ...NOWHERE })),
  value: typeof value === 'string' ? { kind: 'identifier', text: value } : value,
  span: NOWHERE,
});
