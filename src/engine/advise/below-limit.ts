/**
 * The shortest list of changes, and the shortest list of fields to remove, that bring the largest message below a
 * limit. Each is measured.
 */
import type { Advice } from './advice.ts';
import type { Advisor } from './advise.ts';
import { type Change, ImpossibleChange } from './change.ts';
import { FieldValues } from './uses.ts';
import { copyTree, nodesOf, type TreeNode } from './value-tree.ts';
import { writeTree } from './write-tree.ts';

export interface BelowLimit {
  /** Bytes of the largest message as captured. */
  readonly largest: number;
  /** Bytes of the largest message as changes find it: written anew, in the order of the field numbers. */
  readonly rewritten: number;
  /** Rows that together are sufficient, and the resulting size; undefined: no short list is sufficient. */
  readonly changes: { readonly ids: readonly number[]; readonly largest: number } | undefined;
  /** Fields to remove, `a.B.field`. */
  readonly fields: { readonly names: readonly string[]; readonly largest: number } | undefined;
}

/** Limits: rows that are tried, largest saving first; changes in a list; fields in a list. */
const MAX_ROWS = 10;
const MAX_CHANGES = 4;
const MAX_FIELDS = 5;

export async function belowLimit(advisor: Advisor, advice: readonly Advice[], limit: number): Promise<BelowLimit> {
  const sizes = advisor.captured.flatMap(({ messages }) => messages.map(({ length }) => length));
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
  const rewritten = advisor.messages.reduce((most, { length }) => Math.max(most, length), 0);
  if (largest <= limit) return { largest, rewritten, changes: { ids: [], largest }, fields: { names: [], largest } };
  if (rewritten <= limit) {
    return { largest, rewritten, changes: { ids: [], largest: rewritten }, fields: { names: [], largest: rewritten } };
  }
  return {
    largest,
    rewritten,
    changes: await fewestChanges(advisor, advice, limit),
    fields: fewestFields(
      advisor,
      advisor.trees.filter((tree) => writeTree(tree, advisor.forms).bytes.length > limit),
      limit,
    ),
  };
}

async function fewestChanges(
  advisor: Advisor,
  advice: readonly Advice[],
  limit: number,
): Promise<BelowLimit['changes']> {
  const rows = advice.toSorted((a, b) => b.deployed.saved.bytes - a.deployed.saved.bytes).slice(0, MAX_ROWS);
  let chosen: readonly Advice[] = [];
  for (let count = 1; count <= MAX_CHANGES; count++) {
    let best: { readonly rows: readonly Advice[]; readonly largest: number } | undefined;
    for (const row of rows) {
      if (chosen.includes(row)) continue;
      const some = [...chosen, row];
      const largest = await largestAfter(advisor, some);
      if (largest !== undefined && (best === undefined || largest < best.largest)) best = { rows: some, largest };
    }
    if (best === undefined) return undefined;
    if (best.largest <= limit) return { ids: best.rows.map(({ id }) => id), largest: best.largest };
    chosen = best.rows;
  }
  return undefined;
}

async function largestAfter(advisor: Advisor, rows: readonly Advice[]): Promise<number | undefined> {
  const changes = new Map<string, Change>();
  for (const change of rows.flatMap((row) => row.changes)) changes.set(JSON.stringify(change), change);
  try {
    const { deployed } = await advisor.measure([...changes.values()]);
    return Math.max(0, ...deployed.units.flatMap(({ messages }) => messages.map(({ length }) => length)));
  } catch (error) {
    if (error instanceof ImpossibleChange) return undefined;
    throw error;
  }
}

/** Only fields with scalar values: removing a message that contains all others would leave nothing. */
function fewestFields({ forms }: Advisor, trees: readonly TreeNode[], limit: number): BelowLimit['fields'] {
  const root = trees[0]?.type ?? '';
  const names: string[] = [];
  let left = trees.map(copyTree);
  for (let count = 0; count < MAX_FIELDS; count++) {
    let best: { readonly name: string; readonly trees: readonly TreeNode[]; readonly largest: number } | undefined;
    for (const { message, field } of new FieldValues(left, forms, root).fields) {
      if (field.type === 'message' || field.type === 'group' || forms.get(message)!.isMapEntry) continue;
      const without = left.map(copyTree);
      for (const tree of without) {
        for (const node of nodesOf(tree)) if (node.type === message) node.fields.delete(field.name);
      }
      const largest = Math.max(0, ...without.map((tree) => writeTree(tree, forms).bytes.length));
      if (best === undefined || largest < best.largest)
        best = { name: `${message}.${field.name}`, trees: without, largest };
    }
    if (best === undefined) return undefined;
    names.push(best.name);
    if (best.largest <= limit) return { names, largest: best.largest };
    left = [...best.trees];
  }
  return undefined;
}
