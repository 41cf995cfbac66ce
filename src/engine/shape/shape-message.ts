/**
 * A message → its shape: every tag, length and end tag is unchanged, and every value is replaced by filler of the same
 * size. Booleans and zeros stay, because they only express presence; so do names of types in the URLs of an Any, which
 * the schema has. No unreadable byte is kept.
 */

import { varintBigInt } from '../bytes/varint.ts';
import {
  type AnnotationTable,
  Flag,
  fieldAt,
  flagsAt,
  parentAt,
  payloadCategoryAt,
  payloadEndAt,
  payloadStartAt,
  WireType,
  wireTypeAt,
} from '../model/annotation.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import { annotate } from '../wire/annotate.ts';
import { isContents } from '../wire/any.ts';
import { fixedSize } from '../wire/encoding-facts.ts';
import { packedElements } from '../wire/packed.ts';
import { hasChildren, isDescended } from '../wire/rows.ts';
import { fillNumber } from './fill-number.ts';
import { fillText } from './fill-text.ts';

export interface Shape {
  readonly bytes: Uint8Array;
  /** Spans of texts and bytes, as pairs of start and end: the filler is compared with them. */
  readonly texts: readonly number[];
  /** 1 for each byte that was replaced. */
  readonly replaced: Uint8Array;
}

type Type = FieldDescriptor['type'] | 'unknown';

/** @param salt chooses among equivalent fillers */
export function shapeMessage(message: Uint8Array, type: MessageDescriptor | undefined, salt: number): Shape {
  const { table } = annotate(message, type, { isBorrowed: true });
  const bytes = message.slice();
  const texts: number[] = [];
  const replaced = new Uint8Array(bytes.length);
  for (let row = 0; row < table.length; row++) {
    const start = payloadStartAt(table, row);
    const end = payloadEndAt(table, row);
    if (start === end || hasChildren(table, row)) continue;
    const kind = kindAt(table, row);
    if (payloadCategoryAt(table, row) === 'unattributed') {
      // Parsers reject wire type 7, and a byte above 127 does not end a packed element.
      bytes.fill((flagsAt(table, row) & Flag.PACKED) !== 0 ? 0xff - salt : FAULTY[salt % FAULTY.length]!, start, end);
      texts.push(start, end);
    } else if (wireTypeAt(table, row) !== WireType.LEN) {
      fillScalar(bytes, start, end, kind, wireTypeAt(table, row), salt);
    } else if ((flagsAt(table, row) & Flag.PACKED) !== 0) {
      const { offsets } = packedElements(table, message, row, { type: kind as FieldDescriptor['type'] });
      const form = FORMS[fixedSize(kind as FieldDescriptor['type'])] ?? WireType.VARINT;
      for (let at = 1; at < offsets.length; at++) fillScalar(bytes, offsets[at - 1]!, offsets[at]!, kind, form, salt);
    } else if (!isDescended(table, row)) {
      const filled = end - typeNameSize(table, row);
      fillText(bytes, start, filled, salt);
      texts.push(start, filled);
    }
    // Zeros and booleans that stay are structure. A text that equals its filler is not.
    const textEnd = texts.at(-2) === start ? texts.at(-1)! : start;
    for (let at = start; at < end; at++) replaced[at] = at < textEnd || bytes[at] !== message[at] ? 1 : 0;
  }
  return { bytes, texts, replaced };
}

/** Bytes of the type's name at the end of a URL that says how the next row is read, with the slash before it. */
function typeNameSize(table: AnnotationTable<FieldDescriptor>, row: number): number {
  const next = row + 1 < table.length ? fieldAt(table, row + 1) : -1;
  const field = next < 0 ? undefined : table.fields[next]!;
  if (field === undefined || !isContents(field) || parentAt(table, row) !== parentAt(table, row + 1)) return 0;
  return Math.min(field.message!.fullName.length + 1, payloadEndAt(table, row) - payloadStartAt(table, row));
}

/** Tags with wire type 7, for field numbers up to 15. */
const FAULTY = [0x6f, 0x67, 0x77, 0x7f, 0x5f, 0x57, 0x4f, 0x47, 0x3f, 0x37] as const;

function kindAt(table: AnnotationTable<FieldDescriptor>, row: number): Type {
  const field = fieldAt(table, row);
  const isKnown = field >= 0 && (flagsAt(table, row) & Flag.MISMATCH) === 0;
  return isKnown ? table.fields[field]!.type : 'unknown';
}

function fillScalar(bytes: Uint8Array, start: number, end: number, type: Type, form: number, salt: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const isFloat = type === 'float' || type === 'double';
  if (form === WireType.I64) {
    const value = view.getBigUint64(start, true);
    if (isFloat && value !== 0n) view.setFloat64(start, FLOATS[salt % FLOATS.length]!, true);
    else if (!isFloat) view.setBigUint64(start, fillNumber(value, 'fixed64', salt), true);
    return;
  }
  if (form === WireType.I32) {
    const value = view.getUint32(start, true);
    if (isFloat && value !== 0) view.setFloat32(start, FLOATS[salt % FLOATS.length]!, true);
    else if (!isFloat) view.setUint32(start, Number(fillNumber(BigInt(value), 'fixed32', salt) & 0xffffffffn), true);
    return;
  }
  if (type === 'bool' && end - start === 1) return;
  let rest = fillNumber(varintBigInt(bytes, start, end), type, salt);
  for (let at = start; at < end; at++) {
    bytes[at] = Number(rest & 127n) | (at < end - 1 ? 128 : 0);
    rest >>= 7n;
  }
}

/** By the size of an element. */
const FORMS: Readonly<Record<number, number>> = { 4: WireType.I32, 8: WireType.I64 };

/** No byte of these values is zero, in either width. */
const FLOATS = [1.1, 2.2, 0.3, 3.3, 1.7, 6.6, 0.7, 7.7, 9.9, 99.9] as const;
