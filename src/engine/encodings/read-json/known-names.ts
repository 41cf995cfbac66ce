/** The names that members of a message may have in JSON, and placeholder fields for names that no schema has. */
import type { FieldDescriptor, MessageDescriptor } from '../../schema/descriptor.ts';
import { undeclaredField, undeclaredMessage } from '../../schema/undeclared.ts';

const byType = new WeakMap<MessageDescriptor, ReadonlyMap<string, FieldDescriptor>>();

/** Both forms: lowerCamel (`json_name`) and as declared; extensions by `[full.name]`. */
export function fieldNamed(type: MessageDescriptor, name: string): FieldDescriptor | undefined {
  let names = byType.get(type);
  if (names === undefined) {
    const own = [...type.fields, ...type.extensions.values()];
    const declared = own.map((field) => [field.isExtension ? `[${field.fullName}]` : field.name, field] as const);
    const json = own.filter(({ isExtension }) => !isExtension).map((field) => [field.jsonName, field] as const);
    // JSON names take precedence over declared names.
    names = new Map([...declared, ...json]);
    byType.set(type, names);
  }
  return names.get(name);
}

/** Maximum number of distinct names with a path of their own; further names share one path. */
const MAX_NAMES = 10_000;
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

const OTHERS = '…';

const segmentOf = (name: string): string =>
  /^[\w@$\-…]+$/.test(name) && name.length <= LONGEST_NAME ? name : JSON.stringify(name.slice(0, LONGEST_NAME));

const NO_TYPE = undeclaredMessage({ name: '', fullName: '', file: '' });

const unknownField = (name: string): FieldDescriptor =>
  undeclaredField({ name, fullName: name, number: 0, type: 'string', presence: 'implicit', parent: NO_TYPE });
