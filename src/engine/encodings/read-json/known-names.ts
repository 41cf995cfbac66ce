/** The names that members of a message may have in JSON, and placeholder fields for names that no schema has. */
import { quoted } from '../../model/quoted-text.ts';
import type { FieldDescriptor, MessageDescriptor } from '../../schema/descriptor.ts';
import { undeclaredField, undeclaredMessage } from '../../schema/undeclared.ts';
import { txtpbNameOf } from '../txtpb-names.ts';

const byType = new WeakMap<MessageDescriptor, ReadonlyMap<string, FieldDescriptor>>();

/** Both forms: lowerCamel (`json_name`) and as declared; extensions by `[full.name]`; groups also by their message. */
export function fieldNamed(type: MessageDescriptor, name: string): FieldDescriptor | undefined {
  let names = byType.get(type);
  if (names === undefined) {
    const { fields } = type;
    const own = [...fields, ...type.extensions.values()];
    // JSON names take precedence over declared names, and those over the names of groups' messages.
    names = new Map([
      ...own.map((field) => [txtpbNameOf(field), field] as const),
      ...fields.map((field) => [field.name, field] as const),
      ...fields.map((field) => [field.jsonName, field] as const),
    ]);
    byType.set(type, names);
  }
  return names.get(name);
}

/** Maximum number of distinct names with a path of their own; further names share the path of OTHERS. */
export const MAX_NAMES = 10_000;
const LONGEST_NAME = 100;

/** Placeholder fields for members that no schema explains. Their paths are their names. */
export class UnknownNames {
  readonly #fields = new Map<string, FieldDescriptor>();

  fieldOf(name: string): FieldDescriptor {
    let field = this.#fields.get(name);
    if (field === undefined) {
      const isTooMany = this.#fields.size >= MAX_NAMES && name !== OTHERS;
      if (isTooMany) return this.fieldOf(OTHERS);
      field = unknownField(segmentOf(name));
      this.#fields.set(name, field);
    }
    return field;
  }
}

export const OTHERS = '…';

const segmentOf = (name: string): string =>
  /^[\w@$\-…]+$/.test(name) && name.length <= LONGEST_NAME ? name : quoted(name.slice(0, LONGEST_NAME));

const NO_TYPE = undeclaredMessage({ name: '', fullName: '', file: '' });

const unknownField = (name: string): FieldDescriptor =>
  undeclaredField({ name, fullName: name, number: 0, type: 'string', presence: 'implicit', parent: NO_TYPE });
