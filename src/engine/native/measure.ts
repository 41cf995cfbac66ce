/**
 * The native size of the messages in a scan, by field path, without writing them. It is exact if the protobuf bytes
 * were canonical. Other messages (`ScanFlag.IRREGULAR`) are written and counted (`sum-written.ts`).
 */
import type { FieldDescriptor } from '../schema/descriptor.ts';
import { isContents } from '../wire/any.ts';
import type { Scan } from '../wire/scan.ts';
import { type FieldStatistics, statisticsAt } from '../wire/statistics.ts';
import type { FieldLayout, IntForm, LayoutOf, ValueForm } from './layout.ts';

/** Columns of a native ledger: seven cells a row. ABSENT and NAME are parts of the other cells. */
export const NativeCell = { FLAG: 0, TYPE: 1, COUNT: 2, LENGTH: 3, VALUE: 4, ABSENT: 5, NAME: 6 } as const;
export const NATIVE_CELLS = 7;

const sum = (widths: readonly number[]): number => widths.reduce((total, count) => total + count, 0);
const bytesOf = (widths: readonly number[]): number => widths.reduce((total, count, at) => total + count * (at + 1), 0);

/** Whether the statistics of a scan determine the native size of this field. If not, its values have to be written. */
export function isMeasurable(layout: FieldLayout): boolean {
  const { field, form, absence, count, sizedBy, countTwice, inBlocks, key, keysOnly, when, choice } = layout;
  if (
    absence === 'length+1' ||
    absence === 'minus' ||
    absence === 'end' ||
    (count !== undefined && absence !== 'default')
  )
    return false;
  if (countTwice || inBlocks || keysOnly || (key ?? when ?? choice ?? sizedBy) !== undefined) return false;
  if (count !== undefined && !isPlainCount(count)) return false;
  switch (form.kind) {
    case 'int':
      return isMeasurableInt(field, form.form);
    case 'string':
      if (form.padding !== undefined) return false;
      return form.length.kind === 'fixed' ? form.body === 'utf8' : isPlainCount(form.length);
    case 'bytes':
      return form.padding === undefined && isPlainCount(form.length);
    case 'message':
      return form.length === undefined;
    case 'ended':
    case 'rest':
    case 'sized':
    case 'content':
    case 'none':
      return false;
    default:
      return true;
  }
}

const isPlainCount = (form: IntForm): boolean =>
  form.kind === 'fixed' || (form.kind === 'varint' && !form.zigzag && form.more === undefined);

function isMeasurableInt(field: FieldDescriptor, form: IntForm): boolean {
  if (form.kind !== 'varint') return form.kind === 'fixed';
  switch (field.type) {
    case 'int32':
    case 'enum':
      return true;
    case 'int64':
      return form.bits === 64;
    case 'uint32':
      return true;
    case 'uint64':
      return form.bits === 64 && !form.zigzag;
    case 'sint32':
    case 'sint64':
      return form.zigzag;
    default:
      return false;
  }
}

/**
 * Adds the native ledger of all messages in `scan` to `into`, seven cells a row of the plan. Returns the array, which
 * may have grown.
 */
export function measureNative(scan: Scan, layoutOf: LayoutOf, into: Float64Array): Float64Array {
  const { plan } = scan;
  let cells = into;
  const at = (row: number): number => {
    if ((row + 1) * NATIVE_CELLS > cells.length) {
      const grown = new Float64Array(Math.max(cells.length * 2, (row + 64) * NATIVE_CELLS));
      grown.set(cells);
      cells = grown;
    }
    return row * NATIVE_CELLS;
  };

  /**
   * Adds `times` messages that are absent in protobuf and that the native encoding writes with all their fields absent.
   */
  const addAbsentMessages = (block: number, times: number): void => {
    for (const layout of layoutOf(plan.blocks[block]!.descriptor!).fields) {
      const row = plan.fieldRow(block, layout.field);
      addField(row, layout, statisticsAt(scan, -1, layout.field), times);
    }
  };

  const addField = (row: number, layout: FieldLayout, stats: FieldStatistics, parents: number): void => {
    // The size of a field that depends on a choice or a condition is only known after writing.
    if ((layout.choice ?? layout.when ?? layout.sizedBy) !== undefined) return;
    const base = at(row);
    for (const [cell, bytes] of measureField(layout, stats, parents).entries()) cells[base + cell]! += bytes;
    const absent = parents - stats.present;
    if (layout.form.kind === 'message' && layout.count === undefined && layout.absence === 'default' && absent > 0) {
      addAbsentMessages(plan.childOf(row), absent);
    }
  };

  /** Adds the contents of an Any, which are written as they are in protobuf. Returns how many messages have them. */
  const addContents = (row: number, layout: FieldLayout): number => {
    const stats = statisticsAt(scan, row);
    const base = at(row);
    const whole = { ...stats, length: stats.length - stats.overlongBodies };
    for (const [cell, bytes] of measureField(layout, whole, stats.present).entries()) cells[base + cell]! += bytes;
    const inside = new Set([plan.child[row]! >> 1]);
    for (const block of inside) {
      const { rowOfField, rowOfItem, rowOfUnknown } = plan.blocks[block]!;
      for (const inner of [...rowOfField.values(), ...rowOfItem.values(), ...rowOfUnknown.values()]) {
        const { tag, length, value } = statisticsAt(scan, inner);
        const cell = at(inner);
        cells[cell + NativeCell.TYPE]! += tag;
        cells[cell + NativeCell.LENGTH]! += length;
        cells[cell + NativeCell.VALUE]! += value;
        if (plan.child[inner]! >= 0) inside.add(plan.child[inner]! >> 1);
      }
    }
    return stats.present;
  };

  // Fields below an unwritten field are not written either.
  const written = new Set([0]);
  for (const block of written) {
    const { descriptor, rowOfField, rowOfItem } = plan.blocks[block]!;
    const instances = scan.instances[block] ?? 0;
    if (descriptor === undefined || instances === 0) continue;
    for (const layout of layoutOf(descriptor).fields) {
      const row = rowOfField.get(layout.field.number);
      const stats = statisticsAt(scan, row ?? -1, layout.field);
      let parents = instances;
      for (const [contents, contentsRow] of rowOfItem) {
        if (!isContents(contents) || contents.number !== layout.field.number) continue;
        parents -= addContents(contentsRow, layout);
      }
      addField(row ?? plan.fieldRow(block, layout.field), layout, stats, parents);
      if (row !== undefined && plan.child[row]! >= 0) written.add(plan.child[row]! >> 1);
    }
  }
  return cells;
}

