/** Proposals for times that are shorter as a number: google.protobuf.Timestamp and Duration, RFC 3339 text. */
import type { TypeChange } from '../change.ts';
import {
  DIGITS,
  DURATION,
  messageTime,
  TIMESTAMP,
  type TimeUnit,
  textTime,
  textValue,
  UNITS,
  zoneOf,
} from '../conversions/times.ts';
import type { FieldUse, FieldValues } from '../uses.ts';
import { integer, type TreeNode, type TreeValue } from '../value-tree.ts';
import { scalarWidth, writeTree } from '../write-tree.ts';
import { grouped, namesOf, type Propose } from './proposal.ts';

export const times: Propose = (uses) => {
  const changes = new Map<FieldUse, TypeChange>();
  for (const use of uses.fields) {
    const change = use.field.type === 'string' ? textChange(use) : messageChange(use, uses);
    if (change !== undefined) changes.set(use, change);
  }
  return grouped([...changes.keys()], (some) => ({
    title: `Write ${namesOf(some)} as ${[...new Set(some.map((use) => numberOf(changes.get(use)!)))].join(' or ')}`,
    changes: some.map((use) => changes.get(use)!),
  }));
};

/** `int64 of milliseconds since 1970` */
const numberOf = ({ to, value = '' }: TypeChange): string =>
  `${to.replace('optional ', '')} of ${value.slice(value.lastIndexOf(' as ') + 1).replace('as ', '')}`;

/** Minimum number of different times. Fewer may be whole seconds or milliseconds by chance. */
const MIN_DIFFERENT = 3;

function messageChange({ message, field, lists }: FieldUse, { forms }: FieldValues): TypeChange | undefined {
  const { typeName = '' } = field;
  if ((typeName !== TIMESTAMP && typeName !== DURATION) || field.type !== 'message') return undefined;
  if (field.name.startsWith('[')) return undefined;
  const values = lists.flat();
  const width = (value: TreeValue): number => {
    const { length } = writeTree(value as TreeNode, forms).bytes;
    return scalarWidth(length, 'uint64') + length;
  };
  const chosen = choose(values, messageTime(typeName).to, width);
  if (chosen === undefined) return undefined;
  const isLabelled = field.cardinality === 'singular' && field.oneof === undefined && !forms.get(message)!.isMapEntry;
  return {
    change: 'type',
    message,
    field: field.name,
    from: typeName,
    to: `${isLabelled ? 'optional ' : ''}${chosen.type}`,
    value: `${chosen.unit}${typeName === TIMESTAMP ? ' since 1970' : ''}`,
  };
}

function textChange({ message, field, lists }: FieldUse): TypeChange | undefined {
  const values = lists.flat() as readonly Uint8Array[];
  const zone = zoneOf(values[0]!);
  if (zone === undefined) return undefined;
  for (const digits of DIGITS) {
    const chosen = choose(values, textTime(digits, zone).to, (value) => scalarWidth(value as Uint8Array, 'string'));
    if (chosen === undefined) continue;
    const value = textValue(digits, zone, chosen.unit);
    return { change: 'type', message, field: field.name, from: 'string', to: chosen.type, value };
  }
  return undefined;
}

/** The coarsest exact unit and the type with the fewest bytes; undefined: nothing is saved, or no unit is exact. */
function choose(
  values: readonly TreeValue[],
  toNanoseconds: (value: TreeValue) => bigint | undefined,
  width: (value: TreeValue) => number,
): { readonly unit: TimeUnit; readonly type: 'int64' | 'sint64' | 'sfixed64' } | undefined {
  const nanoseconds: bigint[] = [];
  for (const value of values) {
    const one = toNanoseconds(value);
    if (one === undefined) return undefined;
    nanoseconds.push(one);
  }
  const isEvidence = new Set(nanoseconds).size >= MIN_DIFFERENT;
  const units = isEvidence ? (Object.keys(UNITS) as TimeUnit[]) : (['nanoseconds'] as const);
  const unit = units.find((one) => nanoseconds.every((time) => time % UNITS[one] === 0n))!;
  const numbers = nanoseconds.map((time) => integer(time / UNITS[unit]));
  const varint = numbers.some((number) => number < 0) ? 'sint64' : 'int64';
  const before = values.reduce((sum: number, value) => sum + width(value), 0);
  const after = (type: 'int64' | 'sint64' | 'sfixed64'): number =>
    numbers.reduce((sum: number, number) => sum + scalarWidth(number, type), 0);
  const type = after(varint) <= after('sfixed64') ? varint : 'sfixed64';
  return after(type) < before ? { unit, type } : undefined;
}
