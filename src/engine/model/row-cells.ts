/** The layout of `AnnotationTable.cells`. Plain constants: wire/kernel/ is compiled with them too. */

/** Start, end, kind · 65536 + distance to the parent. */
export const ROW_WORDS = 3;
/** The most rows between a row and its parent that a distance can say. */
export const MOST_DISTANCE = 65535;
