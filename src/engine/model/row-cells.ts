/** The layout of `AnnotationTable.cells`. Only constants, because wire/kernel/ is compiled with this file too. */

/** Start, end, kind · 65536 + distance to the parent. */
export const ROW_WORDS = 3;
/** The largest distance between a row and its parent that a cell can hold, in rows. */
export const MAX_DISTANCE = 65535;
