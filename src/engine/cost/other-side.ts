/**
 * A profile whose second side is an encoding in place of a native profile: the cells of its ledger stand where native
 * ones do. Rows of their own hold the braces of the message itself, and names that no schema has.
 */
import type { EncodingLedger, FieldProfile, LedgerCells, NativeLedger, OtherSide, Profile } from './profile.ts';

/** The row of what the messages themselves take. */
export const ROOT = '(root)';

/** @param id of the encoding. A ledger that was refused has no second side. */
export function withOtherSide(profile: Profile, id: string, other: OtherSide, ledger: EncodingLedger): Profile {
  if (ledger.bytes === null) return { ...profile, nativeProfile: null };
  const known = new Set(profile.fields.map(({ path }) => path));
  const fields = profile.fields.map(
    (field): FieldProfile => ({
      ...field,
      native: cellsOf(ledger.fields[field.path] ?? {}),
      writer: other.label,
      absent: 0,
      names: { protobuf: 0, native: 0 },
      utf16: 0,
      writers: [],
    }),
  );
  const added = Object.entries(ledger.fields).filter(([path]) => !known.has(path));
  const tree = new FieldRows(fields);
  for (const [path, cells] of added) {
    tree.add(path === '' ? ROOT : path, cellsOf(cells), other.label, profile.messages);
  }
  return {
    ...profile,
    nativeProfile: id,
    other,
    bytes: { ...profile.bytes, native: ledger.bytes },
    fields: tree.inOrder(),
  };
}

function cellsOf(cells: LedgerCells): NativeLedger {
  const { flag = 0, count = 0, length = 0, type = 0, value = 0 } = cells;
  const { key = 0, punctuation = 0, quotes = 0, 'group-end': end = 0, unattributed = 0 } = cells;
  return { flag, count, length, type, value, key, punctuation, quotes, 'group-end': end, unattributed };
}

/** Rows by their parents, which come before them; each behind the rows of its parent that were there before. */
class FieldRows {
  readonly #children = new Map<string, FieldProfile[]>();
  readonly #paths = new Set<string>();

  constructor(fields: readonly FieldProfile[]) {
    for (const field of fields) this.#enter(field);
  }

  #enter(field: FieldProfile): void {
    this.#paths.add(field.path);
    const siblings = this.#children.get(field.parent);
    if (siblings === undefined) this.#children.set(field.parent, [field]);
    else siblings.push(field);
  }

  add(path: string, native: NativeLedger, writer: string, messages: number): void {
    let parent = path;
    do parent = parent.slice(0, Math.max(0, parent.lastIndexOf('.')));
    while (parent !== '' && !this.#paths.has(parent));
    const name = parent === '' ? path : path.slice(parent.length + 1);
    this.#enter({ ...UNKNOWN, path, parent, name, native, writer, parents: messages, presence: messages });
  }

  inOrder(parent = '', into: FieldProfile[] = []): readonly FieldProfile[] {
    for (const field of this.#children.get(parent) ?? []) {
      into.push(field);
      if (field.path !== parent) this.inOrder(field.path, into);
    }
    return into;
  }
}

const NO_WIDTHS = Array<number>(10).fill(0);
const UNKNOWN: FieldProfile = {
  path: '',
  parent: '',
  name: '',
  number: 0,
  declared: null,
  writer: null,
  occurrences: 0,
  elements: 0,
  packedRuns: 0,
  parents: 0,
  presence: 0,
  protobuf: { tag: 0, length: 0, value: 0 },
  native: { flag: 0, count: 0, length: 0, type: 0, value: 0 },
  absent: 0,
  names: { protobuf: 0, native: 0 },
  utf16: 0,
  widths: { tag: NO_WIDTHS, length: null, value: null },
  size: { min: 0, max: 0 },
  waste: { overlong: 0, negative: 0, defaults: 0 },
  writers: [],
  types: [],
};
