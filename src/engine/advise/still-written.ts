/** A set of changes, step by step → the fields that nothing writes any more, because an earlier change moved their values. */
import { ANY } from '../schema/names.ts';
import type { Change, ChangedField, ChangeStep } from './change.ts';
import { kindOf } from './changes/changes.ts';
import type { FieldEncodings } from './forms.ts';

export class StillWritten {
  readonly #first: FieldEncodings;
  readonly #root: string;
  readonly #emptied = new Set<string>();
  /** Message types that were written, and are not any more. */
  #gone: readonly string[] = [];

  constructor(first: FieldEncodings, root: string) {
    this.#first = first;
    this.#root = root;
  }

  get gone(): readonly string[] {
    return this.#gone;
  }

  /** @param root type of the outermost message after the change */
  after(change: Change, { before, after }: ChangeStep, root: string): void {
    const { empties, touches } = kindOf(change);
    const emptied = empties?.(change) ?? [];
    for (const field of emptied) this.#emptied.add(nameOf(field));
    const isReplaced = ({ message, field }: ChangedField): boolean => {
      const type = before.field(message, field)?.typeName;
      return type !== undefined && type !== after.field(message, field)?.typeName;
    };
    if (emptied.length === 0 && root === this.#root && !touches(change, before).some(isReplaced)) return;
    const [was, is] = [typesWithin(this.#root, this.#first), typesWithin(root, after, this.#emptied)];
    this.#gone = was === undefined || is === undefined ? [] : [...was].filter((type) => !is.has(type));
  }

  /** The first field of a change that nothing writes any more. */
  unwrittenOf(change: Change, forms: FieldEncodings): ChangedField | undefined {
    if (this.#gone.length === 0 && this.#emptied.size === 0) return undefined;
    return kindOf(change)
      .touches(change, forms)
      .find((one) => this.#emptied.has(nameOf(one)) || this.#gone.includes(one.message));
  }
}

const nameOf = ({ message, field }: ChangedField): string => `${message}.${field}`;

/** undefined: any type, in a google.protobuf.Any. @param emptied fields without values */
function typesWithin(
  root: string,
  forms: FieldEncodings,
  emptied: ReadonlySet<string> = new Set(),
): ReadonlySet<string> | undefined {
  const types = new Set([root]);
  for (const message of types) {
    for (const { name, type, typeName } of forms.get(message)?.fields ?? []) {
      if (typeName === undefined || type === 'enum' || emptied.has(nameOf({ message, field: name }))) continue;
      types.add(typeName);
    }
  }
  return types.has(ANY) ? undefined : types;
}
