/**
 * A profile ⇄ the same in little room: its fields as columns, paths as names and the row of the parent. A field that
 * profiles gain goes through here by itself; `shared-profile.ts` is where it is checked.
 */
import { fromColumns, type Json, toColumns } from './columns.ts';

/** Values that the fields of a profile may unfold to: 10,000 fields of some 100. */
const MAX_VALUES = 1_000_000;

type Row = { readonly [name: string]: Json };

/** `profile` as JSON would give it back. */
export function packProfile(profile: Row): Row {
  const { fields, ...rest } = profile;
  const rows = fields as readonly Row[];
  const rowOf = new Map(rows.map(({ path }, row) => [path, row]));
  return {
    ...rest,
    rows: rows.length,
    fields: toColumns(
      rows.map(({ path: _, parent, ...field }) => ({ parent: rowOf.get(parent!) ?? -1, ...field })),
    ) as Json,
  };
}

/** undefined: not what `packProfile` makes. Whether it is a profile is for `shared-profile.ts` to say. */
export function unpackProfile(packed: unknown): unknown {
  if (typeof packed !== 'object' || packed === null) return undefined;
  const { fields, rows: count, ...rest } = packed as Row;
  if (!Number.isSafeInteger(count)) return undefined;
  const rows = fromColumns(fields, count as number, MAX_VALUES);
  if (rows === undefined) return undefined;
  const paths: string[] = [];
  for (const row of rows) {
    const { parent: above, name } = (row ?? {}) as Row;
    const parent = above === -1 ? '' : paths[above as number];
    if (parent === undefined || typeof name !== 'string') return undefined;
    // A path is as long as its depth asks for: no deeper than any message is.
    if (parent.length > 4096) return undefined;
    paths.push(parent === '' ? name : `${parent}.${name}`);
  }
  return {
    ...rest,
    fields: rows.map((row, at) => {
      const { parent: above, ...field } = row as Row;
      return { ...field, path: paths[at], parent: above === -1 ? '' : paths[above as number] };
    }),
  };
}
