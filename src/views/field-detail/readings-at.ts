/** Readings that fit the bytes of a record without a schema, at the selected row of the open message. */
import type { RowAddress } from '#engine/inspect/row-address.ts';
import { pathAt, rowOf, rowsOf } from '#engine/inspect/row-address.ts';
import { payloadEndAt, payloadStartAt } from '#engine/model/annotation.ts';
import { declaredLength } from '#engine/wire/value.ts';
import type { SessionState } from '#state/session-state.ts';
import { firstOf } from '#wording/field-detail-notes.ts';
import { spanWords } from '#wording/row-words.ts';
import { readingsOfRow } from '../tree/row-readings.ts';
import type { Readings } from './reading-list.tsx';

export type OpenMessage = NonNullable<SessionState['inspection']>;

/** Readings of the selected row, or else of the field's first row in the open message. */
export function readingsAt(inspection: OpenMessage, path: string, address: RowAddress | null): Readings | null {
  const { protobuf, ordinal, part } = inspection;
  const selected = rowsOf(inspection, address).protobuf;
  const row =
    selected >= 0 && pathAt(protobuf, selected) === path ? selected : rowOf(protobuf, { path, occurrence: 0 });
  const guesses = row < 0 ? [] : readingsOfRow(protobuf, row);
  if (guesses.length === 0) return null;
  const { table, bytes } = protobuf;
  const [start, end] = [payloadStartAt(table, row), payloadEndAt(table, row)];
  // A large message is shown in parts, whose rows count from their first byte.
  const from = part?.start ?? 0;
  const span = `${spanWords(from + start, from + end)} of message ${ordinal}`;
  const declared = declaredLength(table, bytes, row);
  return { where: declared > end - start ? `${span}, ${firstOf(declared)}` : span, guesses };
}
