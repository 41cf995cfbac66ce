/** Validates an untrusted profile: its names and figures, every sum, and that each field comes after its parent. */
import * as v from 'valibot';
import type { AlternativeCost, WriterCost } from '#engine/cost/alternatives.ts';
import { type Profile, sumCells } from '#engine/cost/profile.ts';
import type { WasteRule } from '#engine/cost/waste-rules.ts';
import type { Category } from '#engine/model/annotation.ts';
import { COUNT, NAME, namedRecord } from './shared-values.ts';

/** A profile of one input has at most 17,500; a merged one has more. */
export const MAX_FIELDS = 50_000;

/** A word that is only shown and passed on; unknown words are accepted. */
const word = <T extends string>() => v.custom<T>((value) => typeof value === 'string' && value.length <= 64);

const WIDTHS = v.pipe(
  v.array(COUNT),
  v.check(({ length }) => length === 10),
);

/** Bytes by category. */
const CELLS = namedRecord(word<Category>(), COUNT);
/** By id of the encoding. */
const byEncoding = <T extends v.GenericSchema>(of: T) => namedRecord(NAME, of);

const FIELD = v.strictObject({
  path: NAME,
  parent: NAME,
  name: NAME,
  number: COUNT,
  declared: v.nullable(
    v.strictObject({
      fullName: NAME,
      type: NAME,
      kind: NAME,
      cardinality: v.picklist(['singular', 'repeated', 'map']),
      presence: v.picklist(['explicit', 'implicit', 'required', 'none']),
      packed: v.boolean(),
    }),
  ),
  writer: v.nullable(NAME),
  occurrences: COUNT,
  elements: COUNT,
  packedRuns: COUNT,
  parents: COUNT,
  presence: COUNT,
  ledgers: byEncoding(CELLS),
  absent: COUNT,
  names: byEncoding(COUNT),
  utf16: COUNT,
  widths: v.strictObject({ tag: WIDTHS, length: v.nullable(WIDTHS), value: v.nullable(WIDTHS) }),
  size: v.strictObject({ min: COUNT, max: COUNT }),
  waste: namedRecord(word<WasteRule>(), COUNT),
  writers: v.array(v.strictObject({ writer: word<WriterCost['writer']>(), bytes: COUNT })),
  types: v.array(v.strictObject({ type: word<AlternativeCost['type']>(), bytes: COUNT })),
});

const LEDGER = v.strictObject({
  label: NAME,
  bytes: v.nullable(COUNT),
  refused: v.nullable(NAME),
  losses: v.pipe(v.array(NAME), v.maxLength(100)),
  own: namedRecord(NAME, CELLS),
});

export const SHARED_PROFILE = v.pipe(
  v.strictObject({
    type: NAME,
    pair: v.tuple([NAME, v.nullable(NAME)]),
    other: v.exactOptional(v.strictObject({ label: NAME, isCaptured: v.boolean(), isAlone: v.boolean() })),
    nativeLedger: v.exactOptional(v.nullable(NAME)),
    messages: COUNT,
    ledgers: byEncoding(LEDGER),
    header: v.nullable(byEncoding(COUNT)),
    unattributed: COUNT,
    contents: v.exactOptional(
      v.array(v.strictObject({ field: NAME, type: NAME, count: COUNT, packed: COUNT, native: COUNT, protobuf: COUNT })),
    ),
    fields: v.pipe(v.array(FIELD), v.maxLength(MAX_FIELDS)),
  }),
  v.check((profile) => isTree(profile), 'A field is listed before its parent'),
  v.check((profile) => isPaired(profile), 'The comparison names a ledger that is missing'),
  v.check((profile) => sums(profile), 'The figures do not sum to the bytes'),
) satisfies v.GenericSchema<unknown, Profile>;

function isTree({ fields }: Profile): boolean {
  const paths = new Set(['']);
  return fields.every(({ path, parent, name }) => {
    const isPlaced = !paths.has(path) && paths.has(parent) && path === (parent === '' ? name : `${parent}.${name}`);
    paths.add(path);
    return isPlaced;
  });
}

const isPaired = ({ pair, nativeLedger = null, ledgers }: Profile): boolean =>
  [...pair, nativeLedger].every((id) => id === null || Object.hasOwn(ledgers, id));

/** Each ledger sums to its bytes, and no field has a ledger that the profile does not have. */
function sums({ fields, ledgers }: Profile): boolean {
  const left = new Map(Object.entries(ledgers).map(([id, { bytes }]) => [id, bytes ?? 0]));
  const take = (id: string, cells: Parameters<typeof sumCells>[0]): boolean => {
    const bytes = left.get(id);
    if (bytes !== undefined) left.set(id, bytes - sumCells(cells));
    return bytes !== undefined;
  };
  return (
    Object.entries(ledgers).every(([id, { own }]) => Object.values(own).every((cells) => take(id, cells))) &&
    fields.every((field) => Object.entries(field.ledgers).every(([id, cells]) => take(id, cells))) &&
    [...left.values()].every((bytes) => bytes === 0)
  );
}
