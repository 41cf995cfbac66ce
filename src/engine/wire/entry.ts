/**
 * The kernel's actions at a tag: the entries of a plan's dispatch tables. Only constants, because kernel/ is compiled
 * with this file too.
 *
 *   entry of a plan = row · 4096 + traits · 16 + action
 *   in the kernel   = address of the row, action · 2 ^ 28 + child · 4096 + traits · 16 + action; four bytes each
 */
export const ENTRY_ROW_SHIFT = 12;
/** The action is in the highest bits too, so that entries compare as their actions do. */
export const ACTION_SHIFT = 28;
/** The block of a message's contents; 0 if the loops for usual records do not enter it. No such block is block 0. */
export const CHILD_SHIFT = 12;
export const CHILD = 0xffff << CHILD_SHIFT;
/** Bits of the cell CHILD. If one is set, the block is not created yet, or may be open already. */
export const NOT_ENTERED = 0x80000001;

/** Actions, the most frequent ones last. 0: the kernel has not resolved the tag yet. */
export const UNKNOWN_VARINT = 1;
export const UNKNOWN_I64 = 2;
export const UNKNOWN_I32 = 3;
export const UNKNOWN_LEN = 4;
export const UNKNOWN_GROUP = 5;
export const GROUP = 6;
export const PACKED_VARINT = 7;
export const PACKED_I64 = 8;
export const PACKED_I32 = 9;
export const BYTES = 10;
export const I32 = 11;
export const I64 = 12;
export const VARINT = 13;
export const MESSAGE = 14;
export const STRING = 15;

/** Traits, as bits of an entry. */
export const REPEATED = 1 << 4;
/** Singular with implicit presence: writing a default value is waste. */
export const IMPLICIT = 1 << 5;
export const ONEOF_MEMBER = 1 << 6;
/** No field of the schema has the number, or the wire type is impossible for the field. */
export const UNKNOWN = 1 << 7;
export const MISMATCH = 1 << 8;
/** Unknown in a message that has a schema: this is reported. */
export const REPORTED = 1 << 9;
/** Read by a guessed descriptor. */
export const GUESSED = 1 << 10;

/** The range of a varint field's values. */
export const UNSIGNED64 = 0;
export const SIGNED64 = 1;
export const SIGNED32 = 2;
export const UNSIGNED32 = 3;
export const BOOLEAN = 4;
