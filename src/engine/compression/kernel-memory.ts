/**
 * Where things lie in the decoders' memory. Plain constants: kernel/ is compiled with them too.
 *
 *   │ constants │ sums │ code lengths │ tables of codes │ compressed bytes ▸ zeros │ plain bytes ▸
 *
 * Where the plain bytes begin depends on how many there are before them; only they grow.
 */

/** Sixteen rows of 256 sums for CRC-32, and as many for CRC-32C; four bytes each. */
export const IEEE_SUMS = 2048;
export const CASTAGNOLI_SUMS = 18432;

/** By symbol, one byte each, at most 320; behind them the symbols by length of their code, two bytes each. */
export const CODE_LENGTHS = 34816;
export const SYMBOLS = 35136;
/** By length: how many codes there are, and where the symbols of the next one stand; four bytes each. */
export const COUNTS = 35840;
export const PLACES = 35904;

/** Entries of four bytes: a main table, then one for each of its entries whose codes are longer. */
export const LITERAL_BITS = 11;
export const DISTANCE_BITS = 8;
export const LENGTH_CODES = 36864;
export const LITERALS = 40960;
export const DISTANCES = 73728;
export const FIXED_LITERALS = 90112;
export const FIXED_DISTANCES = 94208;

/** Zstandard: entries of two bytes by 11 bits; cells of four bytes by state; a block's literals, and what copying touches. */
export const HUFFMAN = 98304;
export const FSE_LITERALS = 102400;
export const FSE_DISTANCES = 104448;
export const FSE_MATCHES = 105472;
/** The last three distances, four bytes each. */
export const RECENT = 107520;
export const ZSTD_LITERALS = 107536;
/** The base of each code of literals and matches, with its extra bits: eight bytes each. */
export const RUN_CODES = 238672;
export const MATCH_CODES = 238960;

/** Behind all that decoders need. */
export const DECODERS_END = 239616;
export const INPUT = 245760;
/** Zeros behind the compressed bytes, so that reading ahead needs no check. */
export const INPUT_PADDING = 32;
/** Bytes behind the plain ones that a step may touch: the longest match, three literals, and copying by sixteens. */
export const OUTPUT_PADDING = 512;
