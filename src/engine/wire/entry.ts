/**
 * The kernel's actions at a tag: the entries of a plan's dispatch tables. They are plain constants, because kernel/ is
 * compiled with them.
 *
 *   entry = row · 4096 + traits · 16 + action
 */
export const ENTRY_ROW_SHIFT = 12;

/** Actions. 0: the tag is new. */
export const VARINT = 1;
export const I64 = 2;
export const I32 = 3;
export const BYTES = 4;
export const STRING = 5;
export const MESSAGE = 6;
export const GROUP = 7;
export const PACKED_VARINT = 8;
export const PACKED_I64 = 9;
export const PACKED_I32 = 10;
export const UNKNOWN_VARINT = 11;
export const UNKNOWN_I64 = 12;
export const UNKNOWN_I32 = 13;
export const UNKNOWN_LEN = 14;
export const UNKNOWN_GROUP = 15;

/** Traits, as bits of an entry. */
export const REPEATED = 1 << 4;
/** Singular with implicit presence: a default value on the wire is waste. */
export const IMPLICIT = 1 << 5;
export const ONEOF_MEMBER = 1 << 6;
/** No field of the schema has the number, or one whose wire type it cannot be. */
export const UNKNOWN = 1 << 7;
export const MISMATCH = 1 << 8;
/** Unknown in a message that has a schema: worth saying. */
export const REPORTED = 1 << 9;
/** By a descriptor that was guessed. */
export const GUESSED = 1 << 10;

/** How the values of a varint field are bounded. */
export const UNSIGNED64 = 0;
export const SIGNED64 = 1;
export const SIGNED32 = 2;
export const UNSIGNED32 = 3;
export const BOOLEAN = 4;
