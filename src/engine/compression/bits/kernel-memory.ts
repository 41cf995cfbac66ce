/**
 * Where things lie in the memory of the decoders that keep books, behind what all decoders have. Plain constants:
 * kernel/ is compiled with them too.
 *
 *   │ as ../kernel-memory.ts │ tokens │ spans │ prices │ running costs │ compressed bytes ▸ zeros │ plain bytes ▸ │ sums ▸
 */
import { DECODERS_END } from '../kernel-memory.ts';

/** Tokens in three columns of four bytes each, and a few more that a step may write before it is noticed. */
export const TOKENS_ROOM = 16_384;
export const TOKENS_SPARE = 64;
export const TOKEN_ENDS = DECODERS_END;
/** From a token's end to its distance, and to its bits. */
export const DISTANCE_COLUMN = 4 * (TOKENS_ROOM + TOKENS_SPARE);
export const BITS_COLUMN = 2 * DISTANCE_COLUMN;

/** Spans in two columns of four bytes each; one more end stops the loop. */
export const SPANS_ROOM = 16_384;
export const SPAN_ENDS = TOKEN_ENDS + 3 * DISTANCE_COLUMN;
export const ACCOUNT_COLUMN = 4 * (SPANS_ROOM + 4);

/** Bits by byte value, one byte each; then the same in units of 2⁻⁴⁶ bits, eight bytes each. */
export const LITERAL_LENGTHS = SPAN_ENDS + 2 * ACCOUNT_COLUMN;
export const LITERAL_COSTS = LITERAL_LENGTHS + 256;

/** The cost of a window's plain bytes up to each of them: eight bytes each. */
export const WINDOW = 2048;
export const RUNNING_COSTS = LITERAL_COSTS + 2048;

export const BOOKED_INPUT = RUNNING_COSTS + 8 * (WINDOW + 32);

/** Bytes of an account's sum: 128 bits, in units of 2⁻⁴⁶ bits. */
export const SUM_SIZE = 16;
export const UNIT_BITS = 46;
