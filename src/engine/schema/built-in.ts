/** The files that every compiler includes, google/protobuf/*.proto, as declarations, on demand. */
import { BUILT_IN_FILES } from './built-in-files.ts';
import type { FileDeclaration } from './declaration.ts';
import type { MessageDescriptor, Registry } from './descriptor.ts';
import { resolveImports } from './imports.ts';
import { link } from './link/link.ts';
import { readFileBytes } from './set/descriptor-set.ts';
import { runToEnd } from './steps.ts';

const DESCRIPTOR = 'google/protobuf/descriptor.proto';

const declarations = new Map<string, FileDeclaration>();

export function builtInFile(path: string): FileDeclaration | undefined {
  const known = declarations.get(path);
  if (known !== undefined) return known;
  const bytes = Object.hasOwn(BUILT_IN_FILES, path) ? BUILT_IN_FILES[path] : undefined;
  if (bytes === undefined) return undefined;
  const declaration = readFileBytes(
    Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0)),
    path,
  );
  declarations.set(path, declaration);
  return declaration;
}

let options: Registry | undefined;

/** A message of descriptor.proto, such as google.protobuf.FieldOptions, for schemas that do not include the file. */
export function builtInOptionsMessage(name: string): MessageDescriptor | undefined {
  if (options === undefined) {
    const silent = () => {};
    const graph = resolveImports([builtInFile(DESCRIPTOR)!], builtInFile, silent);
    options = runToEnd(link(graph, () => undefined, silent)).registry;
  }
  return options.messages.get(name);
}
