/** Texts whose tree is known, held against a type: the names and values of the tree that the type has. */
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';

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

/** The text encoding of messages. */
export interface TextForm {
  /** A fault of the grammar ends the tree, and the part before it counts. null: no value begins the text. */
  readonly tree: (bytes: Uint8Array) => TextNode | null;
  readonly fieldNamed: (type: MessageDescriptor, name: string) => FieldDescriptor | undefined;
  /** Whether the field can have the value. Enters the members of messages in it into `fit`, at `path`. */
  readonly isFit: (fit: TextFit, field: FieldDescriptor, value: TextNode, path: string) => boolean;
}

export class TextFit {
  readonly #form: TextForm;
  /** Distinct fields, by message type and name → the name in the text. */
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
