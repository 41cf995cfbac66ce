/** The value of a native row, decoded by its layout, and its text form. */

import { printDouble, printFloat } from '../bytes/float-text.ts';
import {
  type AnnotationTable,
  endAt,
  Flag,
  fieldAt,
  flagsAt,
  parentAt,
  payloadCategoryAt,
  payloadStartAt,
  slotAt,
  startAt,
} from '../model/annotation.ts';
import { quoted } from '../model/quoted-text.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';
import { type FieldLayout, type IntForm, NativeSlot } from './layout.ts';
import { decodeCesu8, readNativeInt } from './native-values.ts';
import type { NativeRead } from './read.ts';
import { isSigned } from './wire-values.ts';

export type NativeValue = number | bigint | string | boolean | Uint8Array;

const MAX_TEXT = 80;
const MAX_BYTES = 16;
const NAME = { kind: 'string', body: 'cesu8' } as const;

const isLeaf = (table: AnnotationTable, row: number): boolean =>
  row + 1 === table.length || parentAt(table, row + 1) !== row;

const layoutAt = ({ table, layouts }: NativeRead, row: number): FieldLayout | undefined => {
  const index = fieldAt(table, row);
  return index < 0 ? undefined : layouts[index];
};

/** Whether the row means an absent value. */
export function isAbsentNatively(read: NativeRead, bytes: Uint8Array, row: number): boolean {
  const { table } = read;
  if ((flagsAt(table, row) & Flag.DEFAULT) !== 0) return true;
  if (slotAt(table, row, NativeSlot.FLAG) === 0) return false;
  const flag = bytes[startAt(table, row)];
  return flag === 0 || (flag === 255 && layoutAt(read, row)?.absence === 'minus');
}

/** undefined: a message, a list, or nothing. 64-bit integers are bigints if a number cannot hold them. */
export function nativeValueAt(read: NativeRead, bytes: Uint8Array, row: number): NativeValue | undefined {
  const { table } = read;
  const start = payloadStartAt(table, row);
  const end = endAt(table, row);
  if (!isLeaf(table, row) || payloadCategoryAt(table, row) === 'unattributed') return undefined;
  if (payloadCategoryAt(table, row) === 'type') return textOf(bytes, start, end, NAME);
  const layout = layoutAt(read, row);
  if (layout === undefined || isAbsentNatively(read, bytes, row)) return undefined;
  const isList = layout.count !== undefined && !isElement(read, row, layout.field);
  if (isList) return undefined;
  const { form, field } = layout;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  switch (form.kind) {
    case 'int':
      return intOf(bytes, start, end, form.form, field);
    case 'float': {
      const isLittle = form.order === 'little';
      return form.bytes === 4 ? view.getFloat32(start, isLittle) : view.getFloat64(start, isLittle);
    }
    case 'bool':
      return (bytes[start] === 1) !== (form.inverted === true);
    case 'string':
      return textOf(bytes, start, end, form);
    case 'ended':
      return textOf(bytes, start, end, { body: 'utf8' });
    case 'bytes':
    case 'rest':
    case 'sized':
    case 'content':
      return bytes.subarray(start, end);
    default:
      return undefined;
  }
}

/** An element has the same field as its list. */
const isElement = ({ table }: NativeRead, row: number, field: FieldDescriptor): boolean => {
  const parent = parentAt(table, row);
  const index = parent < 0 ? -1 : fieldAt(table, parent);
  return index >= 0 && table.fields[index] === field && slotAt(table, parent, NativeSlot.COUNT) > 0;
};

function intOf(bytes: Uint8Array, start: number, end: number, form: IntForm, field: FieldDescriptor): number | bigint {
  const { low, high } = readNativeInt(bytes, start, end, form, field.type);
  const top = isSigned(field.type) ? high : high >>> 0;
  const value = top * 2 ** 32 + (low >>> 0);
  return Number.isSafeInteger(value) ? value : (BigInt(top) << 32n) | BigInt(low >>> 0);
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const textOf = (bytes: Uint8Array, start: number, end: number, { body }: { readonly body: string }): string =>
  body === 'cesu8' ? decodeCesu8(bytes.subarray(start, end)).text : decoder.decode(bytes.subarray(start, end));

/** A row's value as text: `"kernel"`, `3 elements`, `absent`. */
export function describeNative(read: NativeRead, bytes: Uint8Array, row: number): string {
  const { table } = read;
  if (payloadCategoryAt(table, row) === 'unattributed' && isLeaf(table, row)) {
    return printBytes(bytes.subarray(payloadStartAt(table, row), endAt(table, row)));
  }
  if (isAbsentNatively(read, bytes, row)) return 'absent';
  const layout = layoutAt(read, row);
  const value = nativeValueAt(read, bytes, row);
  if (value instanceof Uint8Array) return printBytes(value);
  if (typeof value === 'string') {
    const isLong = value.length > MAX_TEXT;
    return isLong ? `${quoted(value.slice(0, MAX_TEXT))}… (${value.length} units)` : quoted(value);
  }
  if (layout?.form.kind === 'float' && typeof value === 'number') {
    const wide = layout.form.bytes === 8;
    // The bits of a NaN are printed with the lowest byte first.
    const bits = bytes.slice(payloadStartAt(table, row), endAt(table, row)).reverse();
    return wide ? printDouble(value, bits, 0) : printFloat(value, bits, 0);
  }
  if (value !== undefined) return nameOf(layout, value);
  return '';
}

function nameOf(layout: FieldLayout | undefined, value: NativeValue): string {
  const name = layout?.field.enum?.values.find(({ number }) => number === value)?.name;
  return name === undefined ? String(value) : `${name} (${String(value)})`;
}

function printBytes(bytes: Uint8Array): string {
  const shown = Array.from(bytes.subarray(0, MAX_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  const size = `${bytes.length} ${bytes.length === 1 ? 'byte' : 'bytes'}`;
  return bytes.length === 0 ? size : `${size}: ${shown}${bytes.length > MAX_BYTES ? ' …' : ''}`;
}
