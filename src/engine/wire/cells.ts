/**
 * The row of a field path in the kernel's memory: 64 cells of four bytes, so that a row's place is a shift.
 * Accumulators first, then what the kernel has to know of the field. Plain constants: kernel/ is compiled with them too.
 */
export const ROW_SHIFT = 8;

/** The message instance that was last seen with this field, and how many elements it has so far. */
export const LAST = 0;
export const IN_INSTANCE = 1;
/** Instances in which a repeated field is present; of a singular one, those are its records less REPEATS. */
export const PRESENT = 2;
/** Records of fixed width, groups and unknown numbers; all others are counted by the widths of length or value. */
export const RECORDS = 3;
/** Payload bytes of strings, bytes and unknown records. */
export const VALUE = 4;
export const PACKED_RUNS = 5;
export const PACKED_ELEMENTS = 6;
/** Bytes that VInt counts of the elements take beyond one per instance. */
export const COUNT_EXTRA = 7;
/** Smallest payload (plus one, 0: none yet) and largest, of length-prefixed and unknown records. */
export const MIN_SIZE = 8;
export const MAX_SIZE = 9;
/** Bytes of overlong tags beyond the shortest form. */
export const TAG_EXTRA = 10;
export const END_TAG = 11;
/** Records that hold the default value of a field with implicit presence. */
export const ZEROS = 12;
/** Bytes of overlong lengths and values beyond the shortest form. */
export const OVERLONG = 13;
/** Change of the length prefixes if UTF-16 units are counted (≤ 0), and of the bodies in CESU-8 (≥ 0). */
export const TEXT_LENGTH = 14;
export const TEXT_BODY = 15;
/**
 * Varint values, packed elements included: two cells a width, (width − 1) · 2, and one more for the values whose last
 * byte uses all seven bits: as zigzag they are one byte wider.
 */
export const WIDTHS = 16;
/** Length prefixes by width − 1. */
export const LENGTH_WIDTHS = 36;
/** Negative int32, int64 and enum values by their zigzag width − 1. */
export const NEGATIVES = 46;
/** Further records of a singular field in the same message. */
export const REPEATS = 56;

/**
 * Annotating adds nothing up. There, these cells hold kinds of rows · 65536, once they are known: with one byte of length or
 * none, with two, and for the flags in ODD_FLAGS.
 */
export const KIND = 2;
export const LONG_KIND = 3;
export const ODD_KIND = 4;
export const ODD_FLAGS = 5;

/** From here on facts, which no sum touches. */
export const FACTS = 57;
/** Block of a message's contents · 2, plus 1 if entering it may enter a block that is entered already; −1: not entered yet. */
export const CHILD = 57;
/** IntegerKind, and · 256 the width from which on a varint is looked at closely. */
export const INTEGER = 58;
/** Index into the fields that rows of a table refer to. */
export const FIELD = 59;
/** Place of the row that keeps the mark of this row's oneof, plus 1; 0: the field is in none. */
export const ONEOF = 60;
/** The instance in which a member of the oneof last occurred. */
export const ONEOF_LAST = 61;
/** Which sums follow from the lengths of the row's records. */
export const HELD = 62;
/** VALUE: its records are strings or bytes. */
export const HOLDS_BYTES = 1;
/** ZEROS: an empty one is the default value of a field with implicit presence. */
export const HOLDS_ZEROS = 2;
