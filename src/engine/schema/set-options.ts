/** Options as descriptor sets keep them, as bytes → raw options: those that matter as if written, custom ones unread. */
import { NOWHERE, type RawOption } from './declaration.ts';
import type { OptionsKind } from './link-options.ts';
import type { ProtoReader } from './proto-reader.ts';

/** Numbers of the options that change how a schema compiles, by their message in descriptor.proto. */
const KNOWN: Readonly<Record<OptionsKind, Readonly<Record<number, string>>>> = {
  FileOptions: { 23: 'deprecated', 50: 'features' },
  MessageOptions: { 1: 'message_set_wire_format', 3: 'deprecated', 12: 'features' },
  FieldOptions: { 2: 'packed', 3: 'deprecated', 21: 'features' },
  OneofOptions: { 1: 'features' },
  EnumOptions: { 2: 'allow_alias', 3: 'deprecated', 7: 'features' },
  EnumValueOptions: { 1: 'deprecated', 2: 'features' },
  ServiceOptions: { 33: 'deprecated', 34: 'features' },
  MethodOptions: { 33: 'deprecated', 35: 'features' },
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

/** descriptor.proto keeps its own options below; extensions of them begin here. */
const FIRST_EXTENSION = 1000;

/** Adds to `into`, since the record of a message may be split. */
export function readSetOptions(reader: ProtoReader, kind: OptionsKind, into: RawOption[]): void {
  while (reader.next()) {
    const { number, wireType } = reader;
    const name = KNOWN[kind][number];
    if (name === 'features' && wireType === 2) readFeatures(reader.inner(), into);
    else if (name !== undefined && name !== 'features' && wireType === 0) {
      const isSet = reader.bool();
      // Of all flags, only `packed = false` says something that silence does not.
      if (isSet || name === 'packed') into.push(written([name], String(isSet)));
    } else {
      const start = reader.at;
      reader.skip();
      const data = reader.bytes.subarray(start, reader.at);
      if (number >= FIRST_EXTENSION) into.push({ kind: 'wire', number, wireType, data });
    }
  }
}

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

const written = (name: readonly string[], text: string): RawOption => ({
  kind: 'text',
  name: name.map((part) => ({ text: part, isExtension: false, ...NOWHERE })),
  value: { kind: 'identifier', text },
  span: NOWHERE,
});
