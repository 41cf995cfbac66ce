/** A packet, in the form that all containers give it. */

/** The object is reused: it and its bytes are valid only during the call. */
export interface Packet {
  /** From 1, as in other tools. */
  readonly number: number;
  /** captureOffset of the first captured byte. */
  readonly captureOffset: number;
  /** The captured bytes are [start, end) of these, borrowed. */
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** Number of bytes on the wire. It is larger than the captured number if a snap length cut the packet. */
  readonly originalLength: number;
  /** The file ends within the packet: it is the last one, and a snap length may have cut it, too. */
  readonly isUnfinished: boolean;
  /** Milliseconds since the epoch, with a fraction; null: the container has no clock, or no date is that time. */
  readonly time: number | null;
  /** LINKTYPE_ number, https://www.tcpdump.org/linktypes.html */
  readonly linkType: number;
}

export type PacketSink = (packet: Packet) => void;

/** Maximum size of a packet. Captures of offloaded traffic have up to 256 KiB; a larger size is damage. */
export const LONGEST_PACKET = 16 * 1024 * 1024;
