/**
 * The cost of a field in another form: in the native encoding with another writer, or in protobuf with another type. It
 * is computed from the statistics and is exact. If the statistics do not determine it, there is no result.
 */
import { deriveLayouts, type Overrides } from '../native/derive.ts';
import type { FieldLayout } from '../native/layout.ts';
import { isMeasurable, measureField, NativeCell } from '../native/measure.ts';
import type { NativeProfile } from '../native/profiles.ts';
import { type WriterName, writerOf, writersFor } from '../native/writers.ts';
import type { FieldDescriptor, FieldType, MessageDescriptor } from '../schema/descriptor.ts';
import { fixedSize } from '../wire/encoding-facts.ts';
import type { FieldStatistics } from '../wire/statistics.ts';

export interface WriterCost {
  /** As `schemas/native/options.proto` names it. */
  readonly writer: WriterName;
  /** Native bytes of the field, including flags and counts. */
  readonly bytes: number;
}

export interface AlternativeCost {
  /** A scalar type of protobuf that holds the same values. */
  readonly type: FieldType;
  /** Protobuf bytes of the field, including tags. Length prefixes of enclosing messages are assumed unchanged. */
  readonly bytes: number;
}

/** Sums all cells except ABSENT and NAME, which are parts of the others. */
const sumOf = (cells: readonly number[]): number =>
  cells.reduce((sum, bytes, cell) => (cell < NativeCell.ABSENT ? sum + bytes : sum), 0);

/** The layout of a field with another writer; undefined: the message then has no place for the field. */
export type LayOutWith = (field: FieldDescriptor, writer: WriterName) => FieldLayout | undefined;

type LaidOut = Map<MessageDescriptor, ReadonlyMap<FieldDescriptor, FieldLayout>>;

/**
 * Lays out a message once for each writer, and uses that writer for all fields of the message. The layout of a field
 * does not depend on other fields.
 */
export function layOutsWith(profile: NativeProfile, overrides: Overrides): LayOutWith {
  const layouts = new Map<WriterName, LaidOut>();
  return (field, writer) => {
    const known: LaidOut = layouts.get(writer) ?? new Map();
    layouts.set(writer, known);
    const { parent } = field;
    let fields = known.get(parent);
    if (fields === undefined) {
      const everywhere = Object.fromEntries(parent.fields.map(({ fullName }) => [fullName, writer]));
      const laidOut = deriveLayouts(profile, { ...overrides, ...everywhere })(parent).fields;
      fields = new Map(laidOut.map((layout) => [layout.field, layout]));
      known.set(parent, fields);
    }
    return fields.get(field);
  };
}

/**
 * @param written the seven measured cells of the field. Returns no alternatives if the cells differ from what the
 * statistics predict.
 */
export function weighWriters(
  layout: FieldLayout,
  stats: FieldStatistics,
  parents: number,
  written: readonly number[],
  layOutWith: LayOutWith,
): readonly WriterCost[] {
  const { field } = layout;
  const names = writersFor(field.type, stats);
  const used = writerOf(layout.form);
  if (names.length === 0 || used === undefined || stats.overlong > 0 || !isMeasurable(layout)) return [];
  if (measureField(layout, stats, parents).some((bytes, cell) => bytes !== written[cell])) return [];
  return [used, ...names.filter((name) => name !== used)].flatMap((writer) => {
    const other = layOutWith(field, writer);
    return other !== undefined && isMeasurable(other)
      ? [{ writer, bytes: sumOf(measureField(other, stats, parents)) }]
      : [];
  });
}

/**
 * For integers that are written as varints, one record each. A change of a packed run's length prefix is not counted.
 */
export function weighTypes(stats: FieldStatistics): readonly AlternativeCost[] {
  const { field, valueWidths, zigzagWidths, elements, packedRuns, overlong } = stats;
  if (field === undefined || valueWidths === null || packedRuns > 0 || overlong > 0) return [];
  const others = OTHER_TYPES[field.type] ?? [];
  const around = stats.tag + stats.length;
  return [{ type: field.type, bytes: around + stats.value }].concat(
    others.flatMap((type) => {
      const size = fixedSize(type);
      if (size > 0) return [{ type, bytes: around + elements * size }];
      if (zigzagWidths === null) return [];
      return [{ type, bytes: around + zigzagWidths.reduce((bytes, count, at) => bytes + count * (at + 1), 0) }];
    }),
  );
}

const OTHER_TYPES: Readonly<Partial<Record<FieldType, readonly FieldType[]>>> = {
  int32: ['sint32', 'sfixed32'],
  int64: ['sint64', 'sfixed64'],
  uint32: ['fixed32'],
  uint64: ['fixed64'],
  sint32: ['sfixed32'],
  sint64: ['sfixed64'],
};
