/**
 * Where things lie in the kernel's memory. Plain constants: kernel/ is compiled with them too.
 *
 *   │ histogram │ caches of tags and kinds │ dispatch tables │ rows of field paths │ lengths │ annotations │ the message ▸ the stack ▸
 *
 * Only the message and the stack behind it grow. Untouched pages take no memory.
 */
const MIB = 1048576;

/** Widths of the packed run that is being read. */
export const HISTOGRAM = 1024;

/** 32 bytes of ones, then 32 of zeros: from n before the middle on, a mask of n bytes. */
export const TEXT_MASK = 2048;

/** The tags of two bytes and more that were used last: table, tag, entry, nothing; four bytes each. */
export const TAG_CACHE = 65536;
export const TAG_CACHE_BITS = 12;

/** The kinds of rows that were used last: field, word, kind · 65536, nothing; four bytes each. */
export const KIND_CACHE = 131072;
export const KIND_CACHE_BITS = 12;

/** 128 entries a block, for the tags of one byte. */
export const DISPATCH = 1 * MIB;
export const DISPATCH_END = 17 * MIB;
export const BLOCK_SHIFT = 9;

export const ROWS = 17 * MIB;
export const ROWS_END = 41 * MIB;

/** 128 counts a row, one for each length below 128; in the order of the rows. */
export const LENGTHS = 41 * MIB;

/** Rows of a table, as in `AnnotationTable.cells`. */
export const ANNOTATIONS = 89 * MIB;
export const ANNOTATIONS_ROOM = 65536;
/** Bytes of one row. */
export const ANNOTATION_SIZE = 12;

export const MESSAGE = 91 * MIB;
/** Bytes behind the message that may be read, and mean nothing. */
export const MESSAGE_PADDING = 96;
