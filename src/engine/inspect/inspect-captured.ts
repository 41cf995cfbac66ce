/** A message that was captured in another format: the rows of its payload, and its values as protobuf. */
import type { FormatRead } from '../encodings/format-read.ts';
import { type MessageValue, readMessageValue } from '../encodings/message-value.ts';
import { type AnnotationTable, fieldAt, parentAt } from '../model/annotation.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import { annotate } from '../wire/annotate.ts';
import { rowPaths } from '../wire/path-totals.ts';
import { PathTreeBuilder } from '../wire/path-tree.ts';
import { counterparts, type Inspected, type InspectedSide, withFacts } from './inspect.ts';

/**
 * @param type undefined: `protobuf` holds the payload with its own names, and there is no other side. @param label
 * `JSON`
 */
export function inspectCaptured(
  bytes: Uint8Array,
  { table, protobuf: bytesOfProtobuf, value, diagnostics }: FormatRead,
  type: MessageDescriptor | undefined,
  { label, ordinal }: { readonly label: string; readonly ordinal: number },
): Inspected {
  const ofMessage = diagnostics.map((diagnostic) => ({ ...diagnostic, ordinal }));
  const captured = { bytes, label, table: withFacts(table), ...tokenPaths(table) };
  if (type === undefined) {
    const alone = { ...captured, counterpart: new Int32Array(table.length).fill(-1) };
    return { protobuf: alone, native: null, diagnostics: ofMessage };
  }
  const rows = annotate(bytesOfProtobuf, type).table;
  const ofProtobuf = new Int32Array(rows.length).fill(-1);
  const ofCaptured = new Int32Array(table.length).fill(-1);
  const pair = (row: number, own: number): void => {
    if (row < 0 || own < 0) return;
    if (ofProtobuf[row]! < 0) ofProtobuf[row] = own;
    if (ofCaptured[own]! < 0) ofCaptured[own] = row;
  };
  pair(0, 0);
  if (value !== null) pairValues(readMessageValue(bytesOfProtobuf, rows, type).value, value, pair);
  const protobuf: InspectedSide = {
    bytes: bytesOfProtobuf,
    table: withFacts(rows),
    ...rowPaths(rows),
    counterpart: ofProtobuf,
  };
  return { protobuf, native: { ...captured, counterpart: ofCaptured }, diagnostics: ofMessage };
}

/**
 * The captured form beside another encoding: rows pair where protobuf's rows pair with both.
 * @param captured protobuf and the captured form @param other protobuf and the other encoding @param labels of the two
 */
export function besideCaptured(
  captured: Inspected,
  other: Inspected,
  labels: { readonly captured: string; readonly other: string },
): Inspected {
  const first = { ...(captured.native ?? captured.protobuf), label: labels.captured };
  const diagnostics = [...captured.diagnostics, ...other.diagnostics];
  const second = other.native;
  if (second === null) {
    return {
      protobuf: { ...first, counterpart: new Int32Array(first.table.length).fill(-1) },
      native: null,
      diagnostics,
    };
  }
  const origin = second.counterpart.map((row) => (row < 0 ? -1 : (captured.protobuf.counterpart[row] ?? -1)));
  return {
    protobuf: { ...first, counterpart: counterparts(first.table.length, second.table, origin) },
    native: { ...second, label: labels.other, counterpart: origin },
    diagnostics,
  };
}

/** Pairs values. Both messages hold the same values in the same order, because one was written from the other. */
function pairValues(protobuf: MessageValue, own: MessageValue, pair: (protobuf: number, own: number) => void): void {
  for (const [at, field] of own.fields.entries()) {
    const same = protobuf.fields[at];
    if (same?.field !== field.field) return;
    pair(same.row, field.row);
    for (const [index, item] of field.items.entries()) {
      const other = same.items[index];
      if (other === undefined) break;
      pair(other.row, item.row);
      if (isMessage(item.value) && isMessage(other.value)) pairValues(other.value, item.value, pair);
    }
    for (const [index, entry] of field.entries.entries()) {
      const other = same.entries[index];
      if (other === undefined) break;
      pair(other.row, entry.row);
      pair(other.key.row, entry.key.row);
      pair(other.value.row, entry.value.row);
      if (isMessage(entry.value.value) && isMessage(other.value.value))
        pairValues(other.value.value, entry.value.value, pair);
    }
  }
}

const isMessage = (value: unknown): value is MessageValue =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array);

/** Tokens and elements have the path of the enclosing field. */
export function tokenPaths(table: AnnotationTable<FieldDescriptor>): Pick<InspectedSide, 'path' | 'paths'> {
  const path = new Int32Array(table.length).fill(-1);
  const paths = new PathTreeBuilder();
  for (let row = 1; row < table.length; row++) {
    const field = fieldAt(table, row);
    const around = path[parentAt(table, row)]!;
    path[row] = field < 0 ? around : paths.indexOf(around, field);
  }
  return { path, paths: paths.finish() };
}
