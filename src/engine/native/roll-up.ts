/**
 * Adds up the rows of native messages by field path: the same figures that `measureNative` computes without writing.
 */
import {
  type AnnotationTable,
  CATEGORIES,
  endAt,
  Flag,
  fieldAt,
  flagsAt,
  headerSizesAt,
  parentAt,
  payloadEndAt,
  payloadStartAt,
  startAt,
  unknownField,
} from '../model/annotation.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';
import type { PathPlan } from '../wire/path-plan.ts';
import { NativeSlot } from './layout.ts';
import { NATIVE_CELLS, NativeCell } from './measure.ts';

/** The cell that a row's payload counts in, by the number of its category. */
const PAYLOAD_CELLS = CATEGORIES.map((category) => {
  if (category === 'type') return NativeCell.TYPE;
  // The end of blocks, and padding.
  if (category === 'count') return NativeCell.COUNT;
  return category === 'length' ? NativeCell.LENGTH : NativeCell.VALUE;
});

const UNATTRIBUTED = CATEGORIES.indexOf('unattributed');

/** Bytes that no layout explains. */
export function unattributedBytes(table: AnnotationTable<FieldDescriptor>): number {
  let bytes = 0;
  for (let row = 0; row < table.length; row++) {
    if (((flagsAt(table, row) >> 3) & 15) !== UNATTRIBUTED) continue;
    bytes += payloadEndAt(table, row) - payloadStartAt(table, row);
  }
  return bytes;
}

/**
 * Kept between calls, because messages are small and many. These are two arrays, not two views of one array: Firefox
 * 153 takes `kept.subarray(0, n).fill(-1)` and `kept.subarray(n, 2 * n).fill(-1)` for the same view after compiling
 * them.
 */
let keptRows = new Int32Array(512);
let keptInner = new Int32Array(512);

/**
 * Adds up seven cells for each row of the plan, which grows with each new path.
 * @param into the sums so far; it is returned and may have grown
 * @param leftOut for a captured message, by row: 1 for a value that is absent in protobuf
 */
export function rollUpNative(
  table: AnnotationTable<FieldDescriptor>,
  plan: PathPlan,
  into: Float64Array,
  leftOut?: Uint8Array,
): Float64Array {
  const { fields, length } = table;
  if (keptRows.length < length) {
    keptRows = new Int32Array(2 * length);
    keptInner = new Int32Array(2 * length);
  }
  const planRow = keptRows.fill(-1, 0, length);
  /** Block whose fields a row's children are; −1 for lists and values; INSIDE. */
  const inner = keptInner.fill(-1, 0, length);
  inner[0] = 0;
  for (let row = 1; row < length; row++) {
    const index = fieldAt(table, row);
    const above = parentAt(table, row);
    if (index < 0) {
      // Only the contents of an Any have unknown numbers.
      if (index < -1) planRow[row] = plan.unknownRow(inner[above]!, unknownField(index));
      continue;
    }
    planRow[row] = inner[above]! < 0 ? planRow[above]! : plan.fieldRow(inner[above]!, fields[index]!);
    if (isInside(inner[above]!, fields[index], fields[fieldAt(table, above)])) inner[row] = INSIDE;
    else if (holdsFields(fields[index]!, headerSizesAt(table, row), flagsAt(table, row)))
      inner[row] = plan.childOf(planRow[row]!);
  }
  let cells = into;
  if (cells.length < plan.rows * NATIVE_CELLS) {
    cells = new Float64Array(2 * plan.rows * NATIVE_CELLS);
    cells.set(into);
  }
  for (let row = 1; row < length; row++) {
    if (planRow[row]! < 0) continue;
    const isLeaf = row + 1 === length || parentAt(table, row + 1) !== row;
    const flags = flagsAt(table, row);
    const isAbsent = (flags & Flag.DEFAULT) !== 0 || leftOut?.[row] === 1;
    const size = isLeaf ? endAt(table, row) - startAt(table, row) : -1;
    enterNativeRow(cells, planRow[row]!, headerSizesAt(table, row), flags, size, isAbsent);
  }
  return cells;
}

/** In place of a block: the row explains a part of a value that protobuf keeps as bytes, and counts as that value. */
export const INSIDE = -2;

/**
 * @param inner the block of the row above, −1 for a list or value, or INSIDE
 * @param above the field of that row: elements have the field of their list, parts of a value have another one
 */
export const isInside = (
  inner: number,
  field: FieldDescriptor | undefined,
  above: FieldDescriptor | undefined,
): boolean => inner === INSIDE || (inner === -1 && field !== above);

/**
 * Whether the fields of a row's children belong to the row's message. This is false for a list, and for a row beside a
 * value.
 */
export const holdsFields = (field: FieldDescriptor, head: number, flags: number): boolean =>
  field.message !== undefined &&
  PAYLOAD_CELLS[(flags >> 3) & 15] === NativeCell.VALUE &&
  ((head >> (4 * NativeSlot.COUNT)) & 15) === 0;

/**
 * Adds one row to the cells of its field path.
 * @param size its bytes; −1: they belong to nested rows @param isAbsent the row is a value that is absent in protobuf
 */
export function enterNativeRow(
  cells: Float64Array,
  planRow: number,
  head: number,
  flags: number,
  size: number,
  isAbsent: boolean,
): void {
  const base = planRow * NATIVE_CELLS;
  let taken = 0;
  // The slots of a header are the first cells, in the same order.
  for (let rest = head, cell = 0; rest !== 0; rest >>= 4, cell++) {
    cells[base + cell]! += rest & 15;
    taken += rest & 15;
  }
  const category = (flags >> 3) & 15;
  const value = size < 0 || category === UNATTRIBUTED ? 0 : size - taken;
  const cell = PAYLOAD_CELLS[category]!;
  cells[base + cell]! += value;
  if (cell === NativeCell.TYPE) cells[base + NativeCell.NAME]! += taken + value;
  if (isAbsent) cells[base + NativeCell.ABSENT]! += value + ((head >> (4 * NativeSlot.LENGTH)) & 15);
}
