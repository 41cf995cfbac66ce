/**
 * The layout of the decoders' memory. Only constants, because kernel/ is compiled with this file too.
 *
 *   │ constants │ sums │ code lengths │ tables of codes │ compressed bytes ▸ zeros │ plain bytes ▸
 *
 * The plain bytes begin after the compressed bytes, and only the plain bytes grow.
 */

/** Sixteen rows of 256 sums for CRC-32, followed by the same for CRC-32C; four bytes each. */
export const IEEE_SUMS = 2048;
export const CASTAGNOLI_SUMS = 18432;

/** Code lengths by symbol, one byte each, at most 320; then the symbols sorted by code length, two bytes each. */
export const CODE_LENGTHS = 34816;
export const SYMBOLS = 35136;
/** By length: the number of codes, and the place of the next symbol; four bytes each. */
export const COUNTS = 35840;
export const PLACES = 35904;

/** Entries of four bytes: a main table, then one further table for each main entry with longer codes. */
export const LITERAL_BITS = 11;
export const DISTANCE_BITS = 8;
export const LENGTH_CODES = 36864;
export const LITERALS = 40960;
export const DISTANCES = 73728;
export const FIXED_LITERALS = 90112;
export const FIXED_DISTANCES = 94208;

/**
 * Zstandard: entries of two bytes, indexed by 11 bits; cells of four bytes by state; a block's literals, with room that
 * copying may overwrite.
 */
export const HUFFMAN = 98304;
export const FSE_LITERALS = 102400;
export const FSE_DISTANCES = 104448;
export const FSE_MATCHES = 105472;
/** The last three distances, four bytes each. */
export const RECENT = 107520;
export const ZSTD_LITERALS = 107536;
/** The base of each literal or match code, with its number of extra bits: eight bytes each. */
export const RUN_CODES = 238672;
export const MATCH_CODES = 238960;

/** End of the memory that all decoders use. */
export const DECODERS_END = 239616;
export const INPUT = 245760;
/** Zeros after the compressed bytes, so that reading ahead needs no check. */
export const INPUT_PADDING = 32;
/**
 * Bytes after the plain bytes that a step may overwrite: the longest match, three literals, and copying in steps of
 * sixteen.
 */
export const OUTPUT_PADDING = 512;
