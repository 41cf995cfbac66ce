/** A packet as every container gives it. */

/** Reused from packet to packet: valid, like its bytes, during the call that hands it over. */
export interface Packet {
  /** From 1, as other tools count them. */
  readonly number: number;
  /** captureOffset of the first captured byte. */
  readonly captureOffset: number;
  /** The captured bytes are [start, end) of these, borrowed. */
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** Bytes that were on the wire: more than captured ones where a snap length cut. */
  readonly originalLength: number;
  /** Milliseconds since the epoch, with a fraction; null where the container has no clock. */
  readonly time: number | null;
  /** LINKTYPE_ number, https://www.tcpdump.org/linktypes.html */
  readonly linkType: number;
}

export type PacketSink = (packet: Packet) => void;

/** Longest packet believed in. Captures of offloaded traffic reach 256 KiB; a longer claim is damage. */
export const LONGEST_PACKET = 16 * 1024 * 1024;
