/** The host's functions for decoders that write tokens. The others have none. */

/** `count` tokens are at TOKEN_ENDS, and written over then. */
export declare function spill(count: u32): void;

/** A block of DEFLATE begins. @param bits of its tables; or of a stored block, the padding @param stored its plain bytes */
export declare function block(kind: u32, bits: u32, stored: u32): void;

export declare function endOfBlock(bits: u32): void;

/** Bits behind the last block. */
export declare function padding(bits: u32): void;
