/** The kernel's imports. Offsets in a message are relative to its start. */

/**
 * The entry of a tag that is new in a block. Its record continues at `start` and ends before `end`; both are addresses
 * in the kernel's memory.
 */
export declare function resolve(block: u32, tag: u32, start: u32, end: u32): u32;
/** The CHILD cell of a row whose first message is entered. Rows are addressed by their places. */
export declare function enter(row: u32): i32;
/** A record of the row has a tag of `width` bytes, which is longer than necessary. */
export declare function overlongTag(row: u32, width: u32): void;

export declare function fault(fault: u32, start: u32, end: u32): void;
export declare function unknown(block: u32, number: u32, start: u32, end: u32): void;
export declare function mismatch(block: u32, tag: u32, start: u32, end: u32): void;
/** A string of the row is not UTF-8. */
export declare function invalidText(row: u32, start: u32, end: u32): void;
/** The array of annotations is full. It starts again with row `rows`. */
export declare function spill(rows: u32): void;
/** Sets bits in the kind of a spilled row, and its end unless `end` is 0. */
export declare function patch(row: u32, end: u32, word: u32): void;
/** The kind of row `annotation`. Above 65535, the kind does not contain the field, and the host stores the field. */
export declare function kind(field: i32, word: u32, annotation: u32): u32;
/** The kind that equals `kind` with the bits of `word` set too. */
export declare function kindWith(kind: u32, word: u32): u32;
/** From row `annotation` on, `parent` is the parent of each row that is far from its parent. */
export declare function far(annotation: u32, parent: u32): void;
