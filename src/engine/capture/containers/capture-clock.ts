/**
 * When a reader of a capture finds something. Several readers of one capture, each with some of its connections, order
 * their findings by it: the order is that of one reader.
 */
export interface Moment {
  /** Number of the packet that is read; 0: before the first one; ∞: the capture has ended. */
  readonly packet: number;
  /**
   * Order of what happens at one packet: 0 for its own connection. The packet's time may release or close other
   * connections, and the end of the capture closes all: they have ranks above 0.
   */
  readonly rank: number;
}

/** Rank of what is behind a packet and before the next one: damage of the file. */
const BEHIND = Number.POSITIVE_INFINITY;
/** Ranks of closed connections are behind all ranks of released ones, which are numbers of packets. */
const CLOSED = 2 ** 52;

export class CaptureClock implements Moment {
  packet = 0;
  rank = 0;

  get now(): Moment {
    return { packet: this.packet, rank: this.rank };
  }

  set({ packet, rank }: Moment): void {
    this.packet = packet;
    this.rank = rank;
  }

  /** A packet is read. */
  begin(packet: number): void {
    this.packet = packet;
    this.rank = 0;
  }

  /** A connection with waiting segments is released. @param since number of the packet of the first one */
  release(since: number): void {
    this.rank = since;
  }

  /** A connection is closed. @param since number of the packet that ended it, or that was its last one */
  close(since: number): void {
    this.rank = CLOSED + since;
  }

  /** The packet and what followed from its time are done. */
  finish(): void {
    this.rank = BEHIND;
  }

  /** No packet follows. */
  end(): void {
    this.packet = Number.POSITIVE_INFINITY;
    this.rank = 0;
  }
}

export const compareMoments = (a: Moment, b: Moment): number =>
  a.packet === b.packet ? (a.rank === b.rank ? 0 : a.rank - b.rank) : a.packet - b.packet;
