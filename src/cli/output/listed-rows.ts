/**
 * Profiles → the types and rows that are printed as JSON: as many as fit into a size. One row has the sums of those that
 * are not printed.
 */
import { mergeField } from '#engine/cost/merge-profiles.ts';
import {
  addCells,
  cellsIn,
  type FieldProfile,
  type LedgerCells,
  type LedgerTotals,
  PROTOBUF,
  type Profile,
} from '#engine/cost/profile.ts';
import { type FieldJson, fieldJson, type ProfileJson, profileJson } from '#engine/cost/profile-json.ts';
import { jsonText } from '#permalink/json-parts.ts';
import { toTerminal } from '#wording/escape.ts';
import type { Measured } from '../measure/measure.ts';

/** Rows that are not printed. */
export interface Folded {
  readonly rows: number;
  /** The first of them that follows the printed ones, counted over all types; null: the last row is printed. */
  readonly from: number | null;
}

/** A type with the rows that are printed. */
export interface ListedType<S> {
  readonly section: S;
  readonly fields: readonly FieldProfile[];
  readonly folded: FieldJson | null;
}

export interface Listed<S> {
  readonly types: readonly ListedType<S>[];
  /** The sums of all types that are not printed; null: all are. */
  readonly folded: object | null;
}

interface Limits {
  /** Bytes of JSON that types and rows may take. */
  readonly room: number;
  /** The first row that is printed. */
  readonly from: number;
}

/** The printed bytes are at most BASE, PER_INPUT for each input, and PER_BYTE for each byte of the inputs as given. */
const BASE = 512 * 1024;
const PER_INPUT = 2048;
const PER_BYTE = 64;

/** Bytes that a printed document may take. */
export const roomFor = (reports: Measured['reports']): number =>
  reports.reduce((sum, { input }) => sum + PER_INPUT + PER_BYTE * input.size, BASE);

const INDENT = 2;
const TYPE_LEVEL = 2;
const ROW_LEVEL = 4;

/** Bytes of a value in the printed document, at a level of its nesting. */
export function printedSize(value: unknown, level: number): number {
  const text = toTerminal(jsonText(value));
  const lines = text.split('\n').length;
  // The line before it ends in a comma.
  return Buffer.byteLength(text) + lines * (INDENT * level + 1) + 1;
}

/** @param headOf a section without its rows, as it is printed */
export function listRows<S extends { readonly profile: Profile }>(
  sections: readonly S[],
  headOf: (section: S) => object,
  { room, from }: Limits,
): Listed<S> {
  if (from === 0 && fits(sections, headOf, room)) {
    return {
      types: sections.map((section) => ({ section, fields: section.profile.fields, folded: null })),
      folded: null,
    };
  }
  let left = room - printedSize(foldTypes(sections, { rows: 0, from: Number.MAX_SAFE_INTEGER }), TYPE_LEVEL);
  /** The first row that does not fit after those that do. */
  let next: number | null = null;
  const types: {
    readonly section: S;
    readonly fields: readonly FieldProfile[];
    readonly rest: readonly FieldProfile[];
  }[] = [];
  const unlisted: S[] = [];
  let end = 0;
  let hasRow = false;
  for (const section of sections) {
    const { profile } = section;
    const start = end;
    end += Math.max(1, profile.fields.length);
    const head = printedSize(headOf(section), TYPE_LEVEL) + foldedSize(profile);
    if (next !== null || end <= from || head > left) {
      if (next === null && end > from && types.length > 0) next = start;
      unlisted.push(section);
      continue;
    }
    left -= head;
    const fields: FieldProfile[] = [];
    const rest: FieldProfile[] = [];
    for (const [at, field] of occurringFirst(profile.fields).entries()) {
      const size = next === null && start + at >= from ? printedSize(fieldJson(field, profile), ROW_LEVEL) : left + 1;
      if (size <= left) {
        fields.push(field);
        left -= size;
        hasRow = true;
      } else {
        rest.push(field);
        // If the first row does not fit by itself, the next one is tried: every step prints a row.
        if (hasRow && start + at >= from) next ??= start + at;
      }
    }
    types.push({ section, fields, rest });
  }
  return {
    types: types.map(({ section, fields, rest }) => ({
      ...{ section, fields },
      folded: rest.length === 0 ? null : foldRows(rest, section.profile, { rows: rest.length, from: next }),
    })),
    folded: unlisted.length === 0 ? null : foldTypes(unlisted, { rows: rowsIn(unlisted), from: next }),
  };
}

