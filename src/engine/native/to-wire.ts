/**
 * A native message, as `readNative` explains it, to canonical protobuf: fields in number order of the layout's
 * declaration, packed where the schema packs, defaults of implicit fields left out.
 */
import { Flag, payloadEndAt, payloadStartAt, subtreeEnds, WireType } from '../annotation.ts';
import { varintWidth } from '../bytes/varint.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';
import type { FieldLayout } from './layout.ts';
import { decodeCesu8, readNativeInt } from './native-values.ts';
import { Output } from './output.ts';
import type { NativeRead } from './read.ts';
import { toVarint } from './wire-values.ts';

export interface Transcoded {
  readonly bytes: Uint8Array;
  /** Values that protobuf cannot hold: lone surrogates. Spans are native messageOffsets. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What a native row is on the wire. */
const Part = { NOTHING: 0, SCALAR: 1, MESSAGE: 2, LIST: 3, PACKED: 4, ELEMENT: 5 } as const;

export function toWire(bytes: Uint8Array, { table, layouts }: NativeRead): Transcoded {
  const diagnostics: Diagnostic[] = [];
  const texts = new Map<number, Uint8Array>();
  const parts = new Uint8Array(table.length);
  const payload = new Float64Array(table.length);
  const layoutAt = (row: number): FieldLayout => layouts.get(table.fields[table.field[row]!]!)!;

  for (let row = 1; row < table.length; row++) parts[row] = partOf(row);

  function partOf(row: number): number {
    if (table.field[row]! < 0 || (table.flags[row]! & Flag.MALFORMED) !== 0) return Part.NOTHING;
    const layout = layoutAt(row);
    const parent = table.parent[row]!;
    const { field, form } = layout;
    if (layout.count !== undefined) {
      const inList =
        (parts[parent] === Part.LIST || parts[parent] === Part.PACKED) && table.field[parent] === table.field[row];
      if (!inList) return field.packed ? Part.PACKED : Part.LIST;
      if (form.kind === 'message') return Part.MESSAGE;
      return parts[parent] === Part.PACKED ? Part.ELEMENT : Part.SCALAR;
    }
    if (isAbsent(row, layout)) return Part.NOTHING;
    if (form.kind === 'message') return Part.MESSAGE;
    const written = layout.absence !== 'default' || field.parent.isMapEntry || field.presence === 'required';
    return written || !isDefault(row, layout) ? Part.SCALAR : Part.NOTHING;
  }

  function isAbsent(row: number, { absence }: FieldLayout): boolean {
    if (absence === 'flag') return bytes[table.start[row]!] === 0;
    return absence !== 'default' && (table.flags[row]! & Flag.DEFAULT) !== 0;
  }

  function isDefault(row: number, { form }: FieldLayout): boolean {
    if (form.kind === 'string' || form.kind === 'bytes') return payloadStartAt(table, row) === table.end[row]!;
    for (let at = table.start[row]!; at < table.end[row]!; at++) if (bytes[at] !== 0) return false;
    return true;
  }

  /** Payload of a scalar record, written to `out`; without `out`, its size. */
  function scalar(row: number, { form, field }: FieldLayout, out: Output | undefined): number {
    const start = payloadStartAt(table, row);
    const end = payloadEndAt(table, row);
    switch (form.kind) {
      case 'string':
      case 'bytes': {
        let text = texts.get(row);
        if (text === undefined) {
          text = bytes.subarray(start, end);
          if (form.kind === 'string') text = utf8Of(row, text, form.body === 'cesu8');
          texts.set(row, text);
        }
        out?.varint64(text.length, 0);
        out?.raw(text);
        return varintWidth(text.length, 0) + text.length;
      }
      case 'float': {
        const size = field.type === 'double' ? 8 : 4;
        for (let i = 0; out !== undefined && i < size; i++) {
          out.byte(bytes[form.order === 'big' ? end - 1 - i : start + i]!);
        }
        return size;
      }
      default: {
        const value = readNativeInt(bytes, start, end, form.kind === 'int' ? form.form : undefined, field.type);
        if (field.type === 'fixed32' || field.type === 'sfixed32') {
          out?.int({ kind: 'fixed', bytes: 4, order: 'little' }, value.low, value.high);
          return 4;
        }
        if (field.type === 'fixed64' || field.type === 'sfixed64') {
          out?.int({ kind: 'fixed', bytes: 8, order: 'little' }, value.low, value.high);
          return 8;
        }
        const { low, high } = toVarint(value, field.type);
        out?.varint64(low, high);
        return varintWidth(low, high);
      }
    }
  }

  function utf8Of(row: number, body: Uint8Array, cesu8: boolean): Uint8Array {
    if (!cesu8) return body;
    const { text, lone } = decodeCesu8(body);
    if (lone) {
      diagnostics.push({
        code: 'native/lone-surrogate',
        severity: 'warning',
        message: 'This text holds half of a surrogate pair, which UTF-8 cannot: it becomes U+FFFD.',
        space: 'message',
        start: table.start[row]!,
        end: table.end[row]!,
      });
    }
    return encoder.encode(text);
  }

  // Sizes, children before parents.
  for (let row = table.length - 1; row > 0; row--) {
    const parent = table.parent[row]!;
    const part = parts[row]!;
    if (part === Part.NOTHING) continue;
    const layout = layoutAt(row);
    const tag = tagSize(layout.field);
    let size = 0;
    if (part === Part.SCALAR) size = tag + scalar(row, layout, undefined);
    else if (part === Part.ELEMENT) size = scalar(row, layout, undefined);
    else if (part === Part.LIST) size = payload[row]!;
    else if (part === Part.PACKED) size = payload[row] === 0 ? 0 : tag + varintWidth(payload[row]!, 0) + payload[row]!;
    else if (layout.field.type === 'group') size = 2 * tag + payload[row]!;
    else size = tag + varintWidth(payload[row]!, 0) + payload[row]!;
    payload[parent]! += size;
  }

  // Bytes, in row order; a group's end tag waits for the end of its subtree.
  const out = new Output();
  const ends = subtreeEnds(table);
  const open: { end: number; field: FieldDescriptor }[] = [];
  for (let row = 1; row <= table.length; row++) {
    while (open.length > 0 && open.at(-1)!.end <= row) tag(out, open.pop()!.field, WireType.EGROUP);
    if (row === table.length || parts[row] === Part.NOTHING) continue;
    const layout = layoutAt(row);
    const { field } = layout;
    switch (parts[row]) {
      case Part.SCALAR:
        tag(out, field, wireTypeOf(field));
        scalar(row, layout, out);
        break;
      case Part.ELEMENT:
        scalar(row, layout, out);
        break;
      case Part.PACKED:
        if (payload[row] === 0) break;
        tag(out, field, WireType.LEN);
        out.varint64(payload[row]!, 0);
        break;
      case Part.MESSAGE:
        if (field.type === 'group') {
          tag(out, field, WireType.SGROUP);
          open.push({ end: ends[row]!, field });
        } else {
          tag(out, field, WireType.LEN);
          out.varint64(payload[row]!, 0);
        }
        break;
    }
  }
  return { bytes: out.finish(), diagnostics };
}

const encoder = new TextEncoder();

function tag(out: Output, field: FieldDescriptor, wireType: number): void {
  out.varint64((field.number << 3) | wireType, 0);
}

const tagSize = (field: FieldDescriptor): number => varintWidth(field.number << 3, 0);

function wireTypeOf(field: FieldDescriptor): number {
  switch (field.type) {
    case 'string':
    case 'bytes':
    case 'message':
      return WireType.LEN;
    case 'group':
      return WireType.SGROUP;
    case 'double':
    case 'fixed64':
    case 'sfixed64':
      return WireType.I64;
    case 'float':
    case 'fixed32':
    case 'sfixed32':
      return WireType.I32;
    default:
      return WireType.VARINT;
  }
}
