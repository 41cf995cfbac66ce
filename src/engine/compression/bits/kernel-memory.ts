/**
 * The memory layout of the decoders that record bits, after the part that all decoders share. Only constants, because
 * kernel/ is compiled with this file too.
 *
 *   │ as ../kernel-memory.ts │ tokens │ spans │ prices │ running costs │ compressed bytes ▸ zeros │ plain bytes ▸ │ sums ▸
 */
import { DECODERS_END } from '../kernel-memory.ts';

/** Tokens in three columns of four bytes each, with spare room for tokens that a step writes before the check. */
export const TOKENS_ROOM = 16_384;
export const TOKENS_SPARE = 64;
export const TOKEN_ENDS = DECODERS_END;
/** From the end of a token to its distance, and to its bits. */
export const DISTANCE_COLUMN = 4 * (TOKENS_ROOM + TOKENS_SPARE);
export const BITS_COLUMN = 2 * DISTANCE_COLUMN;

/** Spans in two columns of four bytes each. One further end terminates the loop. */
export const SPANS_ROOM = 16_384;
export const SPAN_ENDS = TOKEN_ENDS + 3 * DISTANCE_COLUMN;
export const ACCOUNT_COLUMN = 4 * (SPANS_ROOM + 4);

/** Bits by byte value, one byte each; then the same values in units of 2⁻⁴⁶ bits, eight bytes each. */
export const LITERAL_LENGTHS = SPAN_ENDS + 2 * ACCOUNT_COLUMN;
export const LITERAL_COSTS = LITERAL_LENGTHS + 256;

/** For each plain byte of a window, the cost of all bytes up to it: eight bytes each. */
export const WINDOW = 2048;
export const RUNNING_COSTS = LITERAL_COSTS + 2048;

export const BOOKED_INPUT = RUNNING_COSTS + 8 * (WINDOW + 32);

/** Bytes of an account's sum: 128 bits, in units of 2⁻⁴⁶ bits. */
export const SUM_SIZE = 16;
export const UNIT_BITS = 46;
