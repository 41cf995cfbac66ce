/**
 * The contents of a google.protobuf.Any in a native stream. `value` holds bytes, and so the stream has the protobuf
 * bytes of the contents, tags and all, whose rows explain them here too.
 */
import {
  type AnnotationTable,
  composeFlags,
  endAt,
  Flag,
  fieldAt,
  flagsAt,
  headerSizesAt,
  parentAt,
  payloadEndAt,
  payloadStartAt,
  startAt,
  wireTypeAt,
} from '../model/annotation.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';
import { NativeSlot } from './layout.ts';
import type { RowSink } from './rows.ts';

/** A row that is not complete: its end tag follows its children. */
interface OpenGroup {
  readonly wireRow: number;
  readonly parent: number;
}

/**
 * Adds the rows of a record's contents, which were written from `at` on, below the native row `row`. They have their
 * wire types. A record that is unknown or cannot be read is one row.
 * @param comesFrom gets the protobuf row of each one
 */
export function addContents(
  rows: RowSink,
  wire: AnnotationTable<FieldDescriptor>,
  from: number,
  at: number,
  row: number,
  comesFrom: (wireRow: number) => void,
): void {
  const shift = at - payloadStartAt(wire, from);
  /** By the protobuf row, from `from` on. */
  const nativeRow = [row];
  const groups: OpenGroup[] = [];
  const add = (start: number, end: number, parent: number, wireRow: number, head: number): number => {
    const field = fieldAt(wire, wireRow);
    comesFrom(wireRow);
    const added = rows.length;
    const index = field < 0 ? field : rows.fieldIndex(wire.fields[field]!);
    rows.add(start + shift, end + shift, parent, index, head, composeFlags(wireTypeAt(wire, wireRow), 'value'));
    return added;
  };
  const endGroups = (above: number): void => {
    for (let group = groups.at(-1); group !== undefined && group.wireRow > above; group = groups.at(-1)) {
      const end = endAt(wire, group.wireRow);
      const size = end - payloadEndAt(wire, group.wireRow);
      add(end - size, end, group.parent, group.wireRow, size << (4 * NativeSlot.TYPE));
      groups.pop();
    }
  };
  for (let inner = from + 1; inner < wire.length && parentAt(wire, inner) >= from; inner++) {
    const above = parentAt(wire, inner);
    endGroups(above);
    const parent = nativeRow[above - from];
    // It is part of a record that is one row.
    if (parent === undefined) continue;
    const sizes = headerSizesAt(wire, inner);
    const head = ((sizes & 15) << (4 * NativeSlot.TYPE)) | (((sizes >> 4) & 15) << (4 * NativeSlot.LENGTH));
    const isMalformed = (flagsAt(wire, inner) & Flag.MALFORMED) !== 0;
    const end = isMalformed ? endAt(wire, inner) : payloadEndAt(wire, inner);
    const added = add(startAt(wire, inner), end, parent, inner, head);
    if (!isMalformed && fieldAt(wire, inner) >= 0) nativeRow[inner - from] = added;
    if (end < endAt(wire, inner)) groups.push({ wireRow: inner, parent });
  }
  endGroups(from);
}
