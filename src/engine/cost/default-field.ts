/** The field that a page selects, and that a picture of one field shows, until a person chooses one. */
import type { FieldProfile, Profile } from './profile.ts';

/** Fields that a table shows without being scrolled. */
const FIRST_FIELDS = 12;

/** What costs most itself. */
export function largestPath({ fields }: Profile): string | null {
  let largest: FieldProfile | null = null;
  for (const field of fields) {
    if (field.occurrences > 0 && (!largest || ownBytes(field) > ownBytes(largest))) largest = field;
  }
  return largest?.path ?? null;
}

const ownBytes = ({ protobuf }: FieldProfile): number => protobuf.tag + protobuf.length + protobuf.value;

/**
 * What to show first, of the fields that are seen first: where the encodings differ most, or, without a native side,
 * what costs most.
 */
export function tellingPath({ fields, nativeProfile }: Profile): string | null {
  const weight = (field: FieldProfile): number => {
    const { native } = field;
    const nativeBytes = native.flag + native.count + native.length + native.type + native.value;
    return Math.abs(ownBytes(field) - (nativeProfile === null ? 0 : nativeBytes));
  };
  let telling: FieldProfile | null = null;
  for (const field of fields.slice(0, FIRST_FIELDS)) {
    if (field.occurrences > 0 && (!telling || weight(field) > weight(telling))) telling = field;
  }
  return telling?.path ?? null;
}
