/** A profile's fields → a tree by path, each node with its own bytes and those of its subtree. */
import { type FieldProfile, type NativeLedger, nativeBytesOf, type Profile, type ProtobufLedger } from './profile.ts';

/** Both ledgers and what they add up to. */
export interface Costs {
  readonly protobuf: ProtobufLedger;
  readonly native: NativeLedger;
  readonly protobufBytes: number;
  readonly nativeBytes: number;
  /** Bytes of the side that is looked at. */
  readonly bytes: number;
  /** Protobuf − native, or the part of it that one cause explains. */
  readonly delta: number;
  /** Bits paid of a compressed stream; 0 where none was measured. */
  readonly paid: number;
}

export interface FieldNode {
  readonly field: FieldProfile;
  readonly depth: number;
  readonly children: readonly FieldNode[];
  /** The field's own bytes: of a message its tags and length prefixes. */
  readonly own: Costs;
  /** With the fields below it. */
  readonly total: Costs;
}

export const NO_COSTS: Costs = {
  protobuf: { tag: 0, length: 0, value: 0 },
  native: { flag: 0, count: 0, length: 0, type: 0, value: 0 },
  protobufBytes: 0,
  nativeBytes: 0,
  bytes: 0,
  delta: 0,
  paid: 0,
};

export const addCosts = (a: Costs, b: Costs): Costs => ({
  protobuf: {
    tag: a.protobuf.tag + b.protobuf.tag,
    length: a.protobuf.length + b.protobuf.length,
    value: a.protobuf.value + b.protobuf.value,
  },
  native: addLedgers(a.native, b.native),
  protobufBytes: a.protobufBytes + b.protobufBytes,
  nativeBytes: a.nativeBytes + b.nativeBytes,
  bytes: a.bytes + b.bytes,
  delta: a.delta + b.delta,
  paid: a.paid + b.paid,
});

function addLedgers(a: NativeLedger, b: NativeLedger): NativeLedger {
  const sum: { -readonly [K in keyof NativeLedger]: NativeLedger[K] } = { ...a };
  for (const [cell, bytes] of Object.entries(b) as [keyof NativeLedger, number][]) sum[cell] = (sum[cell] ?? 0) + bytes;
  return sum;
}

export type DeltaOf = (field: FieldProfile) => number;
/** Bits that a field itself pays. */
export type PaidOf = (path: string) => number;

function ownCosts(
  field: FieldProfile,
  deltaOf: DeltaOf | undefined,
  paidOf: PaidOf | undefined,
  side: 'protobuf' | 'native',
): Costs {
  const { protobuf, native } = field;
  const protobufBytes = protobuf.tag + protobuf.length + protobuf.value;
  const nativeBytes = nativeBytesOf(field);
  const delta = deltaOf?.(field) ?? protobufBytes - nativeBytes;
  const bytes = side === 'protobuf' ? protobufBytes : nativeBytes;
  return { protobuf, native, protobufBytes, nativeBytes, bytes, delta, paid: paidOf?.(field.path) ?? 0 };
}

/** Roots in schema order. A field whose parent is not listed stands at the top. */
export function buildFieldTree(
  { fields }: Pick<Profile, 'fields'>,
  deltaOf?: DeltaOf,
  paidOf?: PaidOf,
  side: 'protobuf' | 'native' = 'protobuf',
): readonly FieldNode[] {
  const known = new Set(fields.map(({ path }) => path));
  const byParent = new Map<string, FieldProfile[]>();
  for (const field of fields) {
    const parent = known.has(field.parent) && field.parent !== field.path ? field.parent : '';
    const siblings = byParent.get(parent);
    if (siblings) siblings.push(field);
    else byParent.set(parent, [field]);
  }
  const build = (parent: string, depth: number): readonly FieldNode[] =>
    (byParent.get(parent) ?? []).map((field) => {
      const children = build(field.path, depth + 1);
      const own = ownCosts(field, deltaOf, paidOf, side);
      return { field, depth, children, own, total: children.reduce((sum, child) => addCosts(sum, child.total), own) };
    });
  return build('', 0);
}

/** null: no field has that path. */
export function findField(roots: readonly FieldNode[], path: string): FieldNode | null {
  for (const node of roots) {
    const found = node.field.path === path ? node : findField(node.children, path);
    if (found) return found;
  }
  return null;
}
