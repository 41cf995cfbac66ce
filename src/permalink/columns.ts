/**
 * Rows of one shape ⇄ columns, so that similar values are adjacent and compress well. It knows no field of any row:
 *
 *   {"o":{name: column, …}}   objects; every row has these names
 *   {"a":column,"n":column}   lists: the elements of all rows, and their number per row
 *   {"h":[1,0,…],"v":column}  null where 0; the column holds the others
 *   {"c":value}               the same in every row
 *   {"d":[value, …],"i":"0…"} one of at most 36 words, by its number in base 36
 *   [value, …]                all other values
 */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

type PackedColumn =
  | { readonly o: Readonly<Record<string, PackedColumn>> }
  | { readonly a: PackedColumn; readonly n: PackedColumn }
  | { readonly h: readonly number[]; readonly v: PackedColumn }
  | { readonly c: Json }
  | { readonly d: readonly Json[]; readonly i: string }
  | readonly Json[];

export const isObject = (value: unknown): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function toColumns(rows: readonly Json[]): PackedColumn {
  const [first] = rows;
  if (first === undefined) return [];
  if (rows.length > 1 && rows.every((row) => row === first)) return { c: first };
  if (rows.some((row) => row === null) && rows.some((row) => typeof row === 'object' && row !== null)) {
    return { h: rows.map((row) => (row === null ? 0 : 1)), v: toColumns(rows.filter((row) => row !== null)) };
  }
  if (isObject(first) && rows.every(isObject)) {
    const names = Object.keys(first);
    if (rows.every((row) => sameNames(row, names))) {
      return { o: Object.fromEntries(names.map((name) => [name, toColumns(rows.map((row) => row[name]!))])) };
    }
  }
  if (rows.every((row): row is readonly Json[] => Array.isArray(row))) {
    return { a: toColumns(rows.flat()), n: toColumns(rows.map(({ length }) => length)) };
  }
  return toWords(rows) ?? rows;
}

/** Repeated strings and booleans, as one character each. */
function toWords(rows: readonly Json[]): PackedColumn | undefined {
  if (rows.some((row) => typeof row === 'number' || (typeof row === 'object' && row !== null))) return undefined;
  const words = new Map<Json, string>();
  for (const row of rows) if (!words.has(row)) words.set(row, words.size.toString(36));
  if (words.size > 36 || words.size * 2 > rows.length) return undefined;
  return { d: [...words.keys()], i: rows.map((row) => words.get(row)).join('') };
}

const sameNames = (row: object, names: readonly string[]): boolean =>
  Object.keys(row).length === names.length && names.every((name) => Object.hasOwn(row, name));

/** The maximum depth of nested objects and lists; a profile has five. */
const MAX_DEPTH = 32;

/** Thrown and caught in this module: invalid columns, or columns of more than `limit` values. */
class BadColumns extends Error {}

/** `count` rows; undefined: the columns do not have that many rows, or have more than `limit` values in all. */
export function fromColumns(column: unknown, count: number, limit: number): readonly Json[] | undefined {
  let left = limit;
  const spend = (values: number): void => {
    left -= values;
    if (!(values >= 0) || left < 0) throw new BadColumns();
  };
  const read = (from: unknown, rows: number, depth = 0): readonly Json[] => {
    spend(rows + 1);
    if (depth > MAX_DEPTH) throw new BadColumns();
    if (Array.isArray(from)) {
      if (from.length !== rows) throw new BadColumns();
      return from;
    }
    if (typeof from !== 'object' || from === null) throw new BadColumns();
    if ('c' in from) return new Array<Json>(rows).fill(from.c as Json);
    if ('d' in from && 'i' in from) {
      const { d: words, i: indices } = from;
      if (!Array.isArray(words) || typeof indices !== 'string' || indices.length !== rows) throw new BadColumns();
      return Array.from(indices, (index) => {
        const word: Json | undefined = words[Number.parseInt(index, 36)];
        if (word === undefined) throw new BadColumns();
        return word;
      });
    }
    if ('o' in from) {
      if (typeof from.o !== 'object' || from.o === null) throw new BadColumns();
      const columns = Object.entries(from.o).map(([name, inner]) => [name, read(inner, rows, depth + 1)] as const);
      return Array.from({ length: rows }, (_, row) =>
        Object.fromEntries(columns.map(([name, values]) => [name, values[row]!])),
      );
    }
    if ('a' in from && 'n' in from) {
      const lengths = read(from.n, rows, depth + 1).map((length) => (isCount(length) ? length : Number.NaN));
      const total = lengths.reduce((sum, length) => sum + length, 0);
      spend(total);
      const values = read(from.a, total, depth + 1);
      let at = 0;
      return lengths.map((length) => {
        at += length;
        return values.slice(at - length, at);
      });
    }
    if ('h' in from && 'v' in from) {
      const { h: has, v: inner } = from;
      if (!Array.isArray(has) || has.length !== rows) throw new BadColumns();
      const values = read(inner, has.filter((there) => there === 1).length, depth + 1);
      let at = 0;
      return has.map((there) => (there === 1 ? values[at++]! : null));
    }
    throw new BadColumns();
  };
  try {
    return read(column, count);
  } catch (error) {
    if (error instanceof BadColumns) return undefined;
    throw error;
  }
}

const isCount = (value: Json): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