function fits<S extends { readonly profile: Profile }>(
  sections: readonly S[],
  headOf: (section: S) => object,
  room: number,
): boolean {
  let left = room;
  for (const section of sections) {
    left -= printedSize(headOf(section), TYPE_LEVEL);
    for (const field of section.profile.fields) {
      left -= printedSize(fieldJson(field, section.profile), ROW_LEVEL);
      if (left < 0) return false;
    }
  }
  return left >= 0;
}

const rowsIn = (sections: readonly { readonly profile: Profile }[]): number =>
  sections.reduce((rows, { profile }) => rows + profile.fields.length, 0);

/** Rows without bytes are the first that are not printed. */
const occurringFirst = (fields: readonly FieldProfile[]): readonly FieldProfile[] =>
  fields.toSorted((a, b) => Number(a.elements + a.occurrences === 0) - Number(b.elements + b.occurrences === 0));

/** Most bytes that the sums of a profile's rows take. */
const foldedSize = (profile: Profile): number =>
  profile.fields.length === 0
    ? 0
    : printedSize(foldRows(profile.fields, profile, { rows: 0, from: Number.MAX_SAFE_INTEGER }), ROW_LEVEL);

const NAMELESS = { path: '…', parent: '', number: 0, declared: null, writer: null, writers: [], types: [] } as const;

/** The sums of rows, in one row. There is at least one. */
const sumOf = (fields: readonly FieldProfile[], name: string): FieldProfile => ({
  ...fields.reduce(mergeField),
  ...NAMELESS,
  name,
});

const foldRows = (
  fields: readonly FieldProfile[],
  profile: Profile,
  folded: Folded,
): FieldJson & { readonly folded: Folded } => ({
  ...fieldJson(sumOf(fields, `… ${fields.length} more`), profile),
  folded,
});

/** Several types in one, without a name. */
function foldTypes(sections: readonly { readonly profile: Profile }[], folded: Folded): object {
  const profiles = sections.map(({ profile }) => profile);
  const heads = profiles.map((profile) => profileJson({ ...profile, fields: [] }));
  const ledgers: Record<string, LedgerTotals> = {};
  for (const profile of profiles) {
    for (const [id, { label, bytes, own }] of Object.entries(profile.ledgers)) {
      const before = ledgers[id]?.bytes;
      const sum = before === null || bytes === null ? null : (before ?? 0) + bytes;
      const all = Object.values(own).reduce(addCells, ledgers[id]?.own[''] ?? {});
      ledgers[id] = { label, bytes: sum, refused: null, losses: [], own: { '': all } };
    }
  }
  const fields = profiles.flatMap((profile) => profile.fields);
  const sides = profiles.flatMap((profile) => profile.fields.map((field) => ({ field, second: profile.pair[1] })));
  const row =
    fields.length === 0
      ? null
      : fieldJson(sumOf(fields, `… ${fields.length} more`), { pair: [PROTOBUF, null], ledgers });
  return {
    type: '',
    nativeProfile: null,
    messages: sum(heads, ({ messages }) => messages),
    bytes: sumSides(heads.map(({ bytes }) => bytes)),
    header: heads.every(({ header }) => header === null) ? null : sumSides(heads.flatMap(({ header }) => header ?? [])),
    ledgers,
    unattributed: sum(heads, ({ unattributed }) => unattributed),
    fields:
      row === null
        ? []
        : [
            {
              ...row,
              native: {
                ...row.native,
                ...sides.reduce<LedgerCells>(
                  (sum, { field, second }) => addCells(sum, cellsIn(field, second)),
                  row.native,
                ),
              },
              names: { ...row.names, native: sum(sides, ({ field, second }) => field.names[second ?? ''] ?? 0) },
            },
          ],
    folded: { types: sections.length, ...folded },
  };
}

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

const sumSides = (sides: readonly ProfileJson['bytes'][]): ProfileJson['bytes'] => ({
  protobuf: sum(sides, ({ protobuf }) => protobuf),
  native: sum(sides, ({ native }) => native),
});
