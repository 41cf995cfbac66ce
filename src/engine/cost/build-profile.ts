/** Builds a profile, in schema order, from a scan and the native cells that were measured for it. */
import { countLoss, type LossCounts, lossSentences } from '../encodings/losses.ts';
import type { FieldLayout, LayoutOf } from '../native/layout.ts';
import { NATIVE_CELLS, NativeCell } from '../native/measure.ts';
import { type FieldDescriptor, pathSegment } from '../schema/descriptor.ts';
import { isContents } from '../wire/any.ts';
import type { Scan } from '../wire/scan.ts';
import { type FieldStatistics, statisticsAt } from '../wire/statistics.ts';
import { type WriterCost, weighTypes } from './alternatives.ts';
import {
  addCells,
  bytesIn,
  cellsIn,
  type FieldProfile,
  KEPT_AS_PROTOBUF,
  type LedgerCells,
  type LedgerTotals,
  PROTOBUF,
  type Profile,
} from './profile.ts';
import { wasteIn } from './waste-rules.ts';

export interface NativeSide {
  readonly profile: string;
  /** The profile's name for people. */
  readonly label: string;
  readonly layoutOf: LayoutOf;
  /** Fields of captured messages, which may be of a version whose layout has other fields. */
  readonly captured: ReadonlyMap<FieldDescriptor, FieldLayout>;
  /** Seven cells a row of the plan. */
  readonly cells: Float64Array;
  /** Number of texts that are not UTF-8: U+FFFD is written for their faulty bytes. */
  readonly replaced: number;
  /** The costs of other writers, given the row's cells. */
  readonly weigh: (row: number, layout: FieldLayout, stats: FieldStatistics, parents: number) => readonly WriterCost[];
}

/** How a field is written, besides its statistics. */
interface Place {
  readonly layout?: FieldLayout | undefined;
  /** It is the key of a map whose values contain it. */
  readonly isInValue?: boolean;
  /** It is in the contents of an Any. */
  readonly isInAny?: boolean;
}

