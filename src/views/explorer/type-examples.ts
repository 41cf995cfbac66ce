/** The shown message → the places of a type in it, with the values of its fields. */
import type { Profile } from '#engine/cost/profile.ts';
import { endAt, fieldAt, startAt, subtreeEnds } from '#engine/model/annotation.ts';
import { pathText } from '#engine/wire/path-tree.ts';
import { describeRow } from '#engine/wire/value.ts';
import type { Inspection } from '#state/session-state.ts';

export interface TypeExample {
  readonly row: number;
  /** Offsets in the message; half-open. */
  readonly start: number;
  readonly end: number;
  readonly fields: readonly {
    readonly row: number;
    readonly name: string;
    readonly value: string;
    readonly bytes: number;
  }[];
  /** Fields beyond those. */
  readonly more: number;
}

const MAX_EXAMPLES = 3;
const MAX_FIELDS = 12;

/** The first ones in it; none if the type does not occur. */
export function typeExamples({ protobuf }: Inspection, profile: Profile, fullName: string): readonly TypeExample[] {
  const { table, bytes, path, paths } = protobuf;
  if (table.encoding !== 'protobuf') return [];
  const wanted = new Set(
    profile.fields.filter(({ declared }) => declared?.type === fullName).map((field) => field.path),
  );
  const isWhole = profile.type === fullName;
  if (!isWhole && wanted.size === 0) return [];
  const ends = subtreeEnds(table);
  const texts = new Map<number, boolean>();
  const isWanted = (row: number): boolean => {
    const at = path[row]!;
    if (at < 0) return false;
    const known = texts.get(at) ?? wanted.has(pathText(paths, table, at));
    texts.set(at, known);
    return known;
  };
  const examples: TypeExample[] = [];
  for (let row = 0; row < table.length && examples.length < MAX_EXAMPLES; row++) {
    if (!(row === 0 ? isWhole : isWanted(row)) || ends[row]! === row + 1) continue;
    const fields: TypeExample['fields'][number][] = [];
    let more = 0;
    for (let child = row + 1; child < ends[row]!; child = ends[child]!) {
      const field = table.fields[fieldAt(table, child)];
      if (field === undefined) continue;
      if (fields.length === MAX_FIELDS) more++;
      else {
        const { value } = describeRow(table, bytes, child);
        fields.push({ row: child, name: field.name, value, bytes: endAt(table, child) - startAt(table, child) });
      }
    }
    examples.push({ row, start: startAt(table, row), end: endAt(table, row), fields, more });
  }
  return examples;
}
