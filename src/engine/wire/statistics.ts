/** The statistics of one field path, read from a scan's accumulators. All counts are exact integers. */
import type { FieldDescriptor } from '../schema/descriptor.ts';
import * as Cell from './cells.ts';
import { fixedSize, isLengthPrefixed, isVarint, tagWidth } from './encoding-facts.ts';
import type { Scan } from './scan.ts';

export interface FieldStatistics {
  /** undefined: an unknown number, or a known number with a wire type that is impossible for the field. */
  readonly field: FieldDescriptor | undefined;
  readonly number: number;
  readonly records: number;
  readonly elements: number;
  readonly packedRuns: number;
  /** Instances of the parent in which the field is present. */
  readonly present: number;
  readonly tag: number;
  readonly length: number;
  readonly value: number;
  readonly tagWidths: readonly number[];
  /** Counts at width − 1; null: records of the field's type have no lengths. */
  readonly lengthWidths: readonly number[] | null;
  readonly valueWidths: readonly number[] | null;
  /**
   * Widths of the same values as zigzag varints; null: zigzag is not defined for the type, or the widths are unknown.
   */
  readonly zigzagWidths: readonly number[] | null;
  readonly minSize: number;
  readonly maxSize: number;
  /** Records that hold a default value although the field has implicit presence. */
  readonly zeros: number;
  readonly overlong: number;
  /** The part of them that is not of tags. */
  readonly overlongBodies: number;
  /** Bytes that element counts, written as VInts, take beyond one byte per instance. */
  readonly countExtra: number;
  readonly textLength: number;
  readonly textBody: number;
  /** Negative values in ten bytes, at zigzag width − 1. */
  readonly negatives: readonly number[];
}

const NO_CELLS = new Float64Array(0);

const total = (widths: readonly number[]): number => widths.reduce((sum, count) => sum + count, 0);
const bytesOf = (widths: readonly number[]): number => widths.reduce((sum, count, at) => sum + count * (at + 1), 0);

/** By field: the statistics of a field that no message has. */
const absentFields = new WeakMap<FieldDescriptor, FieldStatistics>();

/** By the number of a row of PathPlan. */
const tagWidthAt = (number: number): number => (number > 0 ? tagWidth(number) : 1 - number);

/** Row −1 means a field that no message has. */
export function statisticsAt(scan: Scan, row: number, absent?: FieldDescriptor): FieldStatistics {
  const field = row < 0 ? absent : scan.plan.field[row];
  if (field === undefined || (row >= 0 && !scan.isEmpty(row))) return countedAt(scan, row, field);
  let statistics = absentFields.get(field);
  if (statistics === undefined) {
    statistics = countedAt(scan, -1, field);
    absentFields.set(field, statistics);
  }
  return statistics;
}

function countedAt(scan: Scan, row: number, field: FieldDescriptor | undefined): FieldStatistics {
  const cells = row < 0 ? NO_CELLS : scan.cellsAt(row);
  const { plan } = scan;
  const cell = (at: number) => cells[at] ?? 0;
  const list = (first: number, step = 1) => {
    const ten = new Array<number>(10);
    for (let i = 0; i < 10; i++) ten[i] = cells[first + step * i] ?? 0;
    return ten;
  };

  const full = list(Cell.WIDTHS + 1, 2);
  const widths = list(Cell.WIDTHS, 2).map((count, at) => count + full[at]!);
  const negatives = list(Cell.NEGATIVES);
  const lengthWidths = list(Cell.LENGTH_WIDTHS);
  const packedElements = cell(Cell.PACKED_ELEMENTS);
  const unknown = field === undefined;
  const varint = !unknown && isVarint(field.type);
  const fixed = unknown ? 0 : fixedSize(field.type);
  const expandedVarints = varint ? total(widths) - packedElements : 0;
  const records = cell(Cell.RECORDS) + total(lengthWidths) + expandedVarints;
  const expanded = records - cell(Cell.PACKED_RUNS);
  const tagWidths = new Array<number>(10).fill(0);
  const overlongTags = scan.overlongTags.get(row);
  if (row >= 0)
    tagWidths[tagWidthAt(plan.number[row]!) - 1] = records - (overlongTags === undefined ? 0 : total(overlongTags));
  overlongTags?.forEach((count, at) => {
    tagWidths[at]! += count;
  });
  const hasLengths = total(lengthWidths) > 0;
  const size = sizeRange(varint, fixed, widths, cell, expanded, packedElements);
  return {
    field,
    number: row < 0 ? field!.number : plan.number[row]!,
    records,
    elements: expanded + packedElements,
    packedRuns: cell(Cell.PACKED_RUNS),
    present: unknown || field.cardinality !== 'singular' ? cell(Cell.PRESENT) : records - cell(Cell.REPEATS),
    tag: bytesOf(tagWidths) + cell(Cell.END_TAG),
    length: bytesOf(lengthWidths),
    value: varint ? bytesOf(widths) : fixed > 0 ? (expanded + packedElements) * fixed : cell(Cell.VALUE),
    tagWidths,
    lengthWidths: hasLengths || (!unknown && (isLengthPrefixed(field.type) || field.packed)) ? lengthWidths : null,
    valueWidths: varint ? widths : null,
    zigzagWidths: varint ? zigzagOf(field, widths, full, negatives) : null,
    minSize: size.min,
    maxSize: size.max,
    zeros: cell(Cell.ZEROS),
    overlong: cell(Cell.OVERLONG) + cell(Cell.TAG_EXTRA),
    overlongBodies: cell(Cell.OVERLONG),
    countExtra: cell(Cell.COUNT_EXTRA),
    textLength: cell(Cell.TEXT_LENGTH),
    textBody: cell(Cell.TEXT_BODY),
    negatives,
  };
}

/** @param full for each width, the number of values whose zigzag form is one byte wider */
function zigzagOf(
  { type }: FieldDescriptor,
  widths: readonly number[],
  full: readonly number[],
  negatives: readonly number[],
): readonly number[] | null {
  if (type === 'sint32' || type === 'sint64') return widths;
  if (type === 'bool' || type === 'uint64') return null;
  const plain = widths.map((count, at) => (at === 9 ? count - total(negatives) : count));
  return plain.map((count, at) => count - full[at]! + (full[at - 1] ?? 0) + negatives[at]!);
}

/**
 * Payload sizes of records. For a packed field, sizes of elements; the size of a packed run is counted with the
 * lengths.
 */
function sizeRange(
  varint: boolean,
  fixed: number,
  widths: readonly number[],
  cell: (at: number) => number,
  expanded: number,
  packedElements: number,
): { min: number; max: number } {
  if (varint) {
    const first = widths.findIndex((count) => count > 0);
    return { min: first + 1, max: widths.findLastIndex((count) => count > 0) + 1 };
  }
  if (fixed > 0) return expanded + packedElements > 0 ? { min: fixed, max: fixed } : { min: 0, max: 0 };
  const min = cell(Cell.MIN_SIZE);
  return min === 0 ? { min: 0, max: 0 } : { min: min - 1, max: cell(Cell.MAX_SIZE) };
}
