/**
 * The ledger of one message: rows that tile its bytes, each with a meaning. Every encoding produces it.
 *
 *   protobuf  ┌ tag ┬ length ┬ payload (children, or the value) ┬ group end ┐
 *   native    ┌ flag ┬ type ┬ count ┬ length ┬ payload (children, or the value) ┐
 *
 * Every encoding except protobuf uses the native form. An encoding that consists of tokens leaves the slots empty, and
 * each token is a row of its own.
 *
 * Row 0 is the message. Rows are in pre-order: a parent precedes its children, and a subtree is contiguous. The
 * children of a row tile it after its slots. A row without children owns its payload.
 * Hence for any input the own bytes of all rows sum to the message's length.
 */
import type { FieldFacts } from '../schema/descriptor.ts';
import { ROW_WORDS } from './row-cells.ts';

export type Encoding = 'protobuf' | 'native';

/** The use of a byte. Colours, ledgers and exports all use this list. */
export const CATEGORIES = [
  'tag',
  'length',
  'value',
  'flag',
  'count',
  'type',
  'group-end',
  'header',
  'unattributed',
  'key',
  'punctuation',
  'quotes',
  'space',
  'offset',
  'padding',
] as const;
export type Category = (typeof CATEGORIES)[number];

/** The slots of a row's header, four bits each, lowest first, in the order of the bytes. */
export const SLOTS = {
  protobuf: ['tag', 'length', 'group-end'],
  native: ['flag', 'type', 'count', 'length'],
} as const satisfies Record<Encoding, readonly Category[]>;

/** Wire types by their names in the protobuf encoding guide. */
export const WireType = { VARINT: 0, I64: 1, LEN: 2, SGROUP: 3, EGROUP: 4, I32: 5 } as const;
export const WIRE_TYPE_NAMES = ['VARINT', 'I64', 'LEN', 'SGROUP', 'EGROUP', 'I32'] as const;

export * as Flag from './row-flags.ts';

export const NO_WIRE_TYPE = 7;

/**
 * Each row takes twelve bytes. Values that do not fit are in `farParents` and `rareFields`. Field values are not
 * stored; they are decoded from the bytes on demand. Read the table with the functions below.
 */
export interface AnnotationTable<F extends FieldFacts = FieldFacts> {
  readonly encoding: Encoding;
  /** Number of rows. The message's bytes are `endAt(table, 0)`. */
  readonly length: number;
  /**
   * Three words a row: its start, its end (both messageOffsets), and kind · 65536 + distance to its parent. Distance 0:
   * see `farParents`; row 0 has no parent.
   */
  readonly cells: Uint32Array;
  /**
   * Two words a kind: the field (RARE_FIELD: see `rareFields`), and header + flags · 65536. Other tables may share the
   * array.
   */
  readonly kinds: Int32Array;
  /** Pairs (row, parent), rows ascending. From that row on, it is the parent of each row whose distance is 0. */
  readonly farParents: Int32Array;
  /** Pairs (row, field), rows ascending. */
  readonly rareFields: Int32Array;
  /** The fields that rows refer to. */
  readonly fields: readonly F[];
  /** Whether the message's type was guessed from data. */
  readonly isGuessed?: boolean;
}

/** Marks a kind whose field is in `rareFields`. */
export const RARE_FIELD = -0x80000000;

/** messageOffset of the row's first byte. */
export const startAt = ({ cells }: Pick<AnnotationTable, 'cells'>, row: number): number => cells[row * ROW_WORDS]!;

/** messageOffset one past its last byte. */
export const endAt = ({ cells }: Pick<AnnotationTable, 'cells'>, row: number): number => cells[row * ROW_WORDS + 1]!;

/** Row of the parent; −1 for row 0. */
export function parentAt({ cells, farParents }: Pick<AnnotationTable, 'cells' | 'farParents'>, row: number): number {
  const distance = cells[row * ROW_WORDS + 2]! & 0xffff;
  return distance !== 0 ? row - distance : lastUpTo(farParents, row);
}

/**
 * ≥ 0: index into `fields`. −1: no field (the message, an element, unattributed bytes). ≤ −2: the field with the
 * unknown number n, as −2 − n.
 */
export function fieldAt(
  { cells, kinds, rareFields }: Pick<AnnotationTable, 'cells' | 'kinds' | 'rareFields'>,
  row: number,
): number {
  const field = kinds[(cells[row * ROW_WORDS + 2]! >>> 16) * 2]!;
  return field === RARE_FIELD ? lastUpTo(rareFields, row) : field;
}

/** Sizes of the row's slots, four bits each, in the order of SLOTS[encoding]. */
export const headerSizesAt = ({ cells, kinds }: Pick<AnnotationTable, 'cells' | 'kinds'>, row: number): number =>
  kinds[(cells[row * ROW_WORDS + 2]! >>> 16) * 2 + 1]! & 0xffff;

/** Wire type, category of the own payload, and bits of Flag. */
export const flagsAt = ({ cells, kinds }: Pick<AnnotationTable, 'cells' | 'kinds'>, row: number): number =>
  kinds[(cells[row * ROW_WORDS + 2]! >>> 16) * 2 + 1]! >>> 16;

/** The value of the last pair whose row is at most `row`; −1 if there is no such pair. */
function lastUpTo(pairs: Int32Array, row: number): number {
  let low = 0;
  let high = pairs.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pairs[2 * middle]! <= row) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? -1 : pairs[2 * low - 1]!;
}

/** Unknown field numbers share the `field` column: 0 ⇒ −2, 7 ⇒ −9. The pair is its own inverse. */
export const unknownField = (number: number): number => -2 - number;

export const slotAt = (table: AnnotationTable, row: number, slot: number): number =>
  (headerSizesAt(table, row) >> (slot * 4)) & 15;

export const wireTypeAt = (table: AnnotationTable, row: number): number => flagsAt(table, row) & 7;

export const payloadCategoryAt = (table: AnnotationTable, row: number): Category =>
  CATEGORIES[(flagsAt(table, row) >> 3) & 15]!;

/** messageOffset of the payload's first byte, after the slots that precede it. */
export function payloadStartAt(table: AnnotationTable, row: number): number {
  const head = headerSizesAt(table, row);
  const before = (head & 15) + ((head >> 4) & 15);
  return startAt(table, row) + (table.encoding === 'protobuf' ? before : before + ((head >> 8) & 15) + (head >> 12));
}

/** messageOffset one past the payload's last byte, before a group's end tag. */
export const payloadEndAt = (table: AnnotationTable, row: number): number =>
  endAt(table, row) - (table.encoding === 'protobuf' ? (headerSizesAt(table, row) >> 8) & 15 : 0);

/**
 * For each row, one past the last row of its subtree. Rows are in pre-order, so one pass from the end finds it.
 * Offsets alone do not show it, because rows may have no bytes.
 */
export function subtreeEnds(table: AnnotationTable, ends: Uint32Array = new Uint32Array(table.length)): Uint32Array {
  ends.fill(0, 0, table.length);
  for (let row = table.length - 1; row >= 0; row--) {
    if (ends[row] === 0) ends[row] = row + 1;
    const above = parentAt(table, row);
    if (above >= 0 && ends[above]! < ends[row]!) ends[above] = ends[row]!;
  }
  return ends;
}

/** Composes a `flags` cell. */
export const composeFlags = (wireType: number, payload: Category): number =>
  wireType | (CATEGORIES.indexOf(payload) << 3);
