/**
 * Edition features. Editions let a file, message or field set what proto2 and proto3 fixed; each element inherits from
 * the enclosing one. https://protobuf.dev/editions/features/
 */
import type { FileDeclaration, RawOption, Syntax, Visibility } from '../declaration.ts';

export interface Features {
  readonly field_presence: 'EXPLICIT' | 'IMPLICIT' | 'LEGACY_REQUIRED';
  readonly enum_type: 'OPEN' | 'CLOSED';
  readonly repeated_field_encoding: 'PACKED' | 'EXPANDED';
  readonly utf8_validation: 'VERIFY' | 'NONE';
  readonly message_encoding: 'LENGTH_PREFIXED' | 'DELIMITED';
  readonly json_format: 'ALLOW' | 'LEGACY_BEST_EFFORT';
  readonly enforce_naming_style: 'STYLE2024' | 'STYLE_LEGACY';
  readonly default_symbol_visibility: 'EXPORT_ALL' | 'EXPORT_TOP_LEVEL' | 'LOCAL_ALL' | 'STRICT';
}

const VALUES: { readonly [F in keyof Features]: readonly Features[F][] } = {
  field_presence: ['EXPLICIT', 'IMPLICIT', 'LEGACY_REQUIRED'],
  enum_type: ['OPEN', 'CLOSED'],
  repeated_field_encoding: ['PACKED', 'EXPANDED'],
  utf8_validation: ['VERIFY', 'NONE'],
  message_encoding: ['LENGTH_PREFIXED', 'DELIMITED'],
  json_format: ['ALLOW', 'LEGACY_BEST_EFFORT'],
  enforce_naming_style: ['STYLE2024', 'STYLE_LEGACY'],
  default_symbol_visibility: ['EXPORT_ALL', 'EXPORT_TOP_LEVEL', 'LOCAL_ALL', 'STRICT'],
};

const EDITION_2023: Features = {
  field_presence: 'EXPLICIT',
  enum_type: 'OPEN',
  repeated_field_encoding: 'PACKED',
  utf8_validation: 'VERIFY',
  message_encoding: 'LENGTH_PREFIXED',
  json_format: 'ALLOW',
  enforce_naming_style: 'STYLE_LEGACY',
  default_symbol_visibility: 'EXPORT_ALL',
};

const EDITION_2024: Features = {
  ...EDITION_2023,
  enforce_naming_style: 'STYLE2024',
  default_symbol_visibility: 'EXPORT_TOP_LEVEL',
};

const DEFAULTS: Readonly<Record<Syntax, Features>> = {
  proto2: {
    ...EDITION_2023,
    enum_type: 'CLOSED',
    repeated_field_encoding: 'EXPANDED',
    utf8_validation: 'NONE',
    json_format: 'LEGACY_BEST_EFFORT',
  },
  proto3: { ...EDITION_2023, field_presence: 'IMPLICIT' },
  '2023': EDITION_2023,
  '2024': EDITION_2024,
  // The features of edition 2026 are not published yet.
  '2026': EDITION_2024,
};

const defaultFeatures = (syntax: Syntax): Features => DEFAULTS[syntax];

export const fileFeatures = (file: FileDeclaration): Features => featuresOf(defaultFeatures(file.syntax), file, file);

/** The features that `options` set. Invalid names and values are ignored here; `options.ts` reports them. */
export function declaredFeatures(options: readonly RawOption[]): Partial<Features> {
  const found: Record<string, string> = {};
  const set = (name: string, value: string) => {
    const feature = (Object.keys(VALUES) as (keyof Features)[]).find((known) => known === name);
    if (feature !== undefined && VALUES[feature].some((known) => known === value)) found[feature] = value;
  };
  for (const option of options) {
    if (option.kind !== 'text' || option.name[0]!.text !== 'features' || option.name[0]!.isExtension) continue;
    const [, part] = option.name;
    if (part !== undefined && option.value.kind === 'identifier') set(part.text, option.value.text);
    if (part === undefined && option.value.kind === 'aggregate') {
      for (const { name, value } of option.value.fields) if (value.kind === 'identifier') set(name.text, value.text);
    }
  }
  return found;
}

/** The features of a declaration in a file. In a file without editions, they are the features of the file. */
export const featuresOf = (
  around: Features,
  declaration: { readonly options: readonly RawOption[] },
  { syntax }: FileDeclaration,
): Features => (syntax.startsWith('proto') ? around : inheritFeatures(around, declaration.options));

export function inheritFeatures(parent: Features, options: readonly RawOption[]): Features {
  if (options.length === 0) return parent;
  const declared = declaredFeatures(options);
  return Object.keys(declared).length === 0 ? parent : { ...parent, ...declared };
}

/** Edition 2024: whether other files cannot use a symbol, because it is not exported. */
export function isLocalSymbol(visibility: Visibility | undefined, file: FileDeclaration, parent: string): boolean {
  if (visibility !== undefined) return visibility === 'local';
  // Older files export everything.
  if (file.syntax.startsWith('proto') || file.syntax === '2023') return false;
  const { default_symbol_visibility: rule } = inheritFeatures(defaultFeatures(file.syntax), file.options);
  if (rule === 'EXPORT_ALL') return false;
  return rule === 'EXPORT_TOP_LEVEL' ? parent !== file.package : true;
}
