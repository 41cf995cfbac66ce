/** Two versions of an enum: its values by name, then by number. */
import type { EnumDescriptor, FieldDescriptor } from '../descriptor.ts';
import { MAX_ENUM_NUMBER } from '../link/rules.ts';
import { comparePlain, NEW_NAME } from './compare-fields.ts';
import { compareReserved } from './compare-reserved.ts';
import { changeOf, JSON_FORMAT, reason, type SymbolChange, UNCOMPILED, type ValueChange } from './symbol-change.ts';
import type { CompatibilityLevel } from './type-verdicts.ts';
import { compatibilityOf, type DifferenceReason, EXCHANGED_SIDES, sidesOf } from './verdicts.ts';

/** Fields of the type, in the version of the type. */
export type UsersOf = (type: EnumDescriptor) => readonly FieldDescriptor[];

export function compareEnums(a: EnumDescriptor, b: EnumDescriptor, usersOf: UsersOf): SymbolChange | undefined {
  const values: ValueChange[] = [];
  const add = (
    kind: ValueChange['kind'],
    before: { readonly name: string; readonly number: number } | undefined,
    after: { readonly name: string; readonly number: number } | undefined,
    ...found: readonly DifferenceReason[]
  ) =>
    values.push({
      kind,
      before: before && `${before.name} = ${before.number}`,
      after: after && `${after.name} = ${after.number}`,
      verdict: compatibilityOf(found),
      sides: sidesOf(found),
      reasons: found,
    });
  const oldNames = new Map(a.values.map((value) => [value.name, value]));
  const newNames = new Map(b.values.map((value) => [value.name, value]));
  const newNumbers = new Map(b.values.map((value) => [value.number, value]));
  const renamed = new Set<string>();
  for (const value of a.values) {
    const same = newNames.get(value.name);
    if (same !== undefined) {
      if (same.number !== value.number) {
        const text = `Old messages mean "${value.name}" by ${value.number}.`;
        add('renumbered', value, same, reason('unsafe', text, 'binary'));
      }
      continue;
    }
    const other = newNumbers.get(value.number);
    if (other === undefined) {
      const isReserved = b.reservedRanges.some(({ start, end }) => value.number >= start && value.number < end);
      const isNameReserved = b.reservedNames.includes(value.name);
      add(
        'removed',
        value,
        undefined,
        ...unlisted('New readers', b, usersOf, 'conditional', isReserved ? '' : ' It is not reserved either.'),
        reason(
          'conditional',
          `JSON with the name is refused.${isNameReserved ? '' : ' The name is not reserved.'}`,
          'json',
        ),
        UNCOMPILED,
      );
    } else if (!oldNames.has(other.name) && !renamed.has(other.name)) {
      renamed.add(other.name);
      add(
        'renamed',
        value,
        other,
        reason('conditional', 'The same number on the wire; JSON and text hold the name.', 'json'),
        UNCOMPILED,
      );
    } else {
      const text = `Its number has the name "${other.name}" still. JSON with this name is refused.`;
      add('removed', value, undefined, reason('conditional', text, 'json'), UNCOMPILED);
    }
  }
  for (const value of b.values) {
    if (oldNames.has(value.name) || renamed.has(value.name)) continue;
    const isAlias = a.values.some(({ number }) => number === value.number);
    const read = isAlias
      ? [reason('safe', 'Another name of a known number.', 'binary')]
      : unlisted('Old readers', a, usersOf, 'safe');
    add('added', undefined, value, ...read, reason('conditional', NEW_NAME, 'json'));
  }
  const reasons: DifferenceReason[] = [...compareReserved(a, b, MAX_ENUM_NUMBER)];
  comparePlain(a.plain, b.plain, { 'features.json_format': JSON_FORMAT }, (...found) => reasons.push(reason(...found)));
  if (a.closed !== b.closed) {
    const text = `It was ${a.closed ? 'closed' : 'open'} and is ${b.closed ? 'closed' : 'open'}: readers treat numbers without a name differently.`;
    reasons.push(reason('conditional', text, ...EXCHANGED_SIDES, 'source'));
  }
  const [first, other] = [a.values[0]?.number, b.values[0]?.number];
  if (first !== other && first !== undefined && other !== undefined) {
    reasons.push(
      reason('conditional', `The default was ${first} and is ${other}: an absent field means another value.`),
    );
  }
  return changeOf(a, b, reasons, { values });
}

/**
 * Readers of a number that their version of an enum does not list.
 * https://protobuf.dev/programming-guides/enum/#definitions
 *
 * @param readers `Old readers` @param open the verdict if the enum is open
 */
function unlisted(
  readers: string,
  type: EnumDescriptor,
  usersOf: UsersOf,
  open: CompatibilityLevel,
  more = '',
): readonly DifferenceReason[] {
  if (!type.closed) return [reason(open, `${readers} keep the number, but have no name for it.${more}`, 'binary')];
  const fields = usersOf(type);
  const entry = fields.some(({ parent }) => parent.isMapEntry) ? ', and of a map the whole entry' : '';
  const text = `${readers} put the number among the unknown fields, as if the field were absent${entry}.${more}`;
  const required = fields.find(({ presence }) => presence === 'required');
  const refused = `${readers} refuse messages with it in "${required?.fullName}", which is required.`;
  return [
    reason('conditional', text, 'binary'),
    ...(required === undefined ? [] : [reason('unsafe', refused, 'binary')]),
  ];
}
