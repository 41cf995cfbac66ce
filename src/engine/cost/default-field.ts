/** The field that is selected by default, in the page and in pictures of one field. */
import { bytesIn, capturedLedger, type FieldProfile, type Profile } from './profile.ts';

/** Number of fields that a table shows without scrolling. */
const FIRST_FIELDS = 12;

/** The field with the most bytes of its own, as captured; null: no field has bytes. Rows that fields share are none. */
export function largestField(profile: Profile): { readonly field: FieldProfile; readonly bytes: number } | null {
  const captured = capturedLedger(profile);
  let largest: ReturnType<typeof largestField> = null;
  for (const field of profile.fields) {
    const bytes = bytesIn(field, captured);
    if (bytes > (largest?.bytes ?? 0) && !field.name.startsWith('?0')) largest = { field, bytes };
  }
  return largest;
}

/**
 * The one of the first fields whose two ledgers differ most. Without a second ledger, the one with the highest cost.
 */
export function defaultFieldPath({ fields, pair: [first, second] }: Profile): string | null {
  const weight = (field: FieldProfile): number => Math.abs(bytesIn(field, first) - bytesIn(field, second));
  let largest: FieldProfile | null = null;
  for (const field of fields.slice(0, FIRST_FIELDS)) {
    if (field.occurrences > 0 && (!largest || weight(field) > weight(largest))) largest = field;
  }
  return largest?.path ?? null;
}
