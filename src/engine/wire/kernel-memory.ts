/**
 * The layout of the kernel's memory. Only constants, because kernel/ is compiled with this file too.
 *
 *   │ histogram │ caches of tags and kinds │ dispatch tables │ rows of field paths │ annotations │ the message ▸ the stack ▸
 *
 * Only the message and the stack after it grow. Untouched pages take no memory.
 */
const MIB = 1048576;

/** An entry of zeros: the kernel has not resolved the tag yet. */
export const NO_ENTRY = 0;

/** Widths of the elements of the packed run that is being read. */
export const HISTOGRAM = 1024;

/** 32 bytes of ones, then 32 bytes of zeros. A read that begins n bytes before the middle gives a mask of n bytes. */
export const TEXT_MASK = 2048;

/** Cache of recent tags of two or more bytes: table, tag, entry; four, four and eight bytes. */
export const TAG_CACHE = 65536;
export const TAG_CACHE_BITS = 12;

/** Cache of recent kinds of rows: field, word, kind · 65536, unused; four bytes each. */
export const KIND_CACHE = 131072;
export const KIND_CACHE_BITS = 12;

/** 128 entries a block, for tags of one byte. */
export const DISPATCH = 1 * MIB;
export const DISPATCH_END = 33 * MIB;
export const BLOCK_SHIFT = 10;

export const ROWS = 33 * MIB;
export const ROWS_END = 105 * MIB;

/** Rows of a table, as in `AnnotationTable.cells`. */
export const ANNOTATIONS = 105 * MIB;
export const ANNOTATIONS_ROOM = 65536;
/** Bytes of one row. */
export const ANNOTATION_SIZE = 12;

export const MESSAGE = 107 * MIB;
/** Bytes after the message that the kernel may read; their contents do not matter. */
export const MESSAGE_PADDING = 96;
