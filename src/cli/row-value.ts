/** The value of a row as text: by the field's type where it is known, else by the wire type alone. */
import { type AnnotationTable, Flag, payloadEndAt, payloadStartAt, WireType, wireTypeAt } from '#engine/annotation.ts';
import type { FieldFacts } from '#engine/schema/descriptor.ts';
import { packedElements } from '#engine/wire/packed.ts';

const MAX_TEXT = 60;
const MAX_BYTES = 24;
const MAX_ELEMENTS = 8;

/** Empty for a row that holds no value. */
export function printValue(table: AnnotationTable, bytes: Uint8Array, row: number): string {
  const start = payloadStartAt(table, row);
  const end = payloadEndAt(table, row);
  const flags = table.flags[row]!;
  const field = table.field[row]! >= 0 ? table.fields[table.field[row]!] : undefined;
  if ((flags & Flag.MALFORMED) !== 0 || table.field[row] === -1) return printBytes(bytes, start, end);
  if (field === undefined || (flags & Flag.MISMATCH) !== 0)
    return printUnknown(bytes, start, end, wireTypeAt(table, row));
  if ((flags & Flag.PACKED) !== 0) {
    const { offsets } = packedElements(table, bytes, row, field);
    const count = offsets.length - 1;
    const shown = Array.from({ length: Math.min(count, MAX_ELEMENTS) }, (_, n) =>
      printScalar(field, bytes, offsets[n]!, offsets[n + 1]!),
    );
    return `[${shown.join(', ')}${count > MAX_ELEMENTS ? `, and ${count - MAX_ELEMENTS} more` : ''}]`;
  }
  return printScalar(field, bytes, start, end);
}

function printScalar(field: FieldFacts, bytes: Uint8Array, start: number, end: number): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (field.type) {
    case 'string':
      return printText(bytes, start, end);
    case 'bytes':
      return printBytes(bytes, start, end);
    case 'message':
    case 'group':
      return '';
    case 'double':
      return String(view.getFloat64(start, true));
    case 'float':
      return String(Math.fround(view.getFloat32(start, true)));
    case 'fixed64':
      return String(view.getBigUint64(start, true));
    case 'sfixed64':
      return String(view.getBigInt64(start, true));
    case 'fixed32':
      return String(view.getUint32(start, true));
    case 'sfixed32':
      return String(view.getInt32(start, true));
    case 'bool':
      return String(varint(bytes, start, end) !== 0n);
    case 'uint64':
      return String(varint(bytes, start, end));
    case 'uint32':
      return String(BigInt.asUintN(32, varint(bytes, start, end)));
    case 'int64':
      return String(BigInt.asIntN(64, varint(bytes, start, end)));
    case 'int32':
      return String(BigInt.asIntN(32, varint(bytes, start, end)));
    case 'sint64':
      return String(zigzag(varint(bytes, start, end)));
    case 'sint32':
      return String(BigInt.asIntN(32, zigzag(BigInt.asUintN(32, varint(bytes, start, end)))));
    case 'enum': {
      const number = Number(BigInt.asIntN(32, varint(bytes, start, end)));
      const name = field.enum?.values.find((value) => value.number === number)?.name;
      return name === undefined ? String(number) : `${name} (${number})`;
    }
  }
}

function printUnknown(bytes: Uint8Array, start: number, end: number, wireType: number): string {
  if (wireType === WireType.VARINT) return String(varint(bytes, start, end));
  if (wireType !== WireType.LEN) return printBytes(bytes, start, end);
  const text = isText(bytes, start, end) ? printText(bytes, start, end) : printBytes(bytes, start, end);
  return start === end ? '' : text;
}

function isText(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! < 0x20 || bytes[at] === 0x7f) return false;
  return true;
}

function printText(bytes: Uint8Array, start: number, end: number): string {
  const text = JSON.stringify(new TextDecoder().decode(bytes.subarray(start, Math.min(end, start + 4 * MAX_TEXT))));
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

function printBytes(bytes: Uint8Array, start: number, end: number): string {
  const shown = Array.from(bytes.subarray(start, Math.min(end, start + MAX_BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  );
  return `${shown.join(' ')}${end - start > MAX_BYTES ? ' …' : ''}`;
}

/** Sixty-four bits; further ones are dropped, as every parser does. */
function varint(bytes: Uint8Array, start: number, end: number): bigint {
  let value = 0n;
  for (let at = end - 1; at >= start; at--) value = (value << 7n) | BigInt(bytes[at]! & 0x7f);
  return BigInt.asUintN(64, value);
}

const zigzag = (value: bigint): bigint => (value >> 1n) ^ -(value & 1n);
