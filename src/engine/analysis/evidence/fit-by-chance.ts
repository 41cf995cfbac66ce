/**
 * The probability that a record of any message fits a type by chance. A fit that is likely by chance proves little: a
 * type that has all small numbers, a bytes field, a packed run. The shares were counted over the records of the corpus
 * and rounded; only their order of magnitude matters.
 */
import type { FieldDescriptor, MessageDescriptor } from '../../schema/descriptor.ts';

/** Shares of the field numbers 1, 2, 3 … among all records. */
const NUMBERS = [0.3, 0.2, 0.12, 0.09, 0.06, 0.045, 0.035, 0.03, 0.025, 0.02, 0.01, 0.01, 0.008, 0.008, 0.007];
const numberShare = (number: number): number => NUMBERS[number - 1] ?? Math.min(0.005, 0.2 / number ** 1.5);

/** Its texts are checked. */
export const ANY_TYPE_URL = 'google.protobuf.Any.type_url';

/** Bits of evidence for a field from a record whose contents match the field's type. */
export function contentBits({ type, cardinality, enum: values, fullName }: FieldDescriptor, isPacked: boolean): number {
  if (isPacked) return type === 'double' || type === 'float' ? 2 : 0.5;
  if (cardinality === 'map') return 2.5;
  switch (type) {
    case 'message':
      return 2.5;
    case 'group':
      return 5;
    case 'string':
      return fullName === ANY_TYPE_URL ? 6 : 2;
    case 'bytes':
      return 0.5;
    case 'bool':
      return 1.5;
    case 'enum':
      return values !== undefined && values.values.length < 30 ? 2 : 1.2;
    case 'double':
    case 'float':
      return 4.5;
    case 'fixed64':
    case 'sfixed64':
    case 'fixed32':
    case 'sfixed32':
      return 3.5;
    default:
      return 1;
  }
}

const known = new WeakMap<MessageDescriptor, number>();

/** Bits of evidence for a message type from a known field number: few bits if the type has most small numbers. */
export function numberBits(type: MessageDescriptor): number {
  let bits = known.get(type);
  if (bits === undefined) {
    let share = 0;
    for (const { number } of type.fields) share += numberShare(number);
    for (const number of type.extensions.keys()) share += numberShare(number);
    bits = -Math.log2(Math.min(1, Math.max(0.01, share)));
    known.set(type, bits);
  }
  return bits;
}

/** Factor of the bits for repeated evidence. It grows slowly, because occurrences of one field are not independent. */
export const growth = (occurrences: number): number => 1 + Math.min(1.5, Math.log2(occurrences) / 6);
