/**
 * One message in both encodings, row by row: its protobuf bytes as captured, its native bytes as they would be written,
 * and for every row the row on the other side that holds the same value.
 */

import type { NativeReading } from '../analysis/plan/native-reading.ts';
import { type AnnotationTable, fieldAt, parentAt, slotAt } from '../model/annotation.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { type LayoutOf, NativeSlot } from '../native/layout.ts';
import { readNative } from '../native/read.ts';
import { toWire } from '../native/to-wire.ts';
import { type WriteBudget, writeNative } from '../native/write.ts';
import type { FieldDescriptor, FieldFacts, MessageDescriptor } from '../schema/descriptor.ts';
import { annotate } from '../wire/annotate.ts';
import { isGuessed, withoutGuessFindings } from '../wire/guessed.ts';
import { rowPaths } from '../wire/path-totals.ts';
import { type PathTree, PathTreeBuilder } from '../wire/path-tree.ts';

export interface InspectedSide {
  readonly bytes: Uint8Array;
  /** `JSON`; absent: protobuf or native. */
  readonly label?: string;
  /**
   * Its `fields` hold only facts, without the links of a descriptor, so that no schema is copied to the page with them.
   */
  readonly table: AnnotationTable;
  /** Field path of each row (`timeseries.labels.name`) as an index into `paths`; −1: no field. */
  readonly path: Int32Array;
  readonly paths: PathTree;
  /** The row of the other side that holds the same value; −1: there is no such row. */
  readonly counterpart: Int32Array;
}

export interface Inspected {
  /** The first side: protobuf; or what was captured, compared with another encoding than protobuf. */
  readonly protobuf: InspectedSide;
  /**
   * The second side. null: it was not requested; the type is missing or guessed, so nothing can be written; or the
   * message exceeds the budget, which a diagnostic reports.
   */
  readonly native: InspectedSide | null;
  readonly diagnostics: readonly Diagnostic[];
}

export interface InspectRequest {
  /** undefined: field numbers only. */
  readonly type: MessageDescriptor | undefined;
  /** null: no native side was requested. */
  readonly layoutOf: LayoutOf | null;
  readonly ordinal?: number | undefined;
}

/** Accepts any bytes. `bytes` are kept, not copied. */
export function inspect(bytes: Uint8Array, { type, layoutOf, ordinal }: InspectRequest): Inspected {
  const { table, diagnostics } = annotate(bytes, type, { ordinal });
  const protobuf = { bytes, table: withFacts(table), ...rowPaths(table) };
  if (type === undefined || layoutOf === null || isGuessed(type)) {
    return {
      protobuf: { ...protobuf, counterpart: new Int32Array(table.length).fill(-1) },
      native: null,
      diagnostics: isGuessed(type) ? withoutGuessFindings(diagnostics) : diagnostics,
    };
  }
  const written = writeNative(bytes, table, layoutOf(type), layoutOf, budgetOf(bytes));
  if (written === null) {
    return {
      protobuf: { ...protobuf, counterpart: new Int32Array(table.length).fill(-1) },
      native: null,
      diagnostics: [...diagnostics, beyondBudget(bytes, ordinal)],
    };
  }
  return {
    protobuf: { ...protobuf, counterpart: counterparts(table.length, written.table, written.origin) },
    native: {
      bytes: written.bytes,
      table: withFacts(written.table),
      ...nativePaths(written.table),
      counterpart: written.origin,
    },
    diagnostics: [
      ...diagnostics,
      ...written.diagnostics.map((diagnostic) => (ordinal === undefined ? diagnostic : { ...diagnostic, ordinal })),
    ],
  };
}

/** The protobuf side only. */
export function wireSide(bytes: Uint8Array, type: MessageDescriptor | undefined): InspectedSide {
  const { table } = annotate(bytes, type);
  return { bytes, table: withFacts(table), ...rowPaths(table), counterpart: new Int32Array(table.length).fill(-1) };
}

/**
 * A message that was captured in its native form: its rows by its layout, and its values as protobuf. Two rows are a
 * pair if writing the protobuf values natively gives the native row again.
 */
