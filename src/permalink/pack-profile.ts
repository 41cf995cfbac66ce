/**
 * A profile ⇄ a smaller form: its fields are columns, and parts of names that follow from earlier rows are left out: a
 * path from the parent's path, a full name from the parent's type, a scalar's type from its kind. Histograms have no
 * zeros at the end. A new figure of fields needs no change here; `shared-profile.ts` checks it.
 */
import { fromColumns, isObject, type Json, toColumns } from './columns.ts';

/** The maximum of values in the fields of a profile: 50,000 fields of about 100. */
const MAX_VALUES = 5_000_000;
/** Characters of all paths, and of a type's name. */
const MAX_PATHS = 1 << 24;
const MAX_NAME = 4096;

/** Counts of a histogram: varints of one to ten bytes. */
const WIDTHS = 10;

type Row = { readonly [name: string]: Json };

/** `profile` as JSON would give it back. */
export function packProfile(profile: Row): Row {
  const { fields, ...rest } = profile;
  const rows = fields as readonly Row[];
  const rowOf = new Map(rows.map(({ path }, row) => [path, row]));
  const packed = rows.map(({ path: _, parent, declared, widths, ...field }) => {
    const above = rowOf.get(parent!) ?? -1;
    return {
      parent: above,
      declared: packDeclared(declared!, above < 0 ? rest : rows[above]!, field['name']),
      widths: mapWidths(widths!, withoutZerosAtEnd),
      ...field,
    };
  });
  return { ...rest, rows: rows.length, fields: toColumns(packed) as Json };
}

/** undefined: not the output of `packProfile`. `shared-profile.ts` checks whether it is a profile. */
export function unpackProfile(packed: unknown): unknown {
  if (!isObject(packed)) return undefined;
  const { fields, rows: count, ...rest } = packed;
  if (!Number.isSafeInteger(count)) return undefined;
  const columns = fromColumns(fields, count as number, MAX_VALUES);
  if (columns === undefined) return undefined;
  const rows: Row[] = [];
  let characters = 0;
  for (const row of columns) {
    if (!isObject(row)) return undefined;
    const { parent: above, declared, widths, ...field } = row;
    const parent = above === -1 ? undefined : rows[above as number];
    if (parent === undefined && above !== -1) return undefined;
    const parentPath = (parent?.['path'] ?? '') as string;
    characters += parentPath.length;
    if (typeof field['name'] !== 'string' || characters > MAX_PATHS) return undefined;
    rows.push({
      ...field,
      path: parentPath === '' ? field['name'] : `${parentPath}.${field['name']}`,
      parent: parentPath,
      declared: unpackDeclared(declared ?? null, parent ?? rest, field['name']),
      widths: mapWidths(widths ?? null, withZerosAtEnd),
    });
  }
  return { ...rest, fields: rows };
}

/** Changes each histogram of varint widths; other values stay as they are. */
const mapWidths = (widths: Json, change: (counts: readonly Json[]) => readonly Json[]): Json =>
  isObject(widths)
    ? Object.fromEntries(
        Object.entries(widths).map(([part, counts]) => [part, Array.isArray(counts) ? change(counts) : counts]),
      )
    : widths;

const withoutZerosAtEnd = (counts: readonly Json[]): readonly Json[] =>
  counts.slice(0, counts.findLastIndex((count) => count !== 0) + 1);

const withZerosAtEnd = (counts: readonly Json[]): readonly Json[] => [
  ...counts,
  ...Array<Json>(Math.max(0, WIDTHS - counts.length)).fill(0),
];

const packDeclared = (declared: Json, parent: Row, name: Json | undefined): Json =>
  isObject(declared)
    ? {
        ...declared,
        type: declared['type'] === declared['kind'] ? null : declared['type']!,
        fullName: declared['fullName'] === fullNameBelow(parent, name) ? null : declared['fullName']!,
      }
    : declared;

const unpackDeclared = (declared: Json, parent: Row, name: Json): Json =>
  isObject(declared)
    ? {
        ...declared,
        type: declared['type'] ?? declared['kind'] ?? null,
        fullName: declared['fullName'] ?? fullNameBelow(parent, name),
      }
    : declared;

/** A field's full name, if its parent, a field or the profile, has the type that declares it. */
function fullNameBelow({ declared, type }: Row, name: Json | undefined): string {
  const parentType = isObject(declared) ? declared['type'] : type;
  return typeof parentType === 'string' && parentType.length <= MAX_NAME ? `${parentType}.${name}` : '';
}
