/**
 * The tree of fields → the visible rows: sorted among siblings, folded, or as one flat list. Own and total bytes of a
 * row are those of its field in every form.
 */

import { addCosts, type Costs, type FieldNode, NO_COSTS } from '#engine/cost/field-tree.ts';
import type { TableView } from '#state/view-state.ts';
import { sharedStarts } from '#wording/distinct-names.ts';
import { FIELD_COLUMNS } from './field-columns.tsx';

export interface TableRow {
  readonly node: FieldNode;
  /** 0 in a flat list. */
  readonly depth: number;
  readonly state: 'leaf' | 'open' | 'folded';
  /** 1-based place among its visible siblings, and how many they are. */
  readonly position: number;
  readonly siblings: number;
  /** Characters at the beginning of its name that a sibling's name has as well: they are cut first. */
  readonly shared: number;
}

export const isFlat = ({ flat, filter }: TableView): boolean => flat || filter.trim() !== '';

export function visibleRows(roots: readonly FieldNode[], view: TableView): readonly TableRow[] {
  return isFlat(view) ? flatRows(roots, view) : treeRows(roots, view);
}

function treeRows(roots: readonly FieldNode[], { sort, expanded }: TableView): readonly TableRow[] {
  const open = new Set(expanded);
  const rows: TableRow[] = [];
  const top = roots[0]?.depth ?? 0;
  const visit = (nodes: readonly FieldNode[]) => {
    const sorted = inOrder(nodes, sort);
    const shared = sharedStarts(nodes.map(({ field }) => field.name));
    for (const [index, node] of sorted.entries()) {
      const state = node.children.length === 0 ? 'leaf' : open.has(node.field.path) ? 'open' : 'folded';
      rows.push({
        node,
        depth: node.depth - top,
        state,
        position: index + 1,
        siblings: sorted.length,
        shared: shared.get(node.field.name)!,
      });
      if (state === 'open') visit(node.children);
    }
  };
  visit(roots);
  return rows;
}

function flatRows(roots: readonly FieldNode[], { sort, filter }: TableView): readonly TableRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const nodes = allNodes(roots).filter(({ field }) => {
    const path = field.path.toLowerCase();
    return words.every((word) => path.includes(word));
  });
  return inOrder(nodes, sort).map((node, index) => ({
    node,
    depth: 0,
    state: 'leaf',
    position: index + 1,
    siblings: nodes.length,
    shared: 0,
  }));
}

export function allNodes(roots: readonly FieldNode[]): FieldNode[] {
  const nodes: FieldNode[] = [];
  const visit = (node: FieldNode) => {
    nodes.push(node);
    node.children.forEach(visit);
  };
  roots.forEach(visit);
  return nodes;
}

/** A link may name a column that this version does not have; then the order is that of the schema. */
function inOrder(nodes: readonly FieldNode[], sort: TableView['sort']): readonly FieldNode[] {
  const key = FIELD_COLUMNS.find(({ id }) => id === sort?.column)?.sort;
  if (key === undefined) return nodes;
  const direction = sort?.descending ? -1 : 1;
  return nodes.toSorted((a, b) => {
    const [left, right] = [key(a), key(b)];
    return direction * (typeof left === 'string' ? left.localeCompare(String(right), 'en') : left - Number(right));
  });
}

/** The own bytes of these rows: a flat list counts no byte twice. */
export const sumOwn = (rows: readonly TableRow[]): Costs =>
  rows.reduce((sum, { node }) => addCosts(sum, node.own), NO_COSTS);

/**
 * A first click sorts the largest number or the letter A first; a second reverses the order; a third returns to schema
 * order.
 */
export function nextSort(sort: TableView['sort'], column: string): TableView['sort'] {
  const first = column !== 'field';
  if (sort?.column !== column) return { column, descending: first };
  return sort.descending === first ? { column, descending: !first } : null;
}

export const expandableByPath = (roots: readonly FieldNode[]): readonly string[] =>
  allNodes(roots)
    .filter(({ children }) => children.length > 0)
    .map(({ field }) => field.path);

/** Rows of one or two screens. */
const FITS = 60;

/** The rows that are open at first: all if they fit on one or two screens, else the path to the largest fields. */
export function firstView(roots: readonly FieldNode[], sort: TableView['sort'] = null): TableView {
  const everything = allNodes(roots).length <= FITS;
  return { sort, filter: '', flat: false, expanded: everything ? expandableByPath(roots) : heaviestOpen(roots) };
}

/**
 * Opens the largest fields first, level by level, until `rows` are visible, so that most bytes are visible without a
 * click.
 */
export function heaviestOpen(roots: readonly FieldNode[], rows = 16): readonly string[] {
  const open: string[] = [];
  const folded = [...roots];
  let shown = roots.length;
  while (shown < rows) {
    const largest = folded
      .filter(({ children }) => children.length > 0)
      .reduce<FieldNode | null>((most, node) => (node.total.bytes > (most?.total.bytes ?? 0) ? node : most), null);
    if (largest === null) break;
    folded.splice(folded.indexOf(largest), 1, ...largest.children);
    open.push(largest.field.path);
    shown += largest.children.length;
  }
  return open;
}

/** The rows of a chain of ancestors opened, so that `path` is visible. */
export function reveal(roots: readonly FieldNode[], view: TableView, path: string): TableView {
  const chain: string[] = [];
  const find = (nodes: readonly FieldNode[]): boolean =>
    nodes.some((node) => {
      if (node.field.path === path) return true;
      if (!find(node.children)) return false;
      chain.push(node.field.path);
      return true;
    });
  find(roots);
  const missing = chain.filter((ancestor) => !view.expanded.includes(ancestor));
  return missing.length === 0 ? view : { ...view, expanded: [...view.expanded, ...missing] };
}