export function inspectNative(
  bytes: Uint8Array,
  { type, layoutOf }: Pick<NativeReading, 'type' | 'layoutOf'>,
  ordinal?: number,
): Inspected {
  const read = readNative(bytes, layoutOf(type), layoutOf);
  const transcoded = toWire(bytes, read);
  const protobuf = transcoded.bytes.slice();
  const { table, diagnostics } = annotate(protobuf, type);
  const again = writeNative(protobuf, table, layoutOf(type), layoutOf, budgetOf(bytes));
  const isSame = again !== null && hasParentsOf(again.table, read.table);
  const origin = isSame ? again.origin : new Int32Array(read.table.length).fill(-1);
  const ofMessage = (diagnostic: Diagnostic) => (ordinal === undefined ? diagnostic : { ...diagnostic, ordinal });
  return {
    protobuf: {
      bytes: protobuf,
      table: withFacts(table),
      ...rowPaths(table),
      counterpart: counterparts(table.length, read.table, origin),
    },
    native: { bytes, table: withFacts(read.table), ...nativePaths(read.table), counterpart: origin },
    diagnostics: [...read.diagnostics, ...transcoded.diagnostics, ...diagnostics].map(ofMessage),
  };
}

/**
 * The limit of a message's native side: 64 bytes of memory per byte of input, both sides together. It is needed because
 * a type with hundreds of fields writes all of them for an empty submessage of two bytes.
 *
 *   wire    1 │ rows ≤ ½ a byte: 12 of the table, 4 path, 4 counterpart, 8 of its path
 *   native  8 │ rows ≤ ½ a byte, as above
 */
const budgetOf = ({ length }: Uint8Array): WriteBudget => ({
  bytes: SMALL_MESSAGE + 8 * length,
  rows: SMALL_MESSAGE + length / 2,
});

/** Minimum limit, for small messages. */
const SMALL_MESSAGE = 1 << 16;

const beyondBudget = ({ length }: Uint8Array, ordinal: number | undefined): Diagnostic => ({
  code: 'native/too-large',
  severity: 'info',
  message:
    'The native form is too large to be shown row by row: fields that are absent take most of it. The profile has its figures.',
  space: 'message',
  start: 0,
  end: length,
  ...(ordinal === undefined ? {} : { ordinal }),
});

/**
 * Inverts the origins of native rows. A record has its list and its element as candidates; the element is taken,
 * because it holds the same value. A packed run has its list and all elements as candidates; the list is taken.
 */
export function counterparts(wireRows: number, native: AnnotationTable, origin: Int32Array): Int32Array {
  const counterpart = new Int32Array(wireRows).fill(-1);
  const candidates = new Uint32Array(wireRows);
  for (let row = 0; row < origin.length; row++) if (origin[row]! >= 0) candidates[origin[row]!]!++;
  for (let row = 0; row < origin.length; row++) {
    const from = origin[row]!;
    if (from < 0) continue;
    const known = counterpart[from]!;
    if (known < 0 || (candidates[from] === 2 && parentAt(native, row) === known)) counterpart[from] = row;
  }
  return counterpart;
}

/** The field path of each native row. A list and its elements have the same. */
function nativePaths(table: AnnotationTable<FieldDescriptor>): Pick<InspectedSide, 'path' | 'paths'> {
  const path = new Int32Array(table.length).fill(-1);
  const paths = new PathTreeBuilder();
  for (let row = 1; row < table.length; row++) {
    const field = fieldAt(table, row);
    const parent = parentAt(table, row);
    if (field < 0) continue;
    if (parent > 0 && slotAt(table, parent, NativeSlot.COUNT) > 0) {
      path[row] = path[parent]!;
      continue;
    }
    path[row] = paths.indexOf(path[parent]!, field);
  }
  return { path, paths: paths.finish() };
}

export const withFacts = (table: AnnotationTable<FieldFacts>): AnnotationTable => ({
  ...table,
  fields: table.fields.map(
    ({ name, fullName, number, type, cardinality, presence, packed, isExtension, enum: declared, oneof }) => ({
      name,
      fullName,
      number,
      type,
      cardinality,
      presence,
      packed,
      isExtension,
      oneof: oneof && { fullName: oneof.fullName },
      enum: declared && {
        fullName: declared.fullName,
        values: declared.values.map(({ name: text, number: code }) => ({ name: text, number: code })),
      },
    }),
  ),
});

function hasParentsOf(table: AnnotationTable, other: AnnotationTable): boolean {
  for (let row = 0; row < table.length; row++) if (parentAt(table, row) !== parentAt(other, row)) return false;
  return table.length === other.length;
}
