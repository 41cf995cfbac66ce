/** The field that a page selects, and that a picture of one field shows, until a person chooses one. */
import { bytesIn, type FieldProfile, PROTOBUF, type Profile } from './profile.ts';

/** Fields that a table shows without being scrolled. */
const FIRST_FIELDS = 12;

/** The field with the most bytes of its own. */
export function largestPath({ fields }: Profile): string | null {
  let largest: FieldProfile | null = null;
  for (const field of fields) {
    if (field.occurrences > 0 && (!largest || ownBytes(field) > ownBytes(largest))) largest = field;
  }
  return largest?.path ?? null;
}

const ownBytes = (field: FieldProfile): number => bytesIn(field, PROTOBUF);

/**
 * The field, among the first ones, whose two ledgers differ most. Without a second one, the field with the highest cost.
 */
export function defaultFieldPath({ fields, pair: [first, second] }: Profile): string | null {
  const weight = (field: FieldProfile): number => Math.abs(bytesIn(field, first) - bytesIn(field, second));
  let largest: FieldProfile | null = null;
  for (const field of fields.slice(0, FIRST_FIELDS)) {
    if (field.occurrences > 0 && (!largest || weight(field) > weight(largest))) largest = field;
  }
  return largest?.path ?? null;
}
