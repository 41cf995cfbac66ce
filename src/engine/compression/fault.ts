/** Negative error codes of the kernel's decoders. Only constants, because kernel/ is compiled with this file too. */
export const MALFORMED = -1;
export const TRUNCATED = -2;
export const LIMIT = -3;
export const NO_MEMORY = -9;
/** No fault: DEFLATE wrote a slice, and can continue where it stopped. */
export const PAUSED = -12;

/** Snappy only: details of a malformed or truncated stream. */
export const LITERAL_LENGTH_CUT = -4;
export const LITERAL_CUT = -5;
export const COPY_CUT = -6;
export const COPY_BEFORE_START = -7;
export const MORE_THAN_CLAIMED = -8;

/** LZ4 only. */
export const NO_LAST_LITERALS = -10;
export const COPY_LENGTH_CUT = -11;
