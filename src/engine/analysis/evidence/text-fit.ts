/** A parsed text compared with a type: the names and values of its tree that the type has. */
import type { FieldDescriptor, MessageDescriptor } from '../../schema/descriptor.ts';

export interface ObjectNode {
  readonly kind: 'object';
  readonly members: readonly (readonly [name: string, value: TextNode])[];
  /** The type that the text itself names. */
  readonly type?: string;
}

/** A text as a tree of kinds and names. */
export type TextNode =
  | ObjectNode
  | { readonly kind: 'list'; readonly items: readonly TextNode[] }
  | { readonly kind: 'text' | 'number' | 'bool' | 'null' | 'word'; readonly text: string };

/** A text format of messages. */
export interface TextForm {
  /** A syntax error ends the tree; the part before it counts. null: the text does not begin with a value. */
  readonly tree: (bytes: Uint8Array) => TextNode | null;
  readonly fieldNamed: (type: MessageDescriptor, name: string) => FieldDescriptor | undefined;
  /**
   * Whether the field can have the value. If the value holds messages, their members are entered into `fit` at `path`.
   */
  readonly isFit: (fit: TextFit, field: FieldDescriptor, value: TextNode, path: string) => boolean;
}

export class TextFit {
  readonly #form: TextForm;
  /** Distinct fields: message type and name → the name in the text. */
  readonly known = new Map<string, string>();
  readonly seen = new Set<string>();
  readonly enums = new Set<string>();
  readonly unknown = new Set<string>();
  readonly misfits = new Set<string>();
  fits = 0;
  count = 0;

  constructor(form: TextForm) {
    this.#form = form;
  }

  members(node: ObjectNode, type: MessageDescriptor, path: string): void {
    for (const [name, value] of node.members) {
      this.count++;
      const field = this.#form.fieldNamed(type, name);
      if (field === undefined) {
        this.unknown.add(name);
        continue;
      }
      if (value.kind === 'null') continue;
      const at = `${path}.${field.number}`;
      if (!this.#form.isFit(this, field, value, at)) {
        this.misfits.add(name);
        continue;
      }
      this.fits++;
      this.known.set(`${type.fullName}.${field.name}`, name);
      this.seen.add(`${at}:${field.type}:${field.cardinality}`);
    }
  }
}
