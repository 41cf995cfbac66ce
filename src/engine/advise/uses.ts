/** The values of messages by field, for proposals. */
import { ANY } from '../schema/names.ts';
import { type FieldEncodings, type FieldForm, freeNumber } from './forms.ts';
import { nodesOf, TreeNode, type TreeValue } from './value-tree.ts';
import { fieldsWithin, valuesOf } from './write-tree.ts';

export interface FieldUse {
  /** Full name. */
  readonly message: string;
  readonly field: FieldForm;
  /** Number of messages that could have the field, and of those that have it. */
  readonly messages: number;
  readonly present: number;
  /** Its values, one list for each message that has the field. */
  readonly lists: readonly (readonly TreeValue[])[];
}

/** Nodes of the messages in an Any, at any depth. */
function* heldIn(node: TreeNode): Generator<TreeNode, void> {
  const [value] = node.type === ANY ? (node.fields.get('value') ?? []) : [];
  if (value instanceof TreeNode) yield* nodesOf(value);
}

/** Such types ship with the libraries: a schema uses them as they are. */
const isGoogles = (type: string): boolean => type.startsWith('google.protobuf.');

export class FieldValues {
  readonly forms: FieldEncodings;
  /** Type of the outermost messages. */
  readonly root: string;
  readonly trees: readonly TreeNode[];
  /** Types that occur in the message of an Any: it is read by itself, so nothing in it refers to what is around it. */
  readonly held: ReadonlySet<string>;
  readonly #nodes = new Map<string, TreeNode[]>();
  readonly #fields = new Map<string, FieldUse>();
  readonly #numbers = new Map<string, Map<string, number>>();

  constructor(trees: readonly TreeNode[], forms: FieldEncodings, root: string) {
    this.forms = forms;
    this.root = root;
    this.trees = trees;
    const held = new Set<string>();
    this.held = held;
    for (const tree of trees) {
      for (const node of nodesOf(tree)) {
        for (const { type } of heldIn(node)) held.add(type);
        const known = this.#nodes.get(node.type);
        if (known === undefined) this.#nodes.set(node.type, [node]);
        else known.push(node);
      }
    }
    for (const [message, nodes] of this.#nodes) {
      if (isGoogles(message) && !isGoogles(root)) continue;
      const lists = new Map<FieldForm, (readonly TreeValue[])[]>();
      for (const node of nodes) {
        for (const field of fieldsWithin(node, forms)) {
          const values = valuesOf(node, field, forms);
          if (values === undefined || (field.type === 'bytes' && values[0] instanceof TreeNode)) continue;
          const known = lists.get(field);
          if (known === undefined) lists.set(field, [values]);
          else known.push(values);
        }
      }
      for (const field of forms.get(message)!.fields) {
        const found = lists.get(field);
        if (found === undefined) continue;
        const use = { message, field, messages: nodes.length, present: found.length, lists: found };
        this.#fields.set(`${message}.${field.name}`, use);
      }
    }
  }

  /** Fields that are written and that the schema can change, in the order of the first occurrence of their messages. */
  get fields(): Iterable<FieldUse> {
    return this.#fields.values();
  }

  get(message: string, field: string): FieldUse | undefined {
    return this.#fields.get(`${message}.${field}`);
  }

  /** Numbers that proposals give to fields of a message, by name: each to one field, so that rows can be applied together. */
  numbersGiven(message: string): Map<string, number> {
    const given = this.#numbers.get(message) ?? new Map<string, number>();
    this.#numbers.set(message, given);
    return given;
  }

  /** The number of a new field, the same for each proposal that adds it; undefined: none is free. */
  newNumber(message: string, field: string): number | undefined {
    const given = this.numbersGiven(message);
    const number = given.get(field) ?? freeNumber(this.forms.get(message)!, new Set(given.values()));
    if (number !== undefined) given.set(field, number);
    return number;
  }

  /** Message types that occur, with their messages in order. */
  get messages(): ReadonlyMap<string, readonly TreeNode[]> {
    return this.#nodes;
  }
}
