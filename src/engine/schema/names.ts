/** Full names, and the names that protoc derives from declared ones. */

/** Its URLs name types of the whole registry. google/protobuf/any.proto */
export const ANY = 'google.protobuf.Any';

/** JSON writes their value without the message. https://protobuf.dev/programming-guides/json/ */
export const isWrapper = (typeName: string | undefined): boolean =>
  /^google\.protobuf\.(Double|Float|U?Int(64|32)|Bool|String|Bytes)Value$/.test(typeName ?? '');

/** Whether every compiler brings the file along: schemas import it without loading it. */
export const isBuiltInFile = (path: string): boolean => path.startsWith('google/protobuf/');

/** `a.b.c` → `a.b`; `a` → empty. */
export const parentOf = (fullName: string): string => fullName.slice(0, Math.max(0, fullName.lastIndexOf('.')));

/** `a.b.c` → `c`. */
export const shortNameOf = (fullName: string): string => fullName.slice(fullName.lastIndexOf('.') + 1);

/** `foo_bar` → `fooBar`. https://protobuf.dev/programming-guides/json/ */
export function jsonNameOf(name: string): string {
  return !name.includes('_') ? name : name.replace(/_+(.?)/g, (_, next: string) => next.toUpperCase());
}

/** `foo_bar` → `FooBarEntry`: the entry message of a map field. */
export function mapEntryName(field: string): string {
  return `${field.replace(/(?:^_*|_+)(.?)/g, (_, next: string) => next.toUpperCase())}Entry`;
}

/**
 * An enum value without the prefix of its enum and without case: `FOO_BAR_A` of `FooBar` → `A`. Generators that remove
 * the prefix cannot distinguish two values with the same key.
 */
export function enumValueKey(enumName: string, valueName: string): string {
  const prefix = enumName.replaceAll('_', '').toLowerCase();
  let at = 0;
  let matched = 0;
  for (; at < valueName.length && matched < prefix.length; at++) {
    if (valueName[at] === '_') continue;
    if (valueName[at]!.toLowerCase() !== prefix[matched++]) return pascalCase(valueName);
  }
  const rest = matched === prefix.length ? valueName.slice(at).replace(/^_+/, '') : '';
  return pascalCase(rest || valueName);
}

const pascalCase = (name: string): string =>
  name.replace(/_*([^_])([^_]*)_*/g, (_, first: string, rest: string) => first.toUpperCase() + rest.toLowerCase());
