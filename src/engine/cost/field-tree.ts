/** A profile's fields → a tree by path, each node with its own bytes and those of its subtree. */
import { addCells, bytesIn, cellsIn, type FieldProfile, type LedgerCells, type Profile } from './profile.ts';

/** The bytes of a field, or of a part of the tree. */
export interface Costs {
  /** Cells of the two compared ledgers. */
  readonly sides: readonly [first: LedgerCells, second: LedgerCells];
  /** Bytes of the selected ledger. */
  readonly bytes: number;
  /** The first ledger of the pair minus the second, or the part of the difference that one cause explains. */
  readonly delta: number;
  /** Bits paid in a compressed stream; 0: no stream was measured. */
  readonly paid: number;
}

export interface FieldNode {
  readonly field: FieldProfile;
  readonly depth: number;
  readonly children: readonly FieldNode[];
  /** The field's own bytes. For a message: its tags and length prefixes. */
  readonly own: Costs;
  /** Including the fields below it. */
  readonly total: Costs;
}

export const NO_COSTS: Costs = {
  sides: [{}, {}],
  bytes: 0,
  delta: 0,
  paid: 0,
};

export const addCosts = (a: Costs, b: Costs): Costs => ({
  sides: [addCells(a.sides[0], b.sides[0]), addCells(a.sides[1], b.sides[1])],
  bytes: a.bytes + b.bytes,
  delta: a.delta + b.delta,
  paid: a.paid + b.paid,
});

export type DeltaOf = (field: FieldProfile) => number;
/** Bits that a field itself pays. */
export type PaidOf = (path: string) => number;

function ownCosts(
  field: FieldProfile,
  [first, second]: Profile['pair'],
  deltaOf: DeltaOf | undefined,
  paidOf: PaidOf | undefined,
  ledger: string,
): Costs {
  return {
    sides: [cellsIn(field, first), cellsIn(field, second)],
    bytes: bytesIn(field, ledger),
    delta: deltaOf?.(field) ?? bytesIn(field, first) - bytesIn(field, second),
    paid: paidOf?.(field.path) ?? 0,
  };
}

/** Roots in schema order. A field whose parent is not listed is a root. @param ledger id of the selected ledger */
export function buildFieldTree(
  { fields, pair }: Pick<Profile, 'fields' | 'pair'>,
  deltaOf?: DeltaOf,
  paidOf?: PaidOf,
  ledger: string = pair[0],
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
      const own = ownCosts(field, pair, deltaOf, paidOf, ledger);
      return { field, depth, children, own, total: children.reduce((sum, child) => addCosts(sum, child.total), own) };
    });
  return build('', 0);
}

/** null: no field has the path. */
export function findField(roots: readonly FieldNode[], path: string): FieldNode | null {
  for (const node of roots) {
    const found = node.field.path === path ? node : findField(node.children, path);
    if (found) return found;
  }
  return null;
}
