/**
 * Bits of a row's flags. Bits 0–2 hold the wire type (7: none), bits 3–6 the category of the own payload. Only
 * constants, because wire/kernel/ is compiled with this file too.
 */

/** A packed run: the payload is a sequence of elements, listed on demand. */
export const PACKED = 1 << 7;
/** A varint of this row's header or value is longer than necessary. */
export const OVERLONG = 1 << 8;
/** A negative int32, int64 or enum value written in ten bytes. */
export const NEGATIVE = 1 << 9;
/** The wire type is impossible for the field: the record is kept as unknown, and its payload is not parsed. */
export const MISMATCH = 1 << 10;
/** No field of the schema has this number. */
export const UNKNOWN = 1 << 11;
/** Read by a guess, not by a schema. */
export const GUESS = 1 << 12;
/** The row ends early, or holds bytes that no rule explains. */
export const MALFORMED = 1 << 13;
/** A default value was written although its field has implicit presence. */
export const DEFAULT = 1 << 14;
/** A further occurrence of a singular field: only the last one counts. */
export const DUPLICATE = 1 << 15;
