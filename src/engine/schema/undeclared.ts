/**
 * Descriptors that no file declares, for guessed types and for fields that a wire format adds. They have only the given
 * facts.
 */
import type { FieldDescriptor, MessageDescriptor } from './descriptor.ts';

export function undeclaredMessage(
  facts: Pick<MessageDescriptor, 'name' | 'fullName' | 'file'> & Partial<MessageDescriptor>,
): MessageDescriptor {
  return {
    kind: 'message',
    fields: [],
    byNumber: new Map(),
    extensions: new Map(),
    oneofs: [],
    messages: [],
    enums: [],
    isMapEntry: false,
    extensionRanges: [],
    reservedRanges: [],
    reservedNames: [],
    deprecated: false,
    options: {},
    comment: undefined,
    ...facts,
  };
}

export function undeclaredField(
  facts: Pick<FieldDescriptor, 'name' | 'fullName' | 'number' | 'type' | 'parent'> & Partial<FieldDescriptor>,
): FieldDescriptor {
  return {
    kind: 'field',
    jsonName: facts.name,
    cardinality: 'singular',
    presence: 'explicit',
    packed: false,
    file: facts.parent.file,
    message: undefined,
    enum: undefined,
    oneof: undefined,
    isExtension: false,
    defaultValue: undefined,
    deprecated: false,
    options: {},
    comment: undefined,
    ...facts,
  };
}
