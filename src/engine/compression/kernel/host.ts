/** The host's functions for decoders that write tokens. Other decoders have none. */

/** `count` tokens are at TOKEN_ENDS. They are overwritten after the call. */
export declare function spill(count: u32): void;

/**
 * A block of DEFLATE begins. @param bits of its tables; for a stored block, of its padding @param stored plain bytes of
 * a stored block
 */
export declare function block(kind: u32, bits: u32, stored: u32): void;

export declare function endOfBlock(bits: u32): void;

/** Bits after the last block. */
export declare function padding(bits: u32): void;
