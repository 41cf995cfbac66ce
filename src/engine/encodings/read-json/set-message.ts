/** Builds messages from fields that were read. */
import type { FieldDescriptor, MessageDescriptor } from '../../schema/descriptor.ts';
import { isDefault, type MessageValue, type Scalar, type SetField } from '../message-value.ts';

/** Fields sorted by number, as protobuf writes them. */
export const setMessage = (type: MessageDescriptor, drafts: ReadonlyMap<FieldDescriptor, SetField>): MessageValue => ({
  type,
  fields: [...drafts.values()].sort((a, b) => a.field.number - b.field.number),
});

/** A message with one scalar field, which is left out if it has its default value. */
export function wrapped(type: MessageDescriptor, field: FieldDescriptor, row: number, value: Scalar): MessageValue {
  const isLeftOut = field.presence === 'implicit' && isDefault(field, value);
  return { type, fields: isLeftOut ? [] : [{ field, row, items: [{ row, value }], entries: [] }] };
}
