/**
 * A tree of bytes → the cells of an icicle. The width of a cell is proportional to the bytes of its node and all nodes
 * below it. Children are below their parent, from the left, the largest first. The rest of the parent's width is its
 * own bytes.
 *
 *   ┌ all ────────────────────────────────┐
 *   ├ hits ──────────────────────┬ took ──┤
 *   ├ source ──────┬ id ──┬ … ┐ ▬▬ own
 *
 * Every byte has the same width in the whole picture, strips included. Cells too narrow to draw are merged into one.
 */
import type { Category } from '#engine/model/annotation.ts';
import { sharedStarts } from '#wording/distinct-names.ts';

export interface IcicleNode {
  /** Field path; empty for the whole. */
  readonly path: string;
  readonly name: string;
  /** Bytes of the node and of all nodes below it. */
  readonly bytes: number;
  /** The node's own bytes, in the order of the wire; they sum to `bytes` less those of its children. */
  readonly own: readonly { readonly category: Category; readonly bytes: number }[];
  readonly children: readonly IcicleNode[];
}

export interface IcicleCell {
  /** null: several cells too narrow to draw alone, siblings or not. */
  readonly node: IcicleNode | null;
  /** The number of nodes in it. */
  readonly count: number;
  readonly bytes: number;
  /** From the root of the picture, which is 0. */
  readonly level: number;
  readonly x: number;
  readonly width: number;
  /** Characters at the beginning of its name that a sibling's name has as well: they are cut first. */
  readonly shared: number;
  /** The node's own part, right of its children. */
  readonly strip: readonly {
    readonly category: Category;
    readonly bytes: number;
    readonly x: number;
    readonly width: number;
  }[];
}

export interface IcicleGeometry {
  readonly cells: readonly IcicleCell[];
  readonly levels: number;
}

/** Pixels. Below this a cell has no edge of its own. */
const NARROWEST = 1.5;

export function layOutIcicle(root: IcicleNode, width: number): IcicleGeometry {
  const cells: IcicleCell[] = [];
  const perByte = root.bytes > 0 ? width / root.bytes : 0;
  let levels = 0;
  const place = (node: IcicleNode, level: number, x: number, shared: number): void => {
    levels = Math.max(levels, level + 1);
    const sorted = node.children.filter(({ bytes }) => bytes > 0).sort((a, b) => b.bytes - a.bytes);
    let at = x;
    const rest = { count: 0, bytes: 0 };
    const below: [IcicleNode, number][] = [];
    for (const child of sorted) {
      if (child.bytes * perByte < NARROWEST) {
        rest.count++;
        rest.bytes += child.bytes;
        continue;
      }
      below.push([child, at]);
      at += child.bytes * perByte;
    }
    const restX = at;
    at += rest.bytes * perByte;
    const strip = node.own
      .filter(({ bytes }) => bytes > 0)
      .map(({ category, bytes }) => {
        const segment = { category, bytes, x: at, width: bytes * perByte };
        at += segment.width;
        return segment;
      });
    cells.push({ node, count: 1, bytes: node.bytes, level, x, width: node.bytes * perByte, shared, strip });
    const starts = sharedStarts(below.map(([{ name }]) => name));
    for (const [child, left] of below) place(child, level + 1, left, starts.get(child.name)!);
    if (rest.count > 0) {
      levels = Math.max(levels, level + 2);
      cells.push({
        ...rest,
        node: null,
        level: level + 1,
        x: restX,
        width: rest.bytes * perByte,
        shared: 0,
        strip: [],
      });
    }
  };
  if (root.bytes > 0) place(root, 0, 0, 0);
  return { cells, levels };
}

/** The node at a path, and those above it, outermost first; undefined: no node is there. */
export function findNode(root: IcicleNode, path: string): readonly IcicleNode[] | undefined {
  if (root.path === path) return [root];
  for (const child of root.children) {
    if (path !== child.path && !path.startsWith(`${child.path}.`) && child.children.length === 0) continue;
    const found = findNode(child, path);
    if (found) return [root, ...found];
  }
  return undefined;
}

/** The cell under a point; undefined: no cell is there. */
export const cellAt = ({ cells }: IcicleGeometry, x: number, level: number): IcicleCell | undefined =>
  cells.find((cell) => cell.level === level && x >= cell.x && x < cell.x + cell.width);
