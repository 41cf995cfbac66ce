/** A profile that came from outside: its names and figures, each field below a field before it, and every sum. */
import * as v from 'valibot';
import type { TypeCost, WriterCost } from '#engine/cost/alternatives.ts';
import { nativeBytesOf, type Profile } from '#engine/cost/profile.ts';
import type { Category } from '#engine/model/annotation.ts';
import { COUNT, NAME } from './shared-values.ts';

const MAX_FIELDS = 10_000;

/** A word that is only shown and passed on: one that this version does not know does no harm. */
const word = <T extends string>() => v.custom<T>((value) => typeof value === 'string' && value.length <= 64);

const WIDTHS = v.pipe(v.array(COUNT), v.length(10));

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
  protobuf: v.strictObject({ tag: COUNT, length: COUNT, value: COUNT }),
  native: v.strictObject({
    flag: COUNT,
    count: COUNT,
    length: COUNT,
    type: COUNT,
    value: COUNT,
    key: v.exactOptional(COUNT),
    punctuation: v.exactOptional(COUNT),
    quotes: v.exactOptional(COUNT),
    'group-end': v.exactOptional(COUNT),
    unattributed: v.exactOptional(COUNT),
  }),
  absent: COUNT,
  // The first links did not distinguish them.
  names: v.optional(v.strictObject({ protobuf: COUNT, native: COUNT }), { protobuf: 0, native: 0 }),
  utf16: COUNT,
  widths: v.strictObject({ tag: WIDTHS, length: v.nullable(WIDTHS), value: v.nullable(WIDTHS) }),
  size: v.strictObject({ min: COUNT, max: COUNT }),
  waste: v.strictObject({ overlong: COUNT, negative: COUNT, defaults: COUNT }),
  writers: v.array(v.strictObject({ writer: word<WriterCost['writer']>(), bytes: COUNT })),
  types: v.array(v.strictObject({ type: word<TypeCost['type']>(), bytes: COUNT })),
});

const LEDGER = v.strictObject({
  label: NAME,
  bytes: v.nullable(COUNT),
  refused: v.nullable(NAME),
  losses: v.pipe(v.array(NAME), v.maxLength(100)),
  fields: v.record(NAME, v.record(word<Category>(), COUNT)),
});

export const SHARED_PROFILE = v.pipe(
  v.strictObject({
    type: NAME,
    nativeProfile: v.nullable(NAME),
    other: v.exactOptional(v.strictObject({ label: NAME, isCaptured: v.boolean(), isAlone: v.boolean() })),
    messages: COUNT,
    bytes: v.strictObject({ protobuf: COUNT, native: COUNT }),
    ledgers: v.record(NAME, LEDGER),
    header: v.optional(v.nullable(v.strictObject({ protobuf: COUNT, native: COUNT })), null),
    unattributed: COUNT,
    fields: v.pipe(v.array(FIELD), v.maxLength(MAX_FIELDS)),
  }),
  v.check((profile) => isTree(profile), 'A field has no parent before it'),
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

function sums({ fields, bytes, unattributed, ledgers }: Profile): boolean {
  for (const ledger of Object.values(ledgers)) {
    const cells = Object.values(ledger.fields).flatMap((field) => Object.values(field));
    if (cells.reduce((sum, count) => sum + count, 0) !== (ledger.bytes ?? 0)) return false;
  }
  let protobuf = unattributed;
  let native = 0;
  for (const field of fields) {
    const { tag, length, value } = field.protobuf;
    protobuf += tag + length + value;
    native += nativeBytesOf(field);
  }
  return protobuf === bytes.protobuf && native === bytes.native;
}
