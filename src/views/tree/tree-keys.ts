/**
 * Arrow keys in a tree of visible rows → the next row, or the row to open or fold. By the ARIA authoring practices:
 * Right opens, then enters; Left folds, then leaves.
 */

export interface KeyRow {
  readonly depth: number;
  readonly state: 'leaf' | 'open' | 'folded';
}

export type TreeMove =
  | { readonly kind: 'go'; readonly index: number }
  | { readonly kind: 'open' | 'fold'; readonly index: number };

/** null: the key has no function here. `page`: rows per screen. */
export function treeMove(key: string, rows: readonly KeyRow[], index: number, page: number): TreeMove | null {
  if (rows.length === 0) return null;
  const go = (to: number): TreeMove => ({ kind: 'go', index: Math.max(0, Math.min(rows.length - 1, to)) });
  const row = rows[index];
  if (row === undefined) return ['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(key) ? go(0) : null;
  switch (key) {
    case 'ArrowDown':
      return go(index + 1);
    case 'ArrowUp':
      return go(index - 1);
    case 'PageDown':
      return go(index + page);
    case 'PageUp':
      return go(index - page);
    case 'Home':
      return go(0);
    case 'End':
      return go(rows.length - 1);
    case 'ArrowRight':
      if (row.state === 'folded') return { kind: 'open', index };
      return row.state === 'open' ? go(index + 1) : null;
    case 'ArrowLeft': {
      if (row.state === 'open') return { kind: 'fold', index };
      for (let above = index - 1; above >= 0; above--) if (rows[above]!.depth < row.depth) return go(above);
      return null;
    }
    default:
      return null;
  }
}