/** @param native null: nothing was measured natively */
export function buildProfile(scan: Scan, native: NativeSide | null, header: Profile['header'] = null): Profile {
  const { plan } = scan;
  const fields: FieldProfile[] = [];
  const visited = new Set<number>();
  /** Extensions, which have no place in a native layout. */
  let unplaced = 0;

  /** Row −1 has none. */
  const cell = (row: number, at: number): number => native?.cells[row * NATIVE_CELLS + at] ?? 0;
  const hasCells = (row: number): boolean => [0, 1, 2, 3, 4].some((at) => cell(row, at) !== 0);
  const hasNative = (block: number): boolean =>
    [...plan.blocks[block]!.rowOfField.values()].some(
      (row) => hasCells(row) || (plan.child[row]! >> 1 > block && hasNative(plan.child[row]! >> 1)),
    );

  const hasOccurred = (block: number): boolean => block === 0 || (scan.instances[block] ?? 0) > 0 || hasNative(block);
  const listed = listedAbsent(scan, hasOccurred);

  /**
   * @param isInAny the block is in the contents of an Any, which have no layout
   * @param isOutside it is in a field that the layout does not have
   */
  const visit = (block: number, isInAny = false, isOutside = false): void => {
    if (visited.has(block)) return;
    visited.add(block);
    const { descriptor, rowOfField, rowOfItem, rowOfUnknown, path, depth } = plan.blocks[block]!;
    const instances = scan.instances[block] ?? 0;
    const isLaidOut = descriptor !== undefined && !isInAny && !isOutside;
    const layouts = new Map(
      isLaidOut ? native?.layoutOf(descriptor).fields.map((layout) => [layout.field, layout]) : [],
    );
    const layoutFor = (field: FieldDescriptor): FieldLayout | undefined =>
      layouts.get(field) ?? (isLaidOut ? native?.captured.get(field) : undefined);
    const extensions = [...rowOfField.values()]
      .map((row) => plan.field[row]!)
      .filter((field) => field.isExtension)
      .sort((a, b) => a.number - b.number);
    const absent: FieldProfile[] = [];
    for (const field of [...(descriptor?.fields ?? []), ...extensions]) {
      const row = rowOfField.get(field.number) ?? -1;
      const layout = layoutFor(field);
      // If a map's values contain its keys, the layout leaves out only the entry's own key.
      const isInValue =
        native !== null && descriptor?.isMapEntry === true && field.number === 1 && layout === undefined;
      const child = row < 0 ? -1 : plan.child[row]! >> 1;
      const stats = statisticsAt(scan, row, field);
      // The contents of an Any are shown in place of its value.
      if (rowOfItem.size > 0 && field.type === 'bytes' && stats.records === 0 && !hasCells(row)) continue;
      if (field.isExtension && !isInAny && !isOutside) unplaced += stats.present;
      enter(path, row, stats, instances, { layout, isInValue, isInAny });
      const isAbsent = stats.records === 0 && child < 0;
      if (isAbsent && (depth > listed.depth || (depth === listed.depth && listed.left-- <= 0)))
        absent.push(fields.pop()!);
      const isWritten = layout !== undefined || hasCells(row) || (child >= 0 && hasNative(child));
      if (child >= 0 && hasOccurred(child)) visit(child, isInAny, !isWritten);
    }
    if (absent.length > 0) fields.push(addUp(absent, path));
    for (const [field, row] of rowOfItem) {
      const value = isContents(field) ? descriptor!.byNumber.get(field.number)! : undefined;
      const layout = value === undefined ? undefined : layoutFor(value);
      const stats = statisticsAt(scan, row);
      if (field.isExtension && !isInAny && !isOutside) unplaced += stats.present;
      enter(path, row, stats, instances, { layout, isInAny });
      // An item of a message set is an extension.
      if (plan.child[row]! >= 0)
        visit(plan.child[row]! >> 1, isInAny || value !== undefined, isOutside || value === undefined);
    }
    for (const row of [...rowOfUnknown.values()].sort((a, b) => plan.number[a]! - plan.number[b]!)) {
      const stats = statisticsAt(scan, row);
      if (stats.number > 0 || stats.records > 0) enter(path, row, stats, instances, { isInAny });
    }
  };

  const nativeCells = (row: number, isInAny: boolean): LedgerCells => {
    const [length, value] = [cell(row, NativeCell.LENGTH), cell(row, NativeCell.VALUE)];
    if (isInAny) return { tag: cell(row, NativeCell.TYPE), length, value };
    return {
      flag: cell(row, NativeCell.FLAG),
      count: cell(row, NativeCell.COUNT),
      length,
      type: cell(row, NativeCell.TYPE),
      value,
    };
  };

  const enter = (
    parent: string,
    row: number,
    stats: FieldStatistics,
    parents: number,
    { layout, isInValue = false, isInAny = false }: Place,
  ): void => {
    const { field, number } = stats;
    const name = field === undefined ? plan.name[row]! : pathSegment(field);
    fields.push({
      path: parent === '' ? name : `${parent}.${name}`,
      parent,
      name,
      number: Math.max(0, number),
      declared: field === undefined ? null : declared(field),
      writer: native !== null && isInAny ? KEPT_AS_PROTOBUF : (layout?.label ?? null),
      occurrences: stats.records,
      elements: stats.elements,
      packedRuns: stats.packedRuns,
      parents,
      presence: stats.present,
      ledgers: {
        [PROTOBUF]: { tag: stats.tag, length: stats.length, value: stats.value },
        ...(native && { [native.profile]: nativeCells(row, isInAny) }),
      },
      absent: row < 0 ? 0 : cell(row, NativeCell.ABSENT),
      names: {
        [PROTOBUF]: isInValue ? stats.tag + stats.length + stats.value : 0,
        ...(native && { [native.profile]: row < 0 ? 0 : cell(row, NativeCell.NAME) }),
      },
      utf16: layout !== undefined && countsUnits(layout) ? 0 - stats.textLength : 0,
      widths: { tag: stats.tagWidths, length: stats.lengthWidths, value: stats.valueWidths },
      size: { min: stats.minSize, max: stats.maxSize },
      waste: wasteIn(stats),
      writers:
        layout === undefined || native === null || (field !== undefined && isContents(field))
          ? []
          : native.weigh(row, layout, stats, parents),
      types: weighTypes(stats),
    });
  };

  visit(0);
  for (const { index } of plan.blocks) if ((scan.instances[index] ?? 0) > 0) visit(index);
  const sumIn = (id: string): number => fields.reduce((bytes, field) => bytes + bytesIn(field, id), 0);
  if (sumIn(PROTOBUF) + scan.unattributed !== scan.bytes) throw new Error('A ledger does not sum to its input.');
  const { unattributed } = scan;
  const losses: LossCounts = {};
  countLoss(losses, 'invalid-utf8', native?.replaced);
  countLoss(losses, 'extension', unplaced);
  return {
    type: plan.blocks[0]!.descriptor?.fullName ?? '',
    pair: [PROTOBUF, native?.profile ?? null],
    messages: scan.messages,
    ledgers: {
      [PROTOBUF]: totals('protobuf', scan.bytes, unattributed === 0 ? {} : { '': { unattributed } }),
      ...(native && {
        [native.profile]: { ...totals(native.label, sumIn(native.profile)), losses: lossSentences(losses) },
      }),
    },
    header,
    unattributed,
    fields,
  };
}

