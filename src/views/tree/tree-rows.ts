/**
 * An annotation table and the set of open rows → the visible rows. Cost grows with the open rows, not with the message.
 */
import { ownSpans } from '#engine/inspect/encoded-message.ts';
import {
  type AnnotationTable,
  type Category,
  fieldAt,
  parentAt,
  payloadCategoryAt,
  SLOTS,
  slotAt,
} from '#engine/model/annotation.ts';

export interface VisibleTreeRow {
  readonly row: number;
  readonly depth: number;
  readonly state: 'leaf' | 'open' | 'folded';
  /** Index among the repeated siblings of the same field; null for a singular field. */
  readonly index: number | null;
  readonly position: number;
  readonly siblings: number;
}

/**
 * The maximum of rows shown at once: an open row takes about 80 bytes, and a browser's tallest element holds 300,000
 * rows.
 */
export const MAX_TREE_ROWS = 100_000;

const COUNT = SLOTS.native.indexOf('count');

export interface VisibleTree {
  readonly rows: readonly VisibleTreeRow[];
  /** Whether more rows follow. */
  readonly cut: boolean;
}

/** The rows that the tree shows if all are open. */
export function countTreeRows(table: AnnotationTable, ends: Uint32Array): number {
  let count = 0;
  for (let row = 0; row < table.length; row++) if (!isToken(table, ends, row)) count++;
  return count;
}

/** The number of visible rows in front of a visible row. */
export function treePlaceOf(table: AnnotationTable, ends: Uint32Array, open: ReadonlySet<number>, row: number): number {
  let place = 0;
  for (let at = 0; at < row; at = open.has(at) ? at + 1 : ends[at]!) if (!isToken(table, ends, at)) place++;
  return place;
}

export function visibleTreeRows(
  table: AnnotationTable,
  ends: Uint32Array,
  open: ReadonlySet<number>,
  { from = 0, limit = MAX_TREE_ROWS }: { readonly from?: number; readonly limit?: number } = {},
): VisibleTree {
  const rows: VisibleTreeRow[] = [];
  if (table.length === 0) return { rows, cut: false };
  let place = 1;
  if (from === 0) rows.push({ row: 0, depth: 0, state: stateOf(0), index: null, position: 1, siblings: 1 });
  // A stack instead of recursion: messages nest ten thousand deep.
  const stack = open.has(0) ? [walk(0, 1)] : [];
  while (stack.length > 0) {
    const frame = stack[stack.length - 1]!;
    if (frame.next >= frame.end) {
      stack.pop();
      continue;
    }
    if (rows.length >= limit) return { rows, cut: true };
    const row = frame.next;
    frame.next = ends[row]!;
    if (isToken(table, ends, row)) continue;
    frame.position++;
    const state = stateOf(row);
    const index = countRepeated(frame, row);
    const { depth, position, siblings } = frame;
    if (place++ >= from) rows.push({ row, depth, state, index, position, siblings });
    if (state === 'open') stack.push(walk(row, frame.depth + 1));
  }
  return { rows, cut: false };

  function stateOf(row: number): 'leaf' | 'open' | 'folded' {
    if (!hasRows(row)) return 'leaf';
    return open.has(row) ? 'open' : 'folded';
  }
  function hasRows(row: number): boolean {
    for (let child = row + 1; child < ends[row]!; child = ends[child]!) if (!isToken(table, ends, child)) return true;
    return false;
  }
  function walk(parent: number, depth: number) {
    let siblings = 0;
    for (let row = parent + 1; row < ends[parent]!; row = ends[row]!) if (!isToken(table, ends, row)) siblings++;
    return { next: parent + 1, end: ends[parent]!, depth, siblings, position: 0, seen: new Map<number, number>() };
  }
  function countRepeated(frame: { readonly seen: Map<number, number> }, row: number): number | null {
    const field = fieldAt(table, row);
    // The native list row around the elements has the same field, and a count.
    if (field === -1 || (table.encoding === 'native' && slotAt(table, row, COUNT) > 0)) return null;
    const before = frame.seen.get(field) ?? 0;
    frame.seen.set(field, before + 1);
    const facts = field >= 0 ? table.fields[field] : undefined;
    return facts === undefined || facts.cardinality === 'singular' ? null : before;
  }
}

const TOKENS: ReadonlySet<Category> = new Set([
  'key',
  'punctuation',
  'quotes',
  'space',
  'offset',
  'padding',
  'value',
  'group-end',
  'count',
  'length',
]);

/** A token of a text encoding: its bytes belong to the row around it. */
const isToken = (table: AnnotationTable, ends: Uint32Array, row: number): boolean =>
  table.encoding === 'native' &&
  fieldAt(table, row) === -1 &&
  row > 0 &&
  ends[row] === row + 1 &&
  TOKENS.has(payloadCategoryAt(table, row));

/** Bytes by category that the tree shows at a row: its own, and those of its tokens, which have no rows in the tree. */
export function sharesOfRow(table: AnnotationTable, ends: Uint32Array, row: number): ReadonlyMap<Category, number> {
  const shares = new Map<Category, number>();
  const add = (of: number): void => {
    for (const { category, start, end } of ownSpans(table, of))
      shares.set(category, (shares.get(category) ?? 0) + end - start);
  };
  add(row);
  for (let child = row + 1; child < ends[row]!; child = ends[child]!) if (isToken(table, ends, child)) add(child);
  return shares;
}

/** Rows to open at first: level by level, while the rows still fit. */
export function firstOpen(table: AnnotationTable, ends: Uint32Array, fits = 120): ReadonlySet<number> {
  const open = new Set<number>();
  if (table.length === 0) return open;
  let level = [0];
  let shown = 1;
  while (level.length > 0) {
    const next: number[] = [];
    for (const parent of level) {
      const children: number[] = [];
      for (let row = parent + 1; row < ends[parent]!; row = ends[row]!) {
        children.push(row);
        if (shown + children.length > fits && parent !== 0) return open;
      }
      shown += children.length;
      open.add(parent);
      for (const child of children) if (ends[child]! > child + 1) next.push(child);
    }
    level = next;
  }
  return open;
}

/** `open` with all rows around `row`, so that it is visible. */
export function openTo(table: AnnotationTable, open: ReadonlySet<number>, row: number): ReadonlySet<number> {
  const missing: number[] = [];
  for (let above = parentAt(table, row) ?? -1; above >= 0; above = parentAt(table, above)) {
    if (!open.has(above)) missing.push(above);
  }
  return missing.length === 0 ? open : new Set([...open, ...missing]);
}

/** Every row with children, as far as the tree shows rows. */
export function openAll(ends: Uint32Array): ReadonlySet<number> {
  const open = new Set<number>();
  for (let row = 0; row < Math.min(ends.length, MAX_TREE_ROWS); row++) if (ends[row]! > row + 1) open.add(row);
  return open;
}
