/** Rows as columns → the words that `packRows` takes. */
import { BUILT_WORDS } from '#engine/model/pack-rows.ts';

/** One entry a row. */
export type BuiltColumns = Readonly<Record<'start' | 'end' | 'parent' | 'field' | 'head' | 'flags', readonly number[]>>;

export function builtRows({ start, end, parent, field, head, flags }: BuiltColumns): Int32Array {
  const words = new Int32Array(start.length * BUILT_WORDS);
  for (let row = 0; row < start.length; row++) {
    words.set([start[row]!, end[row]!, parent[row]!, field[row]!, head[row]! | (flags[row]! << 16)], row * BUILT_WORDS);
  }
  return words;
}
