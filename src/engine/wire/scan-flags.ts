/** Findings of a scan in a message, as bits. kernel/ is compiled with this file too. */

/** Some bytes could not be read. */
export const FAULT = 1;
/** Unknown numbers, mismatched wire types, invalid UTF-8. */
export const NOTE = 2;
/** The bytes are not the canonical form of their values. The native size has to be computed from the values. */
export const IRREGULAR = 4;
