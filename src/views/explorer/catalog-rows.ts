/** The open tree: nodes known so far → rows to draw, in order, with the facts that a screen reader needs. */
import type { CatalogNode } from '#state/explore.ts';

export interface CatalogRow {
  readonly node: CatalogNode;
  readonly depth: number;
  readonly state: 'leaf' | 'open' | 'folded';
  /** From 1, among its siblings. */
  readonly position: number;
  readonly siblings: number;
}

/** Children by the id of their parent; the roots under ''. */
export type KnownNodes = ReadonlyMap<string, readonly CatalogNode[]>;

export function catalogRows(known: KnownNodes, open: ReadonlySet<string>): readonly CatalogRow[] {
  const rows: CatalogRow[] = [];
  const walk = (parent: string, depth: number): void => {
    const nodes = known.get(parent) ?? [];
    for (const [index, node] of nodes.entries()) {
      const isOpen = node.hasChildren && open.has(node.id) && known.has(node.id);
      const state = !node.hasChildren ? 'leaf' : isOpen ? 'open' : 'folded';
      rows.push({ node, depth, state, position: index + 1, siblings: nodes.length });
      if (isOpen) walk(node.id, depth + 1);
    }
  };
  walk('', 0);
  return rows;
}
