/** Parses `when` and `chosen_when` of schemas/native/options.proto into a condition on an earlier field. */
import type { FieldDescriptor } from '../schema/descriptor.ts';
import type { Condition, SizedBy } from './layout.ts';
import { Output } from './output.ts';

/** Conditions compare bits as 32-bit integers do, and the last of these is the sign. */
const MOST_MASK = 2 ** 31 - 1;
const CONDITION = /^(!)?(\w+)(?:&(\d+))?(?:(!?=)(-?\d+(?:\|-?\d+)*))?$/;

/** @returns the condition, or the reason why it is not valid */
export function parseCondition(text: string, earlier: readonly FieldDescriptor[]): Condition | string {
  const [, not, name, mask, sign, values] = CONDITION.exec(text.replaceAll(' ', '')) ?? [];
  if (name === undefined || (not !== undefined && sign !== undefined)) {
    return 'must be "field", "!field", "field=1|2" or "field!=1|2", with "field&7" for some of its bits';
  }
  if (mask !== undefined && !(Number(mask) > 0 && Number(mask) <= MOST_MASK)) {
    return `has bits from 1 to ${MOST_MASK}, not ${mask}`;
  }
  const field = earlier.find((candidate) => candidate.name === name);
  if (field === undefined) return `must name an earlier field of the message; "${name}" is not one`;
  const numberless = whyNumberless(field);
  if (numberless !== undefined) return `cannot depend on "${name}": ${numberless}`;
  return {
    field,
    values: values?.split('|').map(Number),
    negated: not !== undefined || sign === '!=',
    ...(mask === undefined ? {} : { mask: Number(mask) }),
  };
}

/** Returns the reason why other fields cannot depend on a field, which has neither a number nor a length that is read. */
function whyNumberless({ cardinality, type, message, content, options }: FieldDescriptor): string | undefined {
  if (options['wirecost.native.write'] === 'NONE') return 'no bytes are written for it';
  if (cardinality !== 'singular') return undefined;
  if (message !== undefined) return 'it is a message';
  if (type === 'float' || type === 'double') return `it is a ${type}`;
  const isNative = content !== undefined && options['wirecost.native.compressed'] !== true;
  return isNative ? 'it has no length of its own' : undefined;
}

const SIZE = /^(2\^)?(\w+)$/;
const CONSTANT = /^\d{1,9}$/;
const MAX_SIZE = 2 ** 31;

/** Parses `sized_by`. @returns the source of the number, or the reason why it is not valid */
export function parseSize(text: string, earlier: readonly FieldDescriptor[]): SizedBy | string {
  if (CONSTANT.test(text)) return { size: Number(text) };
  const [, power, name] = SIZE.exec(text) ?? [];
  if (name === undefined) return 'must be "field", "2^field" or a number';
  const field = earlier.find((candidate) => candidate.name === name);
  if (field === undefined) return `must name an earlier field of the message; "${name}" is not one`;
  const numberless = whyNumberless(field);
  if (numberless !== undefined) return `cannot be "${name}": ${numberless}`;
  return { field, isPower: power !== undefined };
}

/** The field that a size depends on. */
export const sizingField = (by: SizedBy | undefined): FieldDescriptor | undefined =>
  by !== undefined && 'field' in by ? by.field : undefined;

/** The bytes of the STRING that ends a list. */
export function endingOf(text: string): Uint8Array {
  const out = new Output();
  out.int({ kind: 'varint', bits: 32, zigzag: false }, text.length, 0);
  out.cesu8(text);
  return out.finish();
}

/** @param value of the field that the size depends on, as in a condition @returns −1: no size */
export function sizeFrom(by: SizedBy, value: number): number {
  const size = 'size' in by ? by.size : 'isPower' in by && by.isPower ? 2 ** value : value;
  return size >= 0 && size < MAX_SIZE ? Math.floor(size) : -1;
}

/**
 * @param value the number; 0 or 1 for a boolean; the length of text or bytes, as written; the count of a list; 0 if it
 * is absent
 */
export function isConditionMet({ values, negated, mask }: Condition, value: number): boolean {
  const looked = mask === undefined ? value : value & mask;
  return (values === undefined ? looked !== 0 : values.includes(looked)) !== negated;
}
