/**
 * Where and since which edition an option can be set, from `targets` and `feature_support` of its field or enum value.
 * https://github.com/protocolbuffers/protobuf/blob/main/src/google/protobuf/descriptor.proto
 */
import type { FileDeclaration, RawOption, RawValue } from '../declaration.ts';
import type { EnumValueDescriptor, FieldDescriptor, OptionUsage } from '../descriptor.ts';
import type { OptionsKind } from './raw-options.ts';

/** FieldOptions.OptionTargetType by the kind of element, and the element's name for people. */
const TARGETS: Readonly<Record<OptionsKind, readonly [string, string]>> = {
  FileOptions: ['TARGET_TYPE_FILE', 'a file'],
  MessageOptions: ['TARGET_TYPE_MESSAGE', 'a message'],
  FieldOptions: ['TARGET_TYPE_FIELD', 'a field'],
  OneofOptions: ['TARGET_TYPE_ONEOF', 'a oneof'],
  ExtensionRangeOptions: ['TARGET_TYPE_EXTENSION_RANGE', 'a range of extensions'],
  EnumOptions: ['TARGET_TYPE_ENUM', 'an enum'],
  EnumValueOptions: ['TARGET_TYPE_ENUM_ENTRY', 'a value of an enum'],
  ServiceOptions: ['TARGET_TYPE_SERVICE', 'a service'],
  MethodOptions: ['TARGET_TYPE_METHOD', 'a method'],
};

const SUPPORT = 'feature_support';

/** The usage that the options of a field declare; undefined: they declare none. */
export function usageOf(options: readonly RawOption[]): OptionUsage | undefined {
  let targets: string[] | undefined;
  const support: Record<string, string> = {};
  for (const option of options) {
    if (option.kind !== 'text' || option.name[0]!.isExtension) continue;
    const [first, second] = option.name;
    if (first!.text === 'targets' && option.value.kind === 'identifier') {
      targets ??= [];
      targets.push(option.value.text);
    } else if (first!.text === SUPPORT && second !== undefined) support[second.text] = textOf(option.value);
    else if (first!.text === SUPPORT && option.value.kind === 'aggregate') {
      for (const { name, value } of option.value.fields) support[name.text] = textOf(value);
    }
  }
  const { edition_introduced: introduced, edition_removed: removed, removal_error: removalError } = support;
  if (targets === undefined && introduced === undefined && removed === undefined) return undefined;
  return { targets, introduced, removed, removalError };
}

const textOf = (value: RawValue): string =>
  value.kind === 'identifier' ? value.text : value.kind === 'string' ? new TextDecoder().decode(value.bytes) : '';

/** Oldest first. An edition that is not in this list is newer than all of them. */
const EDITIONS = ['EDITION_LEGACY', 'EDITION_PROTO2', 'EDITION_PROTO3', 'EDITION_2023', 'EDITION_2024'];

const ageOf = (edition: string): number => {
  const age = EDITIONS.indexOf(edition);
  return age < 0 ? EDITIONS.length : age;
};

const shown = (edition: string): string => edition.replace(/^EDITION_/, '').toLowerCase();

/** Features that are newer than edition 2023, which introduced features. */
const LATER: ReadonlyMap<string, string> = new Map([
  ['enforce_naming_style', 'EDITION_2024'],
  ['default_symbol_visibility', 'EDITION_2024'],
  ['enforce_proto_limits', 'EDITION_MAX'],
]);

/** The edition that introduced a feature. The built-in copy of descriptor.proto does not contain it. */
const featureSince = (used: FieldDescriptor | EnumValueDescriptor): string | undefined =>
  'parent' in used && !used.isExtension && used.parent.fullName === 'google.protobuf.FeatureSet'
    ? (LATER.get(used.name) ?? 'EDITION_2023')
    : undefined;

/** The reason why an existing option cannot be set here; undefined: it can. */
export function misuse(
  used: FieldDescriptor | EnumValueDescriptor,
  kind: OptionsKind,
  { syntax }: FileDeclaration,
  isTargeted: boolean,
): string | undefined {
  const { name, usage } = used;
  const { targets, introduced = featureSince(used), removed, removalError } = usage ?? {};
  const [target, thing] = TARGETS[kind];
  if (isTargeted && targets !== undefined && !targets.includes(target)) {
    return `"${name}" cannot be set on ${thing}.`;
  }
  const age = ageOf(`EDITION_${syntax.toUpperCase()}`);
  if (introduced !== undefined && age < ageOf(introduced))
    return `"${name}" exists since edition ${shown(introduced)}.`;
  if (removed !== undefined && age >= ageOf(removed)) {
    return `"${name}" went with edition ${shown(removed)}${removalError === undefined ? '' : `: ${removalError}`}.`;
  }
  return undefined;
}
