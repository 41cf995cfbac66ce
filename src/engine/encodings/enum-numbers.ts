/** The numbers of an enum's values by name, made once for each enum. */
import type { EnumDescriptor } from '../schema/descriptor.ts';

const known = new WeakMap<EnumDescriptor, ReadonlyMap<string, number>>();

export function enumNumbers(type: EnumDescriptor): ReadonlyMap<string, number> {
  let numbers = known.get(type);
  if (numbers === undefined) {
    numbers = new Map(type.values.map(({ name, number }) => [name, number]));
    known.set(type, numbers);
  }
  return numbers;
}
