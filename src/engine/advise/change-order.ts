/**
 * The order in which a set of changes is applied: by kind (changes/changes.ts), and as the schema declares the fields.
 * A change follows those that make the field or the type that it names, and those that need the field's values as they
 * were. The order of the choice has no effect.
 */
import type { Change, ChangedField } from './change.ts';
import { kindOf, rankOf } from './changes/changes.ts';
import { joinTables } from './changes/symbol-table.ts';
import { otherFieldOf } from './conversions/conversions.ts';
import type { FieldEncodings } from './forms.ts';

export function inOrder(changes: readonly Change[], forms: FieldEncodings): readonly Change[] {
  const sorted = sortByPlace(joinTables(changes), forms);
  const makers = new Map<string, Change[]>();
  for (const change of sorted) {
    for (const made of madeBy(change, forms)) makers.set(made, [...(makers.get(made) ?? []), change]);
  }
  const placed = new Set<Change>();
  const ordered: Change[] = [];
  const place = (change: Change): void => {
    if (placed.has(change)) return;
    placed.add(change);
    for (const needed of neededBy(change, forms)) for (const maker of makers.get(needed) ?? []) place(maker);
    ordered.push(change);
  };
  for (const change of sorted) place(change);
  return ordered;
}

function sortByPlace(changes: readonly Change[], forms: FieldEncodings): readonly Change[] {
  if (changes.length < 2) return changes;
  const messages = new Map([...forms.registry.messages.keys()].map((name, at) => [name, at]));
  const placed = changes.map((change) => {
    const { message = '', field = '' }: Partial<ChangedField> = 'message' in change ? change : {};
    const number = forms.field(message, field)?.number ?? Number.MAX_SAFE_INTEGER;
    return { change, place: [rankOf(change), messages.get(message) ?? 0, number], text: JSON.stringify(change) };
  });
  placed.sort((a, b) => {
    const at = a.place.findIndex((part, index) => part !== b.place[index]);
    return at < 0 ? Number(a.text > b.text) - Number(a.text < b.text) : a.place[at]! - b.place[at]!;
  });
  return placed.map(({ change }) => change);
}

const nameOf = ({ message, field }: ChangedField): string => `${message}.${field}`;

/** `optional` and `repeated` may stand before a type. */
const stateOf = (change: Extract<Change, { change: 'type' | 'number' }>, state: string | number): string =>
  `${change.change} ${nameOf(change)} ${String(state).replace(/^.* /, '')}`;

/** Some change has read the values of a field as they were. */
const readBefore = (field: ChangedField): string => `read ${nameOf(field)}`;

function madeBy(change: Change, forms: FieldEncodings): readonly string[] {
  if (change.change === 'number') return [stateOf(change, change.to)];
  if (change.change !== 'type') return (kindOf(change).adds?.(change) ?? []).map(nameOf);
  const other = otherFieldOf(change, forms);
  const { message } = change;
  return [stateOf(change, change.to), ...(other === undefined ? [] : [readBefore({ message, field: other })])];
}

function neededBy(change: Change, forms: FieldEncodings): readonly string[] {
  const fields = kindOf(change).touches(change, forms).map(nameOf);
  if (change.change === 'number') return [...fields, stateOf(change, change.from)];
  return change.change === 'type' ? [...fields, stateOf(change, change.from), readBefore(change)] : fields;
}
