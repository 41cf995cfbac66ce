/** All conversions of values: one file and one row here for each. */
import { ImpossibleChange, type TypeChange } from '../change.ts';
import type { FieldEncodings, FieldForm } from '../forms.ts';
import { bytePlanes } from './byte-planes.ts';
import type { Conversion, Mapping } from './conversion.ts';
import { delta } from './delta.ts';
import { duration } from './duration.ts';
import { onlyField } from './only-field.ts';
import { plain } from './plain.ts';
import { scaled } from './scaled.ts';
import { shifted } from './shifted.ts';
import { spelled } from './spelled.ts';
import { times } from './times.ts';

const CONVERSIONS: readonly Conversion[] = [
  plain,
  onlyField,
  spelled,
  times,
  delta,
  duration,
  shifted,
  scaled,
  bytePlanes,
];

/** The other field whose values a conversion needs as they were. */
export function otherFieldOf(change: TypeChange, forms: FieldEncodings): string | undefined {
  for (const { otherField } of CONVERSIONS) {
    const other = otherField?.(change, forms);
    if (other !== undefined) return other;
  }
  return undefined;
}

/** @throws ImpossibleChange */
export function mappingOf(change: TypeChange, from: FieldForm, to: FieldForm): Mapping {
  for (const conversion of CONVERSIONS) {
    const mapping = conversion.read(change, from, to);
    if (mapping !== undefined) return mapping;
  }
  const how = change.value === undefined ? '' : ` by "${change.value}"`;
  throw new ImpossibleChange(`${change.message}.${change.field} cannot become ${change.to} from ${change.from}${how}`);
}
