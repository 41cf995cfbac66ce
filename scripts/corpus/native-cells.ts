/** A native table as the spans that its rows are made of, each with what was read in it. */

import { printFloat } from '#engine/bytes/float-text.ts';
import { endAt, fieldAt, flagsAt, parentAt, payloadCategoryAt, slotAt, startAt } from '#engine/model/annotation.ts';
import { type FieldLayout, type IntForm, NativeSlot } from '#engine/native/layout.ts';
import { decodeCesu8, readNativeInt } from '#engine/native/native-values.ts';
import type { NativeRead } from '#engine/native/read.ts';

export interface Cell {
  readonly start: number;
  readonly end: number;
  /** As a trace has it: a number, a boolean's byte, a text, 64-bit integers as text, bytes as hex. */
  readonly value: unknown;
  /** The following cells describe its bytes in detail. */
  readonly isOuter: boolean;
  /** All bytes to the end, which no layout describes. */
  readonly isRest?: boolean;
}

const SLOTS = [NativeSlot.FLAG, NativeSlot.TYPE, NativeSlot.COUNT, NativeSlot.LENGTH] as const;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

export function cellsOf(bytes: Uint8Array, { table, layouts }: NativeRead): readonly Cell[] {
  const cells: Cell[] = [];
  const int = (start: number, end: number, form: IntForm) => readNativeInt(bytes, start, end, form, 'int32').low;
  for (let row = 0; row < table.length; row++) {
    const index = fieldAt(table, row);
    const layout = index < 0 ? undefined : layouts[index];
    const isName = payloadCategoryAt(table, row) === 'type';
    let at = startAt(table, row);
    for (const slot of SLOTS) {
      const size = slotAt(table, row, slot);
      if (size === 0) continue;
      // A count written twice is two calls.
      const parts = slot === NativeSlot.COUNT && layout?.countTwice === true && size > 1 ? 2 : 1;
      for (let part = 0; part < parts; part++) {
        const form = formOfSlot(slot, layout);
        const end = at + size / parts;
        const flag = layout?.absence === 'minus' ? (bytes[at]! << 24) >> 24 : bytes[at];
        const value = form === undefined ? flag : int(at, end, form);
        cells.push({ start: at, end, value, isOuter: false });
        at = end;
      }
    }
    const end = endAt(table, row);
    const isLeaf = row + 1 === table.length || parentAt(table, row + 1) !== row;
    if (row === 0 || (end === at && !isLeaf)) continue;
    if (end === at && (layout === undefined || !isText(layout) || (flagsAt(table, row) & 0x4000) !== 0)) continue;
    // A string that ends a list: its length and its characters.
    const isEnding = isLeaf && end > at && layout?.sizedBy !== undefined && 'until' in layout.sizedBy;
    if (isEnding && payloadCategoryAt(table, row) === 'count') {
      cells.push({ start: at, end: at + 1, value: bytes[at], isOuter: false });
      at++;
      cells.push({ start: at, end, value: decodeCesu8(bytes.subarray(at, end)).text, isOuter: false });
    } else if (isName) cells.push({ start: at, end, value: decodeCesu8(bytes.subarray(at, end)).text, isOuter: false });
    else if (isLeaf) {
      const isRest = layout?.form.kind === 'rest';
      cells.push({ start: at, end, value: valueIn(bytes, at, end, layout), isOuter: false, isRest });
    }
  }
  return cells;
}

const isText = ({ form }: FieldLayout): boolean => form.kind === 'string' || form.kind === 'bytes';

function formOfSlot(slot: number, layout: FieldLayout | undefined): IntForm | undefined {
  const form = layout?.form;
  if (slot === NativeSlot.COUNT) return layout?.count;
  if (slot === NativeSlot.TYPE && layout?.choice?.form.kind === 'int') return layout.choice.form.form;
  if (slot !== NativeSlot.LENGTH) return undefined;
  if (layout?.choice?.form.kind === 'string' && form?.kind === 'message') return layout.choice.form.length;
  return form?.kind === 'string' || form?.kind === 'bytes' || form?.kind === 'message' ? form.length : undefined;
}

function valueIn(bytes: Uint8Array, start: number, end: number, layout: FieldLayout | undefined): unknown {
  if (layout === undefined) return undefined;
  const { form, field } = layout;
  const body = bytes.subarray(start, end);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  switch (form.kind) {
    case 'int': {
      const { low, high } = readNativeInt(bytes, start, end, form.form, field.type);
      const value = (BigInt(high) << 32n) | BigInt(low >>> 0);
      return Number(value) === low ? low : String(value);
    }
    case 'float': {
      const value = form.bytes === 4 ? view.getFloat32(start) : view.getFloat64(start);
      if (!Number.isFinite(value)) return String(value);
      return form.bytes === 4 ? Number(printFloat(value, bytes, start)) : value;
    }
    case 'bool':
      return body[0];
    case 'string':
      return form.body === 'cesu8' ? decodeCesu8(body).text : new TextDecoder().decode(body);
    default:
      return hex(body);
  }
}
