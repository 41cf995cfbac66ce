/** `when` and `chosen_when` of schemas/native/options.proto: text to a condition on an earlier field. */
import type { FieldDescriptor } from '../schema/descriptor.ts';
import type { Condition, SizedBy } from './layout.ts';

const CONDITION = /^(!)?(\w+)(?:(!?=)(-?\d+(?:\|-?\d+)*))?$/;

/** @returns the condition, or the reason why it is not valid */
export function parseCondition(text: string, earlier: readonly FieldDescriptor[]): Condition | string {
  const [, not, name, sign, values] = CONDITION.exec(text.replaceAll(' ', '')) ?? [];
  if (name === undefined || (not !== undefined && sign !== undefined)) {
    return 'must be "field", "!field", "field=1|2" or "field!=1|2"';
  }
  const field = earlier.find((candidate) => candidate.name === name);
  if (field === undefined) return `must name an earlier field of the message; "${name}" is not one`;
  if (field.message !== undefined && field.cardinality === 'singular') return `cannot depend on the message "${name}"`;
  return {
    field,
    values: values?.split('|').map(Number),
    negated: not !== undefined || sign === '!=',
  };
}

const SIZE = /^(2\^)?(\w+)$/;
const MAX_SIZE = 2 ** 31;

/** `sized_by`. @returns the field that gives the number, or the reason why it is not valid */
export function parseSize(text: string, earlier: readonly FieldDescriptor[]): SizedBy | string {
  const [, power, name] = SIZE.exec(text) ?? [];
  if (name === undefined) return 'must be "field" or "2^field"';
  const field = earlier.find((candidate) => candidate.name === name);
  if (field === undefined) return `must name an earlier field of the message; "${name}" is not one`;
  if (field.message !== undefined && field.cardinality === 'singular') return `cannot be the message "${name}"`;
  return { field, isPower: power !== undefined };
}

/** @param value as a condition has it @returns −1: no size */
export function sizeFrom({ isPower }: SizedBy, value: number): number {
  const size = isPower ? 2 ** value : value;
  return size >= 0 && size < MAX_SIZE ? Math.floor(size) : -1;
}

/** @param value the number, 0 or 1 of a boolean, the length of text or bytes as it is written, the count of a list; 0 if it is absent */
export const holds = ({ values, negated }: Condition, value: number): boolean =>
  (values === undefined ? value !== 0 : values.includes(value)) !== negated;
