/**
 * Bits of a row's flags. Bits 0–2 hold the wire type (7: none), bits 3–6 the category of the own payload.
 * Plain constants: wire/kernel/ is compiled with them too.
 */

/** A packed run: the payload is a sequence of elements, listed on demand. */
export const PACKED = 1 << 7;
/** A varint of this row's head or value is longer than it needs to be. */
export const OVERLONG = 1 << 8;
/** A negative int32, int64 or enum value written in ten bytes. */
export const NEGATIVE = 1 << 9;
/** The wire type cannot be the field's: kept as unknown, not descended. */
export const MISMATCH = 1 << 10;
/** No field of the schema has this number. */
export const UNKNOWN = 1 << 11;
/** Read by guess, not by schema. */
export const GUESS = 1 << 12;
/** Ends early or holds bytes that no rule explains. */
export const MALFORMED = 1 << 13;
/** A default value written although its field has implicit presence. */
export const DEFAULT = 1 << 14;
/** A further occurrence of a singular field: only the last one counts. */
export const DUPLICATE = 1 << 15;
