/** Reads options without knowing their types, from their text alone. */
import type { RawOption, RawValue } from '../declaration.ts';

export const OPTIONS_KINDS = [
  'FileOptions',
  'MessageOptions',
  'FieldOptions',
  'OneofOptions',
  'ExtensionRangeOptions',
  'EnumOptions',
  'EnumValueOptions',
  'ServiceOptions',
  'MethodOptions',
] as const;
export type OptionsKind = (typeof OPTIONS_KINDS)[number];

/** The value of a plain option that is one word; undefined: not set. */
export function wordOf(options: readonly RawOption[], name: string): string | undefined {
  for (const option of options) {
    if (option.kind !== 'text' || option.name.length !== 1 || option.value.kind !== 'identifier') continue;
    const [only] = option.name;
    if (only?.text === name && !only.isExtension) return option.value.text;
  }
  return undefined;
}

/** The value of a plain boolean option; undefined: not set. */
export function flagOf(options: readonly RawOption[], name: string): boolean | undefined {
  const word = wordOf(options, name);
  return word === undefined ? undefined : word === 'true';
}

/** A plain option by its name. */
export const optionNamed = (
  options: readonly RawOption[],
  name: string,
): Extract<RawOption, { kind: 'text' }> | undefined =>
  options.find(
    (option): option is Extract<RawOption, { kind: 'text' }> =>
      option.kind === 'text' && option.name[0]!.text === name && !option.name[0]!.isExtension,
  );

/** Every plain option except features, by name: `jstype` → `JS_STRING`. */
export function plainWords(options: readonly RawOption[]): Record<string, string> {
  const words: Record<string, string> = {};
  for (const option of options) {
    if (option.kind !== 'text' || option.name.some(({ isExtension }) => isExtension)) continue;
    const name = option.name.map(({ text }) => text).join('.');
    if (option.name[0]!.text !== 'features') words[name] = textOf(option.value);
  }
  return words;
}

const UTF8 = new TextDecoder();

function textOf(value: RawValue): string {
  switch (value.kind) {
    case 'identifier':
      return value.text;
    case 'number':
      return `${value.negative ? '-' : ''}${value.text}`;
    case 'string':
      return UTF8.decode(value.bytes);
    default:
      return value.kind;
  }
}
