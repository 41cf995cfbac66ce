/**
 * A tree → bytes, in a fixed order: fields by number, map entries by key (false, true; numbers ascending; texts by
 * their UTF-8 bytes), unknown records last. Defaults of fields without presence are left out, as is the value of an Any
 * whose message is empty. Map entries are written with key and value, as protobuf's own writers do.
 */

import { setVarint, varintWidth } from '../bytes/varint.ts';
import { WireType } from '../model/annotation.ts';
import { halvesOf, toVarint } from '../native/wire-values.ts';
import type { FieldType } from '../schema/descriptor.ts';
import { isPackable, wireTypeOf } from '../schema/wire-types.ts';
import { fixedSize, isFloat, isVarint, tagWidth } from '../wire/encoding-facts.ts';
import type { FieldEncodings, FieldForm } from './forms.ts';
import { isUnwritten, sortedEntries, TreeNode, type TreeScalar, type TreeValue } from './value-tree.ts';

/** Content bytes of each node, and of each packed run, whose key is its list. */
export type Sizes = ReadonlyMap<TreeNode | readonly TreeValue[], number>;

export interface WrittenTree {
  readonly bytes: Uint8Array;
  readonly sizes: Sizes;
}

export function writeTree(root: TreeNode, forms: FieldEncodings): WrittenTree {
  const sizes = new Map<TreeNode | readonly TreeValue[], number>();
  const bytes = new Uint8Array(sizeNode(root));
  const view = new DataView(bytes.buffer);
  let at = 0;
  writeNode(root);
  return { bytes, sizes };

  function sizeNode(node: TreeNode): number {
    let size = node.unknown.reduce((sum, record) => sum + record.length, 0);
    for (const field of fieldsWithin(node, forms)) {
      const values = valuesOf(node, field, forms);
      if (values === undefined) continue;
      const tag = tagWidth(field.number);
      if (isPackedRun(field)) {
        let run = 0;
        for (const value of values) run += scalarWidth(value as TreeScalar, field.type);
        sizes.set(values, run);
        size += tag + varintWidth(run, 0) + run;
      } else if (field.type === 'group') for (const value of values) size += 2 * tag + sizeNode(value as TreeNode);
      else if (field.type === 'message') {
        for (const value of values) {
          const inner = sizeNode(value as TreeNode);
          size += tag + varintWidth(inner, 0) + inner;
        }
      } else {
        for (const value of values) {
          if (!(value instanceof TreeNode)) size += tag + scalarWidth(value, field.type);
          else {
            const held = sizeNode(value);
            if (held > 0) size += tag + varintWidth(held, 0) + held;
          }
        }
      }
    }
    sizes.set(node, size);
    return size;
  }

  function writeNode(node: TreeNode): void {
    for (const field of fieldsWithin(node, forms)) {
      const values = valuesOf(node, field, forms);
      if (values === undefined) continue;
      if (isPackedRun(field)) {
        tag(field, WireType.LEN);
        varint(sizes.get(values)!, 0);
        for (const value of values) writeScalar(value as TreeScalar, field.type);
        continue;
      }
      for (const value of field.cardinality === 'map' ? sortedEntries(values as TreeNode[]) : values) {
        if (value instanceof TreeNode && field.type === 'bytes' && sizes.get(value) === 0) continue;
        tag(field, wireTypeOf(field.type));
        if (!(value instanceof TreeNode)) {
          writeScalar(value, field.type);
          continue;
        }
        if (field.type !== 'group') varint(sizes.get(value)!, 0);
        writeNode(value);
        if (field.type === 'group') tag(field, WireType.EGROUP);
      }
    }
    for (const record of node.unknown) raw(record);
  }

  function tag(field: FieldForm, wireType: number): void {
    varint((field.number << 3) | wireType, 0);
  }

  function raw(value: Uint8Array): void {
    bytes.set(value, at);
    at += value.length;
  }

  function varint(low: number, high: number): void {
    at = setVarint(bytes, at, low, high);
  }

  function writeScalar(value: TreeScalar, type: FieldType): void {
    if (value instanceof Uint8Array) {
      if (type === 'string' || type === 'bytes') varint(value.length, 0);
      raw(value);
      return;
    }
    const size = fixedSize(type);
    if (isFloat(type)) {
      if (size === 4) view.setFloat32(at, value as number, true);
      else view.setFloat64(at, value as number, true);
      at += size;
      return;
    }
    const { low, high } = toVarint(halvesOf(value), type);
    if (size === 0) varint(low, high);
    else {
      view.setInt32(at, low, true);
      if (size === 8) view.setInt32(at + 4, high, true);
      at += size;
    }
  }
}

export const isPackedRun = ({ packed, cardinality, type }: FieldForm): boolean =>
  packed && cardinality === 'repeated' && isPackable(type);

const EMPTY = new Uint8Array(0);

/** The value of a field that is not written. */
export function defaultTreeValue({ type }: Pick<FieldForm, 'type'>): TreeScalar {
  return type === 'string' || type === 'bytes' ? EMPTY : 0;
}

/** A type with this many times the fields of a node is not searched for them. */
const MANY_ABSENT = 4;
const NO_FIELDS: readonly FieldForm[] = [];

/** The fields that a node may write, by number: only those that it has, if its type has many more. */
export function fieldsWithin({ type, fields }: TreeNode, forms: FieldEncodings): readonly FieldForm[] {
  const form = forms.get(type)!;
  if (form.isMapEntry || fields.size * MANY_ABSENT > form.fields.length) return form.fields;
  if (fields.size === 0) return NO_FIELDS;
  const found: FieldForm[] = [];
  for (const name of fields.keys()) {
    const field = form.byName.get(name);
    if (field !== undefined) found.push(field);
  }
  return found.sort((a, b) => a.number - b.number);
}

const emptyNodes = new WeakMap<FieldEncodings, Map<string, TreeNode>>();

/** The written values of a field; undefined: the field is not written. */
export function valuesOf(node: TreeNode, field: FieldForm, forms: FieldEncodings): readonly TreeValue[] | undefined {
  const values = node.fields.get(field.name);
  if (values === undefined) return forms.get(node.type)!.isMapEntry ? [entryDefault(field, forms)] : undefined;
  if (values.length === 0) return undefined;
  const isLeftOut =
    field.presence === 'implicit' && isUnwritten(values[0]!, field) && !forms.get(node.type)!.isMapEntry;
  return isLeftOut ? undefined : values;
}

function entryDefault(field: FieldForm, forms: FieldEncodings): TreeValue {
  if (field.typeName === undefined || field.type === 'enum') return defaultTreeValue(field);
  let known = emptyNodes.get(forms);
  if (known === undefined) {
    known = new Map();
    emptyNodes.set(forms, known);
  }
  let node = known.get(field.typeName);
  if (node === undefined) {
    node = new TreeNode(field.typeName);
    known.set(field.typeName, node);
  }
  return node;
}

/** Bytes of a value without its tag; for text and bytes, including the length. */
export function scalarWidth(value: TreeScalar, type: FieldType): number {
  if (value instanceof Uint8Array) {
    return type === 'string' || type === 'bytes' ? varintWidth(value.length, 0) + value.length : value.length;
  }
  if (!isVarint(type)) return fixedSize(type);
  const { low, high } = toVarint(halvesOf(value), type);
  return varintWidth(low, high);
}
