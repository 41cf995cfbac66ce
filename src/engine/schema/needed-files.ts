/** The files of a registry that reading messages of one type takes: what travels with them, of a tree of thousands. */
import type { FieldDescriptor, MessageDescriptor, Registry } from './descriptor.ts';

/**
 * Paths: the files of all types that such a message can hold, extensions too, and all that these files import.
 * Undefined: there is no such type.
 */
export function neededFiles(registry: Registry, fullName: string): ReadonlySet<string> | undefined {
  const type = registry.messages.get(fullName);
  if (type === undefined) return undefined;
  const files = new Set<string>();
  const held = new Set<MessageDescriptor>([type]);
  const follow = ({ file, message, enum: named, content }: FieldDescriptor): void => {
    files.add(file);
    if (message !== undefined) held.add(message);
    if (content !== undefined) held.add(content);
    if (named !== undefined) files.add(named.file);
  };
  // Messages added during the walk are walked as well.
  for (const message of held) {
    files.add(message.file);
    for (const field of [...message.fields, ...message.extensions.values()]) follow(field);
  }
  const imports = new Map(registry.files.map((file) => [file.path, file.imports]));
  for (const file of files) {
    for (const { file: imported } of imports.get(file) ?? []) if (imported !== undefined) files.add(imported);
  }
  return files;
}
