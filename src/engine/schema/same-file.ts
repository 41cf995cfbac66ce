/** A file that is loaded as text and in a descriptor set: whether both declare the same. */
import type { FileDeclaration } from './declaration.ts';
import type { Registry } from './descriptor.ts';
import { isSameField, isSameType } from './link/redeclared.ts';
import { qualify } from './link/scope.ts';

/** Full names of the outermost declarations. Linking drops those of a text. */
export function declaredNames({ package: scope, outline, ...file }: FileDeclaration): readonly string[] {
  const declared = [...file.messages, ...file.enums, ...file.services, ...file.extensions];
  const names = declared.map(({ name }) => qualify(scope, name));
  outline?.visit(scope, {
    name(fullName) {
      names.push(fullName);
      // The names inside of it are compared with it.
      return false;
    },
    extensions: () => {},
  });
  return names.sort();
}

/** @param names of both files @param one a registry with the one file @param other with the other */
export const isSameFile = (
  [names, otherNames]: readonly [readonly string[], readonly string[]],
  one: Registry,
  other: Registry,
): boolean => names.join() === otherNames.join() && names.every((name) => isSameName(name, one, other));

function isSameName(name: string, one: Registry, other: Registry): boolean {
  const [field, again] = [one.extensions.get(name), other.extensions.get(name)];
  if (field !== undefined && again !== undefined) return isSameField(field, again);
  const type = typeNamed(other, name);
  return type !== undefined && isSameType(typeNamed(one, name), type);
}

const typeNamed = ({ messages, enums, services }: Registry, name: string) =>
  messages.get(name) ?? enums.get(name) ?? services.get(name);
