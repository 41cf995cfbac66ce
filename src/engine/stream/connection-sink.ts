/** The receiver of a connection's bytes. */

/** 0: the side that opened the connection, or whose segments were captured first. */
export type ConnectionSide = 0 | 1;

export interface ConnectionFacts {
  /** From 0, in the order of first capture by this reader. */
  readonly id: number;
  /** `10.0.0.1:9300`, by side. */
  readonly endpoints: readonly [string, string];
  /** Whether its first bytes were captured. */
  readonly whole: boolean;
}

/**
 * Receives the bytes of a connection. Calls are in the order of capture, as far as the order within each direction
 * allows. Data are [start, end) of `bytes`, borrowed.
 */
export interface ConnectionSink {
  data(
    side: ConnectionSide,
    bytes: Uint8Array,
    start: number,
    end: number,
    captureOffset: number,
    time: number | null,
  ): void;
  /** @param isCut the snap length cut the bytes off; otherwise their packets are not in the capture */
  hole(side: ConnectionSide, size: number, captureOffset: number, time: number | null, isCut: boolean): void;
  /** Bytes of an earlier hole, or before the first ones, are in the capture after all. They are not read. */
  late(side: ConnectionSide, size: number, captureOffset: number): void;
  /** This side sends no more bytes. */
  end(side: ConnectionSide): void;
}

/** Called before a connection's first bytes are delivered. */
export type OpenConnection = (facts: ConnectionFacts) => ConnectionSink;
