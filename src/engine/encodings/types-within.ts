import type { MessageDescriptor } from '../schema/descriptor.ts';

/** Types by name that a message of this type can contain. An Any usually names one of them. */
export function typesWithin(root: MessageDescriptor): ReadonlyMap<string, MessageDescriptor> {
  const found = new Map<string, MessageDescriptor>();
  const left = [root];
  for (let type = left.pop(); type !== undefined; type = left.pop()) {
    if (found.has(type.fullName)) continue;
    found.set(type.fullName, type);
    for (const { message } of type.fields) if (message !== undefined) left.push(message);
  }
  return found;
}