/**
 * The seven cells of one field in `parents` instances of its message. For a message field, the cells exclude the bytes
 * of its fields.
 */
export function measureField(
  { form, absence, count, flag }: FieldLayout,
  stats: FieldStatistics,
  parents: number,
): readonly number[] {
  const cells = new Array<number>(NATIVE_CELLS).fill(0);
  const absent = count === undefined ? parents - stats.present : 0;
  if (absence === 'flag') cells[NativeCell.FLAG] = parents * (flag?.kind === 'fixed' ? flag.bytes : 1);
  if (count !== undefined) {
    cells[NativeCell.COUNT] = count.kind === 'fixed' ? parents * count.bytes : parents + stats.countExtra;
  }
  if (form.kind === 'message') return cells;
  const stand = absence === 'tristate' ? { length: 0, value: 1 } : absentBytes(form);
  const unmarked = absence === 'flag' ? 0 : absent;
  cells[NativeCell.LENGTH] = lengthBytes(form, stats) + unmarked * stand.length;
  cells[NativeCell.VALUE] = valueBytes(form, stats) + unmarked * stand.value;
  cells[NativeCell.ABSENT] = unmarked * (stand.length + stand.value);
  return cells;
}

function lengthBytes(form: ValueForm, stats: FieldStatistics): number {
  if (form.kind !== 'string' && form.kind !== 'bytes') return 0;
  if (form.length.kind === 'fixed') return stats.elements * form.length.bytes;
  const units = form.kind === 'string' && form.unit === 'utf16' ? stats.textLength : 0;
  return stats.length + units;
}

function valueBytes(form: ValueForm, stats: FieldStatistics): number {
  switch (form.kind) {
    case 'string':
      return stats.value + (form.body === 'cesu8' ? stats.textBody : 0);
    case 'bytes':
      return stats.value;
    case 'bool':
      return stats.elements;
    case 'float':
      return stats.elements * form.bytes;
    case 'int':
      return intBytes(form.form, stats);
    default:
      return 0;
  }
}

function intBytes(form: IntForm, stats: FieldStatistics): number {
  if (form.kind === 'fixed') return stats.elements * form.bytes;
  const { valueWidths, zigzagWidths } = stats;
  // If the widths are not sufficient, the values are written and corrected later.
  if (form.kind === 'marked' || valueWidths === null) return stats.elements;
  if (form.zigzag) return bytesOf(zigzagWidths ?? []);
  const negatives = sum(stats.negatives);
  return bytesOf(valueWidths) - 10 * negatives + negatives * (form.bits === 32 ? 5 : 10);
}

/** Bytes of the default value that is written for an absent value. */
function absentBytes(form: ValueForm): { length: number; value: number } {
  switch (form.kind) {
    case 'int':
      return { length: 0, value: form.form.kind === 'fixed' ? form.form.bytes : 1 };
    case 'float':
      return { length: 0, value: form.bytes };
    case 'bool':
      return { length: 0, value: 1 };
    case 'string':
    case 'bytes':
      return { length: form.length.kind === 'fixed' ? form.length.bytes : 1, value: 0 };
    default:
      return { length: 0, value: 0 };
  }
}
