/** The field that a page selects, and that a picture of one field shows, until a person chooses one. */
import { type FieldProfile, nativeBytesOf, type Profile } from './profile.ts';

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

const ownBytes = ({ protobuf }: FieldProfile): number => protobuf.tag + protobuf.length + protobuf.value;

/**
 * The field, among the first ones, whose encodings differ most. Without a native side, the field with the highest cost.
 */
export function defaultFieldPath({ fields, nativeProfile }: Profile): string | null {
  const weight = (field: FieldProfile): number => {
    const { native } = field;
    const nativeBytes = nativeBytesOf({ native });
    return Math.abs(ownBytes(field) - (nativeProfile === null ? 0 : nativeBytes));
  };
  let largest: FieldProfile | null = null;
  for (const field of fields.slice(0, FIRST_FIELDS)) {
    if (field.occurrences > 0 && (!largest || weight(field) > weight(largest))) largest = field;
  }
  return largest?.path ?? null;
}
