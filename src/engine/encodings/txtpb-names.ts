/** The names of fields in protobuf's text format. protobuf.dev/reference/protobuf/textformat-spec#fields */
import { type FieldDescriptor, fieldsOf, type MessageDescriptor } from '../schema/descriptor.ts';
import { parentOf } from '../schema/names.ts';

/** Whether it is a group, or a delimited field that is declared like a group: its name is the name of its message. */
const isGroupLike = ({ type, name, fullName, file, message }: FieldDescriptor): boolean =>
  type === 'group' &&
  message!.name.toLowerCase() === name &&
  message!.file === file &&
  parentOf(message!.fullName) === parentOf(fullName);

/** The name as written: `name`, `Name` for a group, `[full.name]` for an extension. */
export const txtpbNameOf = (field: FieldDescriptor): string =>
  field.isExtension ? `[${field.fullName}]` : isGroupLike(field) ? field.message!.name : field.name;

const byType = new WeakMap<MessageDescriptor, ReadonlyMap<string, FieldDescriptor>>();

/**
 * undefined: the type has no such field. @param kind `bracket`: the name of an extension. `number`: a field that protoc
 * does not know
 */
export function fieldNamed(
  type: MessageDescriptor,
  { kind, text }: { readonly kind: 'word' | 'number' | 'bracket'; readonly text: string },
): FieldDescriptor | undefined {
  if (kind === 'number') return type.byNumber.get(Number(text));
  let names = byType.get(type);
  if (names === undefined) {
    const own = fieldsOf(type);
    const declared = type.fields.map((field) => [field.name, field] as const);
    names = new Map([...own.map((field) => [txtpbNameOf(field), field] as const), ...declared]);
    byType.set(type, names);
  }
  return names.get(kind === 'bracket' ? `[${text}]` : text);
}
