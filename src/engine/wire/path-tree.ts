/**
 * Field paths as a tree. Each path is its parent and one field, so it takes 8 bytes at any depth. The text of a path is
 * made when a row is shown.
 */
import { type AnnotationTable, unknownField } from '../model/annotation.ts';
import { type FieldFacts, pathSegment } from '../schema/descriptor.ts';

export interface PathTree {
  /** By path: its parent path, which has a smaller index; −1: no parent. */
  readonly parent: Int32Array;
  /** By path: as `fieldAt` has it; of unknown numbers, with OTHER_WIRE_TYPE. */
  readonly field: Int32Array;
}

/** Characters of the path of a message whose fields have paths of their own: links take names of 4,096 characters. */
export const MAX_PATH = 2048;
/** Maximum number of segments in the text of a path. Longer paths show their first and last segments. */
const MAX_SEGMENTS = 128;

export class PathTreeBuilder {
  readonly #parent: number[] = [];
  readonly #field: number[] = [];
  /** Path by parent and field. */
  readonly #indices = new Map<number, Map<number, number>>();

  /** Index of a path. A new path is added. */
  indexOf(parent: number, field: number): number {
    let byField = this.#indices.get(parent);
    if (byField === undefined) {
      byField = new Map();
      this.#indices.set(parent, byField);
    }
    let index = byField.get(field);
    if (index === undefined) {
      index = this.#parent.push(parent) - 1;
      this.#field.push(field);
      byField.set(field, index);
    }
    return index;
  }

  finish(): PathTree {
    return { parent: Int32Array.from(this.#parent), field: Int32Array.from(this.#field) };
  }
}

/** Added to the number of a field of a guessed type whose record has another wire type than the guess. */
export const OTHER_WIRE_TYPE = 2 ** 29;

/** `?7`; with OTHER_WIRE_TYPE `?7-other`; 0, −1 … −4 as a row that several paths share: `?0`, `?0-2` … `?0-5`. */
export function unknownName(number: number): string {
  if (number < 0) return `?0-${1 - number}`;
  return number < OTHER_WIRE_TYPE ? `?${number}` : `?${number - OTHER_WIRE_TYPE}-other`;
}

type Fields = Pick<AnnotationTable<FieldFacts>, 'fields'>;

function segmentAt({ field }: PathTree, { fields }: Fields, index: number): string {
  const own = field[index]!;
  return own < 0 ? unknownName(unknownField(own)) : pathSegment(fields[own]!);
}

/** `timeseries.labels.name`; empty for −1. */
export function pathText(tree: PathTree, table: Fields, index: number): string {
  const around: number[] = [];
  for (let at = index; at >= 0; at = tree.parent[at]!) around.push(at);
  const segments = (indices: readonly number[]): string[] => indices.map((at) => segmentAt(tree, table, at));
  around.reverse();
  if (around.length <= MAX_SEGMENTS) return segments(around).join('.');
  const half = MAX_SEGMENTS / 2;
  return [...segments(around.slice(0, half)), '…', ...segments(around.slice(-half))].join('.');
}

/** Index of the first path with this text; −1: no path has it. */
export function findPath(tree: PathTree, table: Fields, text: string): number {
  return tree.parent.findIndex(
    (_, index) => text.endsWith(segmentAt(tree, table, index)) && pathText(tree, table, index) === text,
  );
}
