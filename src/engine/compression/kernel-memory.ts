/**
 * Where things lie in the decoders' memory. Plain constants: kernel/ is compiled with them too.
 *
 *   │ constants │ sums │ code lengths │ tables of codes │ compressed bytes ▸ zeros │ plain bytes ▸
 *
 * Where the plain bytes begin depends on how many there are before them; only they grow.
 */

/** Eight rows of 256 sums for CRC-32, and as many for CRC-32C; four bytes each. */
export const IEEE_SUMS = 2048;
export const CASTAGNOLI_SUMS = 10240;

/** By symbol, one byte each, at most 320; behind them the symbols by length of their code, two bytes each. */
export const CODE_LENGTHS = 18432;
export const SYMBOLS = 18752;
/** By length: how many codes there are, and where the symbols of the next one stand; four bytes each. */
export const COUNTS = 19456;
export const PLACES = 19520;

/** Entries of four bytes: a main table, then one for each of its entries whose codes are longer. */
export const LITERAL_BITS = 11;
export const DISTANCE_BITS = 8;
export const LENGTH_CODES = 20480;
export const LITERALS = 24576;
export const DISTANCES = 57344;
export const FIXED_LITERALS = 73728;
export const FIXED_DISTANCES = 77824;

export const INPUT = 81920;
/** Zeros behind the compressed bytes, so that reading ahead needs no check. */
export const INPUT_PADDING = 32;
/** Bytes behind the plain ones that a step may touch: the longest match, three literals, and copying by sixteens. */
export const OUTPUT_PADDING = 512;
