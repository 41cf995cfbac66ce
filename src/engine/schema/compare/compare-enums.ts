/** Two versions of an enum: its values by name, then by number. */
import type { EnumDescriptor } from '../descriptor.ts';
import { MAX_ENUM_NUMBER } from '../link/rules.ts';
import { comparePlain, NEW_NAME } from './compare-fields.ts';
import { compareReserved } from './compare-reserved.ts';
import { changeOf, JSON_FORMAT, reason, type SymbolChange, UNCOMPILED, type ValueChange } from './symbol-change.ts';
import { compatibilityOf, type DifferenceReason, EXCHANGED_SIDES, sidesOf } from './verdicts.ts';

export function compareEnums(a: EnumDescriptor, b: EnumDescriptor): SymbolChange | undefined {
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
      const text = b.closed
        ? 'Readers put the number among the unknown fields, as if the field were absent.'
        : 'Readers keep the number, but have no name for it.';
      const isReserved = b.reservedRanges.some(({ start, end }) => value.number >= start && value.number < end);
      const isNameReserved = b.reservedNames.includes(value.name);
      add(
        'removed',
        value,
        undefined,
        reason('conditional', isReserved ? text : `${text} It is not reserved either.`, 'binary'),
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
    const text = a.closed
      ? 'Old readers put a number they do not know among the unknown fields, as if the field were absent.'
      : 'Old readers keep the number, but have no name for it.';
    const bytes = isAlias ? 'Another name of a known number.' : text;
    add('added', undefined, value, reason('safe', bytes, 'binary'), reason('conditional', NEW_NAME, 'json'));
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
