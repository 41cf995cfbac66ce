/**
 * The ledger of one message: rows that tile its bytes, each with a meaning. Every encoding produces it.
 *
 *   wire    ┌ tag ┬ length ┬ payload (children, or the value) ┬ group end ┐
 *   native  ┌ flag ┬ type ┬ count ┬ length ┬ payload (children, or the value) ┐
 *
 * Every encoding but protobuf has the native form; one that is made of tokens leaves the slots empty, and each token is
 * a row of its own.
 *
 * Row 0 is the message; rows are in pre-order, so a parent precedes its children and a subtree is contiguous.
 * A row with children is tiled by them behind its slots; one without owns its payload.
 * Hence for any input the own bytes of all rows sum to the message's length.
 */
import type { FieldFacts } from '../schema/descriptor.ts';

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
] as const;
export type Category = (typeof CATEGORIES)[number];

/** The slots of a row's head, four bits each in `AnnotationTable.head`, lowest first, in the order of the bytes. */
export const SLOTS = {
  protobuf: ['tag', 'length', 'group-end'],
  native: ['flag', 'type', 'count', 'length'],
} as const satisfies Record<Encoding, readonly Category[]>;

/** Wire types by their names in the protobuf encoding guide. */
export const WireType = { VARINT: 0, I64: 1, LEN: 2, SGROUP: 3, EGROUP: 4, I32: 5 } as const;
export const WIRE_TYPE_NAMES = ['VARINT', 'I64', 'LEN', 'SGROUP', 'EGROUP', 'I32'] as const;

export * as Flag from './row-flags.ts';

export const NO_WIRE_TYPE = 7;

/** Struct of arrays: 20 bytes a row. Values are not stored; they are decoded from the bytes on demand. */
export interface AnnotationTable<F extends FieldFacts = FieldFacts> {
  readonly encoding: Encoding;
  /** Number of rows: of entries in each column. The message's bytes are `end[0]`. */
  readonly length: number;
  /** messageOffset of the row's first byte. */
  readonly start: Uint32Array;
  /** messageOffset one past its last byte. */
  readonly end: Uint32Array;
  /** Row of the parent; −1 for row 0. */
  readonly parent: Int32Array;
  /** ≥ 0: index into `fields`. −1: no field (the message, an element, unattributed bytes). ≤ −2: unknown number −2 − n. */
  readonly field: Int32Array;
  /** Sizes of the slots, four bits each, in the order of SLOTS[encoding]. */
  readonly head: Uint16Array;
  /** Wire type, category of the own payload, and bits of Flag. */
  readonly flags: Uint16Array;
  /** The fields that rows refer to. */
  readonly fields: readonly F[];
}

/** Unknown field numbers share the `field` column: 0 ⇒ −2, 7 ⇒ −9. The pair is its own inverse. */
export const unknownField = (number: number): number => -2 - number;

export const slotAt = (table: AnnotationTable, row: number, slot: number): number =>
  (table.head[row]! >> (slot * 4)) & 15;

export const wireTypeAt = (table: AnnotationTable, row: number): number => table.flags[row]! & 7;

export const payloadCategoryAt = (table: AnnotationTable, row: number): Category =>
  CATEGORIES[(table.flags[row]! >> 3) & 15]!;

/** messageOffset of the payload: behind the slots that precede it. */
export function payloadStartAt(table: AnnotationTable, row: number): number {
  const head = table.head[row]!;
  const before = (head & 15) + ((head >> 4) & 15);
  return table.start[row]! + (table.encoding === 'protobuf' ? before : before + ((head >> 8) & 15) + (head >> 12));
}

/** messageOffset one past the payload: before a group's end tag. */
export const payloadEndAt = (table: AnnotationTable, row: number): number =>
  table.end[row]! - (table.encoding === 'protobuf' ? (table.head[row]! >> 8) & 15 : 0);

/**
 * One past the last row of each row's subtree. Pre-order makes it one pass from the end.
 * Offsets alone do not show it, because rows may have no bytes.
 */
export function subtreeEnds(
  { parent }: Pick<AnnotationTable, 'parent'>,
  ends: Uint32Array = new Uint32Array(parent.length),
): Uint32Array {
  const { length } = parent;
  ends.fill(0);
  for (let row = length - 1; row >= 0; row--) {
    if (ends[row] === 0) ends[row] = row + 1;
    const above = parent[row]!;
    if (above >= 0 && ends[above]! < ends[row]!) ends[above] = ends[row]!;
  }
  return ends;
}

/** Composes a `flags` cell. */
export const composeFlags = (wireType: number, payload: Category, bits = 0): number =>
  wireType | (CATEGORIES.indexOf(payload) << 3) | bits;
