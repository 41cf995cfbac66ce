/**
 * Reasons why a record cannot be read, as numbers. `findings.ts` has the sentences. kernel/ is compiled with this file
 * too.
 */
export const NONE = 0;
export const RESERVED_WIRE_TYPE = 1;
export const FIELD_NUMBER = 2;
export const TRUNCATED_TAG = 3;
export const OVERFLOW_TAG = 4;
export const TRUNCATED_VALUE = 5;
export const OVERFLOW_VALUE = 6;
export const TRUNCATED_LENGTH = 7;
export const OVERFLOW_LENGTH = 8;
export const TRUNCATED_FIXED = 9;
export const LENGTH_PAST_END = 10;
export const UNEXPECTED_END_GROUP = 11;
export const MISMATCHED_END_GROUP = 12;
export const UNENDED_GROUP = 13;
export const MALFORMED_PACKED = 14;
