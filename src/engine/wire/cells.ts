/**
 * The row of a field path in the kernel's memory: 64 cells of four bytes, then the counts of its lengths. Accumulators
 * come first, then the facts about the field that the kernel needs. Only constants, because kernel/ is compiled with
 * this file too.
 */
export const CELLS = 64;
/** Bytes of a row: its cells, and 128 counts, one for each length below 128. */
export const ROW_BYTES = (CELLS + 128) * 4;

/** The last message instance with this field, and the number of its elements so far. */
export const LAST = 0;
export const IN_INSTANCE = 1;
/**
 * Instances in which a repeated field is present. For a singular field, that is the number of records minus REPEATS.
 */
export const PRESENT = 2;
/**
 * Records of fixed width, groups and unknown numbers. All other records are counted by the widths of their lengths or
 * values.
 */
export const RECORDS = 3;
/** Payload bytes of strings, bytes and unknown records. */
export const VALUE = 4;
export const PACKED_RUNS = 5;
export const PACKED_ELEMENTS = 6;
/** Bytes that element counts, written as VInts, take beyond one byte per instance. */
export const COUNT_EXTRA = 7;
/**
 * Smallest payload size plus one (0: no record yet) and largest payload size of length-prefixed and unknown records.
 */
export const MIN_SIZE = 8;
export const MAX_SIZE = 9;
/** Bytes of overlong tags beyond the shortest form. */
export const TAG_EXTRA = 10;
export const END_TAG = 11;
/** Records that hold the default value of a field with implicit presence. */
export const ZEROS = 12;
/** Bytes of overlong lengths and values beyond the shortest form. */
export const OVERLONG = 13;
/** Change of the length prefixes if they count UTF-16 units (≤ 0), and change of the bodies in CESU-8 (≥ 0). */
export const TEXT_LENGTH = 14;
export const TEXT_BODY = 15;
/**
 * Varint values, including packed elements, by width. Each width has two cells, from (width − 1) · 2 on: the number of
 * values, and the number of those whose last byte uses all seven bits. The latter are one byte wider as zigzag.
 */
export const WIDTHS = 16;
/** Length prefixes by width − 1. */
export const LENGTH_WIDTHS = 36;
/** Negative int32, int64 and enum values by their zigzag width − 1. */
export const NEGATIVES = 46;
/** Further records of a singular field in the same message instance. */
export const REPEATS = 56;

/**
 * The annotating walk accumulates nothing. There, these cells cache kinds of rows · 65536: with a header length of one
 * byte or none, with two bytes, and for the flags in ODD_FLAGS.
 */
export const KIND = 2;
export const LONG_KIND = 3;
export const ODD_KIND = 4;
export const ODD_FLAGS = 5;

/** From this cell on: facts, which are not accumulated. */
export const FACTS = 57;
/**
 * Block of the message's contents · 2, plus 1 if entering it may enter a block that is already open; −1: not created
 * yet.
 */
export const CHILD = 57;
/**
 * IntegerKind, plus 256 · the highest bit, from 0 on, of a varint of the width from which it is checked in detail: the
 * width · 8 − 1.
 */
export const INTEGER = 58;
/** Index into the fields that table rows refer to. */
export const FIELD = 59;
/** Place of the row that stores the mark of this row's oneof. */
export const ONEOF = 60;
/** The instance in which a member of the oneof last occurred. */
export const ONEOF_LAST = 61;
/** Which accumulators are computed from the lengths of the row's records. */
export const HELD = 62;
/** VALUE: the records of the row are strings or bytes. */
export const HOLDS_BYTES = 1;
/** ZEROS: an empty record is the default value of a field with implicit presence. */
export const HOLDS_ZEROS = 2;
