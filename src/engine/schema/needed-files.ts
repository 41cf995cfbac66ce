/**
 * The files of a registry that are needed to read messages of one type. Only these are sent, not a whole schema with
 * thousands of files.
 */
import type { FieldDescriptor, MessageDescriptor, Registry } from './descriptor.ts';

/**
 * Paths of the files of all types that such a message can contain, including extensions, and of all their imports.
 * undefined: the type does not exist. @param named full names of the types that its messages hold in an Any
 */
export function neededFiles(
  registry: Registry,
  fullName: string,
  named: readonly string[] = [],
): ReadonlySet<string> | undefined {
  const type = registry.messages.get(fullName);
  if (type === undefined) return undefined;
  const files = new Set<string>();
  const held = new Set<MessageDescriptor>([type, ...named.flatMap((name) => registry.messages.get(name) ?? [])]);
  const follow = ({ file, message, enum: named, content }: FieldDescriptor): void => {
    files.add(file);
    if (message !== undefined) held.add(message);
    if (content !== undefined) held.add(content);
    if (named !== undefined) files.add(named.file);
  };
  // The loop also visits messages that are added during it.
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
