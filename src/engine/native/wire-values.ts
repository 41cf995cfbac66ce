/** Reads values of protobuf records, so that they can be written in another form. */

import { int32 } from '../bytes/integers.ts';
import { varintHigh, varintLow } from '../bytes/varint.ts';
import type { FieldType } from '../schema/descriptor.ts';
import type { IntForm } from './layout.ts';
import type { Int64 } from './output.ts';

/** Size of the varint at `at`. The bytes must hold a complete varint. */
export function varintSize(bytes: Uint8Array, at: number): number {
  let width = 1;
  while (width < 10 && bytes[at + width - 1]! >= 128) width++;
  return width;
}

/** The integer, boolean or enum value in bytes[start, end), as a value of its type, sign-extended to 64 bits. */
export function readInteger(bytes: Uint8Array, start: number, end: number, type: FieldType): Int64 {
  switch (type) {
    case 'fixed64':
    case 'sfixed64':
      return { low: int32(bytes, start), high: int32(bytes, start + 4) };
    case 'fixed32':
      return { low: int32(bytes, start), high: 0 };
    case 'sfixed32': {
      const low = int32(bytes, start);
      return { low, high: low >> 31 };
    }
    default:
      return fromVarint({ low: varintLow(bytes, start, end), high: varintHigh(bytes, start, end) }, type);
  }
}

function fromVarint({ low, high }: Int64, type: FieldType): Int64 {
  switch (type) {
    case 'int32':
    case 'enum':
      return { low, high: low >> 31 };
    case 'uint32':
      return { low, high: 0 };
    case 'bool':
      return { low: low === 0 && high === 0 ? 0 : 1, high: 0 };
    case 'sint32': {
      const value = (low >>> 1) ^ -(low & 1);
      return { low: value, high: value >> 31 };
    }
    case 'sint64': {
      const sign = -(low & 1);
      return { low: ((low >>> 1) | (high << 31)) ^ sign, high: (high >>> 1) ^ sign };
    }
    default:
      return { low, high };
  }
}

/** The low 64 bits of an integer. */
export function halvesOf(value: number | bigint | boolean): Int64 {
  if (typeof value === 'bigint') {
    return { low: Number(BigInt.asIntN(32, value)), high: Number(BigInt.asIntN(32, value >> 32n)) };
  }
  const integer = Number(value);
  return { low: integer | 0, high: Math.floor(integer / 2 ** 32) | 0 };
}

/** The varint that protobuf writes for a value: the inverse of reading it. */
export function toVarint({ low, high }: Int64, type: FieldType): Int64 {
  switch (type) {
    case 'sint32':
      return { low: (low << 1) ^ (low >> 31), high: 0 };
    case 'sint64':
      return { low: (low << 1) ^ (high >> 31), high: ((high << 1) | (low >>> 31)) ^ (high >> 31) };
    case 'int32':
    case 'enum':
      return { low, high: low >> 31 };
    case 'uint32':
    case 'bool':
      return { low, high: 0 };
    default:
      return { low, high };
  }
}

export const isSigned = (type: FieldType): boolean =>
  !type.startsWith('u') && !type.startsWith('fixed') && type !== 'bool';

/** Whether the bytes of a form decode to the same value. */
export function fits(form: IntForm, signed: boolean, low: number, high: number): boolean {
  const bits = form.kind === 'fixed' ? form.bytes * 8 : form.bits;
  if (bits === 64) return true;
  if (signed) {
    const inLow = bits === 32 || (low >= -(2 ** (bits - 1)) && low < 2 ** (bits - 1));
    return inLow && high === low >> 31;
  }
  return high === 0 && (bits === 32 || (low >= 0 && low < 2 ** bits));
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes UTF-8. Invalid bytes become U+FFFD, as in Java's decoder. */
export const decodeUtf8 = (bytes: Uint8Array): string => decoder.decode(bytes);
