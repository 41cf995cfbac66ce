/**
 * The place of a type in its file, as a schema registry states it → the types of the loaded files at that place. The
 * registry's file is unknown, so each file has one.
 */
import type { MessageDescriptor, Registry } from '../../schema/descriptor.ts';
import type { TypeSource } from './classify-type.ts';

/** The loaded types at a place (`1.0`: the first type within the second one) are the only ones. */
export function sourcesAt(place: string, sources: readonly TypeSource[]): readonly TypeSource[] {
  const indexes = place.split('.').map(Number);
  return sources
    .filter(({ isBundled = false }) => !isBundled)
    .map((source) => {
      const { registry, isOffered = () => true } = source;
      const found = new Set([...topTypes(registry)].flatMap((types) => typesAt(types, indexes)));
      return { ...source, isOffered: (type: MessageDescriptor) => found.has(type) && isOffered(type) };
    });
}

/** For each file, its types in their order. */
function topTypes({ messages }: Registry): Iterable<readonly MessageDescriptor[]> {
  const nested = new Set([...messages.values()].flatMap((type) => type.messages));
  const tops = new Map<string, MessageDescriptor[]>();
  for (const type of messages.values()) {
    if (nested.has(type)) continue;
    const others = tops.get(type.file);
    if (others === undefined) tops.set(type.file, [type]);
    else others.push(type);
  }
  return tops.values();
}

/**
 * A serializer that counts by descriptors also counts the entries of the maps that are declared before a nested type
 * (Python, Go); one that counts by .proto text does not (Java).
 */
function typesAt(types: readonly MessageDescriptor[], [index = 0, ...inner]: readonly number[]): MessageDescriptor[] {
  const declared = types.filter(({ isMapEntry }) => !isMapEntry);
  const maps = types.length - declared.length;
  const found = declared.slice(Math.max(0, index - maps), index + 1);
  return inner.length === 0 ? found : found.flatMap(({ messages }) => typesAt(messages, inner));
}
