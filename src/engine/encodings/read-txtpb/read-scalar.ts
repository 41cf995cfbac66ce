/** Scalars of protobuf's text format → the values of a field's type. protobuf.dev/reference/protobuf/textformat-spec#value */
import { floatBytes } from '../../bytes/float-bytes.ts';
import type { EnumDescriptor, FieldDescriptor } from '../../schema/descriptor.ts';
import { integerOf, numberOf } from '../../schema/text/literal.ts';
import { enumNumbers } from '../enum-numbers.ts';
import type { Scalar } from '../message-value.ts';
import type { RawScalar } from './txtpb-cursor.ts';

const BOOLS: Readonly<Record<string, boolean>> = {
  true: true,
  True: true,
  t: true,
  false: false,
  False: false,
  f: false,
};

/** undefined: the field's type cannot have the value. */
export function readScalar(field: FieldDescriptor, raw: RawScalar): Scalar | undefined {
  const { type } = field;
  switch (type) {
    case 'string':
    case 'bytes':
      return raw.kind === 'string' ? raw.bytes : undefined;
    case 'bool': {
      if (raw.kind === 'identifier') return Object.hasOwn(BOOLS, raw.text) ? BOOLS[raw.text] : undefined;
      const number = integerOf(raw, 'uint32');
      return number === 0n ? false : number === 1n ? true : undefined;
    }
    case 'enum':
      return enumValue(field.enum!, raw);
    case 'float':
    case 'double': {
      const number = numberOf(raw, true);
      return number === undefined ? undefined : floatBytes(number, type);
    }
    case 'message':
    case 'group':
      return undefined;
    default: {
      const number = integerOf(raw, type);
      return number === undefined || type.endsWith('64') ? number : Number(number);
    }
  }
}

function enumValue(type: EnumDescriptor, raw: RawScalar): number | undefined {
  if (raw.kind === 'number') {
    const number = integerOf(raw, 'int32');
    const isKnown = !type.closed || type.values.some((value) => BigInt(value.number) === number);
    return number === undefined || !isKnown ? undefined : Number(number);
  }
  if (raw.kind !== 'identifier') return undefined;
  return enumNumbers(type).get(raw.text);
}
