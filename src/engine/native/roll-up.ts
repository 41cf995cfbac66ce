/** The rows of one native message, added up by field path: what `measureNative` computes without writing. */
import { type AnnotationTable, type Category, Flag, payloadCategoryAt, slotAt } from '../annotation.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';
import type { PathPlan } from '../wire/path-plan.ts';
import { NativeSlot } from './layout.ts';
import { NATIVE_CELLS, NativeCell } from './measure.ts';

/** Rows beside a value: the name of a member, the end of blocks, padding. */
const BESIDE: Readonly<Partial<Record<Category, number>>> = {
  type: NativeCell.TYPE,
  count: NativeCell.COUNT,
  length: NativeCell.LENGTH,
};
const SLOT_CELLS = [NativeCell.FLAG, NativeCell.TYPE, NativeCell.COUNT, NativeCell.LENGTH] as const;

/**
 * Seven cells for each row of the plan, which grows with the paths that are met.
 * @param leftOut of a captured message, by row: 1 where a value stands that protobuf leaves out
 */
export function rollUpNative(
  table: AnnotationTable<FieldDescriptor>,
  plan: PathPlan,
  leftOut?: Uint8Array,
): Float64Array {
  const planRow = new Int32Array(table.length).fill(-1);
  /** Block whose fields a row's children are; −1 for lists and values. */
  const inner = new Int32Array(table.length).fill(-1);
  inner[0] = 0;
  for (let row = 1; row < table.length; row++) {
    const index = table.field[row]!;
    if (index < 0) continue;
    const field = table.fields[index]!;
    const parent = table.parent[row]!;
    planRow[row] = inner[parent] === -1 ? planRow[parent]! : plan.fieldRow(inner[parent]!, field);
    if (BESIDE[payloadCategoryAt(table, row)] !== undefined) continue;
    const isList = slotAt(table, row, NativeSlot.COUNT) > 0;
    if (field.message !== undefined && !isList) inner[row] = plan.childOf(planRow[row]!);
  }
  const cells = new Float64Array(plan.rows * NATIVE_CELLS);
  for (let row = 1; row < table.length; row++) {
    if (planRow[row]! < 0) continue;
    const base = planRow[row]! * NATIVE_CELLS;
    let head = 0;
    for (const [slot, cell] of SLOT_CELLS.entries()) {
      const size = slotAt(table, row, slot);
      cells[base + cell]! += size;
      head += size;
    }
    const isLeaf = row + 1 === table.length || table.parent[row + 1] !== row;
    const value = isLeaf ? table.end[row]! - table.start[row]! - head : 0;
    const category = payloadCategoryAt(table, row);
    cells[base + (BESIDE[category] ?? NativeCell.VALUE)]! += value;
    if (category === 'type') cells[base + NativeCell.NAME]! += head + value;
    if ((table.flags[row]! & Flag.DEFAULT) !== 0 || leftOut?.[row] === 1) {
      cells[base + NativeCell.ABSENT]! += value + slotAt(table, row, NativeSlot.LENGTH);
    }
  }
  return cells;
}
