/** Bytes of one encoding by field path and category. Their sum is the encoding's bytes. */
import {
  type AnnotationTable,
  type Category,
  fieldAt,
  NO_WIRE_TYPE,
  parentAt,
  wireTypeAt,
} from '../model/annotation.ts';
import { type FieldDescriptor, pathSegment } from '../schema/descriptor.ts';

/** `''`: the message itself. */
export type Ledger = Map<string, Partial<Record<Category, number>>>;

/** The field path of each row. `''`: the message itself, and its punctuation tokens. */
export function fieldPaths(table: AnnotationTable<FieldDescriptor>): readonly string[] {
  const paths: string[] = [];
  const isElement = elementsOf(table);
  for (let row = 0; row < table.length; row++) paths.push(pathOf(table, row, paths, isElement[row] === 1));
  return paths;
}

export function enter(ledger: Ledger, path: string, category: Category, bytes: number): void {
  if (bytes === 0) return;
  let entry = ledger.get(path);
  if (entry === undefined) {
    entry = {};
    ledger.set(path, entry);
  }
  entry[category] = (entry[category] ?? 0) + bytes;
}

/**
 * Marks element rows. In native encodings, a list row has one child row for each element, with the same field. A
 * recursive message is not an element,
 * nor is a record of an Any's contents, which has a wire type.
 */
function elementsOf(table: AnnotationTable<FieldDescriptor>): Uint8Array {
  const { encoding, length, fields } = table;
  const isElement = new Uint8Array(length);
  if (encoding === 'protobuf') return isElement;
  for (let row = 1; row < length; row++) {
    const [index, above] = [fieldAt(table, row), parentAt(table, row)];
    if (wireTypeAt(table, row) !== NO_WIRE_TYPE) continue;
    if (index < 0 || fieldAt(table, above) !== index || fields[index]!.cardinality === 'singular') continue;
    isElement[row] = 1 - isElement[above]!;
  }
  return isElement;
}

/** Tokens and elements have the path of the enclosing row. */
function pathOf(
  table: AnnotationTable<FieldDescriptor>,
  row: number,
  paths: readonly string[],
  isElement: boolean,
): string {
  const above = parentAt(table, row);
  if (above < 0) return '';
  const index = fieldAt(table, row);
  const around = paths[above]!;
  if (index <= -2) return join(around, `?${-2 - index}`);
  return index < 0 || isElement ? around : join(around, pathSegment(table.fields[index]!));
}

const join = (around: string, name: string): string => (around === '' ? name : `${around}.${name}`);
