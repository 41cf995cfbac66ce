/**
 * The values of a message as a tree, by field names, and their order. `read-tree.ts` reads it from bytes, `write-tree.ts`
 * writes it. It is exact: integers are integers, and all other values keep their bytes.
 */

import { latin1 } from '../bytes/latin1.ts';
import { FieldLists } from './field-lists.ts';
import type { FieldForm } from './forms.ts';

/**
 * Integers, booleans and enums are numbers if that is exact, else bigints. Floating-point values are numbers; NaN, text
 * and bytes keep their bytes.
 */
export type TreeScalar = number | bigint | Uint8Array;
export type TreeValue = TreeScalar | TreeNode;

const NOTHING: readonly never[] = [];

export class TreeNode {
  readonly type: string;
  /** By name, in the order of the field numbers when it was read. A list is never empty. */
  readonly fields: FieldLists<TreeValue>;
  /** Complete records that the schema does not explain. */
  readonly unknown: readonly Uint8Array[];
  /** The node that this node is a copy of; undefined: it is not a copy. */
  readonly origin: TreeNode | undefined;

  constructor(
    type: string,
    fields?: ReadonlyMap<string, TreeValue[]> | FieldLists<TreeValue>,
    unknown: readonly Uint8Array[] = NOTHING,
    origin?: TreeNode,
  ) {
    this.type = type;
    this.fields = new FieldLists(fields);
    this.unknown = unknown;
    this.origin = origin;
  }

  /** The value of a singular field. */
  only(name: string): TreeValue | undefined {
    return this.fields.get(name)?.[0];
  }
}

/** The unique form of an integer: a number if that is exact. */
export const integer = (value: bigint): number | bigint =>
  value > -0x20_0000_0000_0000n && value < 0x20_0000_0000_0000n ? Number(value) : value;

/** The integer of a singular field; 0 where it is absent. */
export const integerOf = (node: TreeNode, name: string): bigint =>
  BigInt((node.only(name) as number | bigint | undefined) ?? 0);

/** Whether a field without presence does not write the value. @param type of the field that has the value */
export function isUnwritten(value: TreeValue, { type }: Pick<FieldForm, 'type'>): boolean {
  // -0.0 is written.
  if (typeof value === 'number') return Object.is(value, 0);
  return value instanceof Uint8Array && (type === 'string' || type === 'bytes') && value.length === 0;
}

/** No value of a text or of bytes. */
export const NO_TEXT = new Uint8Array(0);

/** Sorted by key. A missing key is the smallest value of its type, or 0. */
export function sortedEntries(entries: readonly TreeNode[]): readonly TreeNode[] {
  if (entries.length < 2) return entries;
  const sample = entries.find((entry) => entry.fields.has('key'))?.only('key') as TreeScalar | undefined;
  const none: TreeScalar = sample instanceof Uint8Array ? NO_TEXT : 0;
  const keyOf = (entry: TreeNode): TreeScalar => (entry.only('key') as TreeScalar | undefined) ?? none;
  return entries.toSorted((a, b) => compareKeys(keyOf(a), keyOf(b)));
}

function compareKeys(a: TreeScalar, b: TreeScalar): number {
  if (!(a instanceof Uint8Array) || !(b instanceof Uint8Array)) return a < b ? -1 : a > b ? 1 : 0;
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

/** The last of several entries with the same key counts. */
export function lastOfKeys(entries: TreeNode[]): TreeNode[] {
  const byKey = new Map<string, TreeNode>();
  for (const entry of entries) byKey.set(keyText(entry.only('key')), entry);
  return [...sortedEntries(byKey.size === entries.length ? entries : [...byKey.values()])];
}

/** The key of a map entry; a default key may be missing. */
const keyText = (key: TreeValue | undefined): string => {
  if (key === undefined) return '';
  if (key instanceof Uint8Array) return latin1(key, 0, key.length);
  return key === 0 ? '' : String(key);
};

/** A copy that can be modified; values are shared. */
export function copyTree(node: TreeNode): TreeNode {
  const fields = new Map<string, TreeValue[]>();
  for (const [name, values] of node.fields) {
    fields.set(name, values[0] instanceof TreeNode ? values.map((value) => copyTree(value as TreeNode)) : [...values]);
  }
  return new TreeNode(node.type, fields, node.unknown, node);
}

/** All nodes: parents first, fields by number, lists in order. */
export function* nodesOf(node: TreeNode): Generator<TreeNode, void> {
  yield node;
  for (const values of node.fields.values()) {
    if (!(values[0] instanceof TreeNode)) continue;
    for (const value of values) yield* nodesOf(value as TreeNode);
  }
}