const totals = (label: string, bytes: number, own: LedgerTotals['own'] = {}): LedgerTotals => ({
  ...{ label, bytes, refused: null, losses: [], own },
});

/**
 * Absent fields are listed level by level, as long as they are at most this many. Below, those of one message become a
 * single row. A type with hundreds of fields may contain itself.
 */
const MAX_ABSENT = 1024;

/** The deepest level whose absent fields are listed, and how many of them are. */
function listedAbsent(scan: Scan, hasOccurred: (block: number) => boolean) {
  const { blocks, child } = scan.plan;
  const perDepth: number[] = [];
  for (const { index, descriptor, depth, rowOfField } of blocks) {
    if (descriptor === undefined || !hasOccurred(index)) continue;
    const present = [...rowOfField.values()].filter((row) => child[row]! >= 0 || statisticsAt(scan, row).records > 0);
    perDepth[depth] = (perDepth[depth] ?? 0) + Math.max(0, descriptor.fields.length - present.length);
  }
  let left = MAX_ABSENT;
  for (const [depth, count = 0] of perDepth.entries()) {
    if (count > left) return { depth, left };
    left -= count;
  }
  return { depth: Number.POSITIVE_INFINITY, left };
}

/** Sums the absent fields of one message: they are counted, but not listed. */
function addUp(absent: readonly FieldProfile[], parent: string): FieldProfile {
  const sum = (of: (field: FieldProfile) => number): number => absent.reduce((total, field) => total + of(field), 0);
  return {
    ...absent[0]!,
    path: parent === '' ? '…' : `${parent}.…`,
    parent,
    name: `… ${absent.length} absent`,
    number: 0,
    declared: null,
    writer: null,
    ledgers: Object.fromEntries(
      Object.keys(absent[0]!.ledgers).map((id) => [
        id,
        absent.reduce((cells, field) => addCells(cells, cellsIn(field, id)), {} as LedgerCells),
      ]),
    ),
    absent: sum((field) => field.absent),
    names: Object.fromEntries(Object.keys(absent[0]!.names).map((id) => [id, sum(({ names }) => names[id] ?? 0)])),
    utf16: 0,
    writers: [],
    types: [],
  };
}

/** Whether native length prefixes count UTF-16 units instead of bytes. */
const countsUnits = ({ form }: FieldLayout): boolean =>
  form.kind === 'string' && form.unit === 'utf16' && form.length.kind === 'varint';

function declared(field: FieldDescriptor): FieldProfile['declared'] {
  return {
    fullName: field.fullName,
    type: field.message?.fullName ?? field.enum?.fullName ?? field.type,
    kind: field.type,
    cardinality: field.cardinality,
    presence: field.presence,
    packed: field.packed,
  };
}
