/** The kernel's imports. Offsets in a message are relative to its start. */

/** The entry of a tag that is new in a block; its record goes on at `start`, within `end`: both in the kernel's memory. */
export declare function resolve(block: u32, tag: u32, start: u32, end: u32): u32;
/** The CHILD cell of a row that had no message yet. */
export declare function enter(row: u32): i32;
/** A record of the row has a tag of `width` bytes, more than it needs. */
export declare function overlongTag(row: u32, width: u32): void;

export declare function fault(fault: u32, start: u32, end: u32): void;
export declare function unknown(block: u32, number: u32, start: u32, end: u32): void;
export declare function mismatch(block: u32, tag: u32, start: u32, end: u32): void;
/** A text of the row is not UTF-8. */
export declare function invalidText(row: u32, start: u32, end: u32): void;
/** The annotations have no room left: they begin anew with row `rows`. */
export declare function spill(rows: u32): void;
/** Sets bits in the kind of a row that was spilled; an end of 0 changes nothing. */
export declare function patch(row: u32, end: u32, word: u32): void;
/** The kind of row `annotation`; more than 65535: without its field, which the host keeps. */
export declare function kind(field: i32, word: u32, annotation: u32): u32;
/** The kind of a row of `kind` when bits of `word` are set. */
export declare function kindWith(kind: u32, word: u32): u32;
/** From row `annotation` on, rows far from their parent have this one. */
export declare function far(annotation: u32, parent: u32): void;
