/**
 * The tree of fields → the rows a person sees: sorted among siblings, folded, or as one flat list.
 * Visible rows never count a byte twice: a folded row stands for its subtree, an open one for itself alone,
 * and so they sum to the tree's total.
 */
import { addCosts, type Costs, type FieldNode, NO_COSTS } from './field-tree.ts';

export type Column = 'field' | 'occurrences' | 'presence' | 'overhead' | 'protobuf' | 'native' | 'delta' | 'share';

export interface FieldTableView {
  /** null: schema order. */
  readonly sort: { readonly column: Column; readonly descending: boolean } | null;
  /** Words that a path must contain, in any case. With a filter the list is flat. */
  readonly filter: string;
  readonly flat: boolean;
  /** Paths of the open message fields. */
  readonly expanded: readonly string[];
}

export interface TableRow {
  readonly node: FieldNode;
  /** 0 throughout a flat list. */
  readonly depth: number;
  readonly state: 'leaf' | 'open' | 'folded';
  readonly costs: Costs;
  /** 1-based place among its visible siblings, and how many they are. */
  readonly position: number;
  readonly siblings: number;
}

export const isFlat = ({ flat, filter }: FieldTableView): boolean => flat || filter.trim() !== '';

export function visibleRows(roots: readonly FieldNode[], view: FieldTableView): readonly TableRow[] {
  return isFlat(view) ? flatRows(roots, view) : treeRows(roots, view);
}

function treeRows(roots: readonly FieldNode[], { sort, expanded }: FieldTableView): readonly TableRow[] {
  const open = new Set(expanded);
  const rows: TableRow[] = [];
  const visit = (nodes: readonly FieldNode[]) => {
    const sorted = sort ? [...nodes].sort(compareBy(sort, (node) => node.total)) : nodes;
    for (const [index, node] of sorted.entries()) {
      const state = node.children.length === 0 ? 'leaf' : open.has(node.field.path) ? 'open' : 'folded';
      const costs = state === 'folded' ? node.total : node.own;
      rows.push({ node, depth: node.depth, state, costs, position: index + 1, siblings: sorted.length });
      if (state === 'open') visit(node.children);
    }
  };
  visit(roots);
  return rows;
}

function flatRows(roots: readonly FieldNode[], { sort, filter }: FieldTableView): readonly TableRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const nodes = allNodes(roots).filter(({ field }) => {
    const path = field.path.toLowerCase();
    return words.every((word) => path.includes(word));
  });
  if (sort) nodes.sort(compareBy(sort, (node) => node.own));
  return nodes.map((node, index) => ({
    node,
    depth: 0,
    state: 'leaf',
    costs: node.own,
    position: index + 1,
    siblings: nodes.length,
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

function compareBy(
  { column, descending }: { readonly column: Column; readonly descending: boolean },
  costsOf: (node: FieldNode) => Costs,
): (a: FieldNode, b: FieldNode) => number {
  const direction = descending ? -1 : 1;
  if (column === 'field') return (a, b) => direction * a.field.path.localeCompare(b.field.path, 'en');
  const key = (node: FieldNode): number => {
    const costs = costsOf(node);
    switch (column) {
      case 'occurrences':
        return node.field.occurrences;
      case 'presence':
        return node.field.parents === 0 ? 0 : node.field.presence / node.field.parents;
      case 'overhead':
        return costs.protobuf.tag + costs.protobuf.length;
      case 'native':
        return costs.nativeBytes;
      case 'delta':
        return costs.delta;
      default:
        return costs.protobufBytes;
    }
  };
  return (a, b) => direction * (key(a) - key(b));
}

export const sumRows = (rows: readonly TableRow[]): Costs =>
  rows.reduce((sum, { costs }) => addCosts(sum, costs), NO_COSTS);

/** A first click sorts numbers by the largest and names by A; a second turns round; a third returns to schema order. */
export function nextSort(sort: FieldTableView['sort'], column: Column): FieldTableView['sort'] {
  const first = column !== 'field';
  if (sort?.column !== column) return { column, descending: first };
  return sort.descending === first ? { column, descending: !first } : null;
}

export const expandableByPath = (roots: readonly FieldNode[]): readonly string[] =>
  allNodes(roots)
    .filter(({ children }) => children.length > 0)
    .map(({ field }) => field.path);

/** What is open before anybody has touched the table: everything while it fits a screen or two, else the top. */
export function firstView(roots: readonly FieldNode[], fits = 60): FieldTableView {
  const everything = allNodes(roots).length <= fits;
  return { sort: null, filter: '', flat: false, expanded: everything ? expandableByPath(roots) : [] };
}

/** The rows of a chain of ancestors opened, so that `path` is visible. */
export function reveal(roots: readonly FieldNode[], view: FieldTableView, path: string): FieldTableView {
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
