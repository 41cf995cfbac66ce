/**
 * The files of a registry that are needed to read messages of one type. Only these are sent, not a whole schema with
 * thousands of files.
 */
import { type FieldDescriptor, fieldsOf, type MessageDescriptor, type Registry } from './descriptor.ts';

/**
 * Paths of the files that messages of a type take; undefined: the type does not exist.
 *
 * @param held full names of the types that its messages hold in an Any
 */
export const neededFiles = (
  registry: Registry,
  fullName: string,
  held: readonly string[] = [],
): ReadonlySet<string> | undefined =>
  registry.messages.has(fullName) ? filesOf(registry, [fullName, ...held]) : undefined;

/**
 * Paths of the files of all types that such messages can contain, including extensions, of the services, and of all
 * their imports. Names that the registry does not have are left out.
 *
 * @param types full names. @param services full names
 */
export function filesOf(
  registry: Registry,
  types: readonly string[],
  services: readonly string[] = [],
): ReadonlySet<string> {
  const files = new Set<string>();
  const held = new Set<MessageDescriptor>(types.flatMap((name) => registry.messages.get(name) ?? []));
  const follow = ({ file, message, enum: named, content }: FieldDescriptor): void => {
    files.add(file);
    if (message !== undefined) held.add(message);
    if (content !== undefined) held.add(content);
    if (named !== undefined) files.add(named.file);
  };
  // The loop also visits messages that are added during it.
  for (const message of held) {
    files.add(message.file);
    for (const field of fieldsOf(message)) follow(field);
  }
  for (const name of services) {
    const service = registry.services.get(name);
    if (service !== undefined) files.add(service.file);
  }
  const imports = new Map(registry.files.map((file) => [file.path, file.imports]));
  for (const file of files) {
    for (const { file: imported } of imports.get(file) ?? []) if (imported !== undefined) files.add(imported);
  }
  return files;
}
