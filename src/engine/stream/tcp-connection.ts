/** One TCP connection between two ends: where the bytes of each side begin, and how far they went. */

import type { Ordered } from '../bytes/idle-order.ts';
import type { Endpoints } from './connection-index.ts';
import type { ConnectionSide, ConnectionSink } from './connection-sink.ts';
import { TcpFlag, type TcpHeader } from './packet-headers.ts';
import type { Reassembler, TcpSegment } from './reassembly.ts';

/** Sequence numbers with at least this distance belong to different connections, not to one window. */
const SAME_CONNECTION = 64 * 1024 * 1024;

/**
 * Maximum distance of an acknowledgement before the first captured byte. The bytes between are assumed to be out of
 * order and still to come.
 */
const NEAR_BEGINNING = 256 * 1024;

export interface Held extends TcpSegment {
  readonly side: ConnectionSide;
}

/** A sequence number that a direction is known to have reached, and the segment that shows it. */
interface Reached {
  sequence: number;
  captureOffset: number;
  time: number | null;
  /** Whether it is the number of the FIN that ends the direction. Later bytes and acknowledgements do not count. */
  isEnd: boolean;
}

export interface Connection extends Ordered<Connection> {
  readonly ends: Endpoints;
  readonly sides: [Reassembler, Reassembler];
  /** SYN's sequence number by side; −1: not captured. */
  readonly syn: [number, number];
  /** The earliest acknowledgement by the other side, before this side's first byte; −1: none was captured. */
  readonly asked: [number, number];
  /** How far each side's bytes went, captured or not; null: unknown. */
  readonly reached: [Reached | null, Reached | null];
  readonly finished: [boolean, boolean];
  /** null: released. */
  held: Held[] | null;
  /** The clock when the first segment was held; number of that packet, and of the last packet. */
  heldAt: number;
  heldSince: number;
  lastPacket: number;
  sink: ConnectionSink | null;
}

/** Whether the segment begins a new connection between the same ends: another SYN, or distant sequence numbers. */
export function startsAnew(
  connection: Connection,
  side: ConnectionSide,
  tcp: TcpHeader,
  isSyn: boolean,
  hasData: boolean,
): boolean {
  const stream = connection.sides[side];
  if (!isSyn) return hasData && stream.begun && stream.distance(tcp.sequence) < -SAME_CONNECTION;
  const known = connection.syn[side];
  const over = connection.finished[0] || connection.finished[1];
  if (known >= 0) return known !== tcp.sequence && (over || (tcp.flags & TcpFlag.ACK) === 0);
  return stream.begun && Math.abs(stream.distance(tcp.sequence)) > SAME_CONNECTION;
}

export const begin = (connection: Connection, side: ConnectionSide, first: number): void =>
  connection.sides[side].begin(beginning(connection, side, first), connection.syn[side] >= 0);

/**
 * Sequence number of a side's first byte: from its SYN, else from the other side's acknowledgement if that is near,
 * else from its first segment.
 */
function beginning(connection: Connection, side: ConnectionSide, first: number): number {
  if (connection.syn[side] >= 0) return connection.syn[side] + 1;
  const before = (first - connection.asked[side]) | 0;
  return connection.asked[side] >= 0 && before > 0 && before < NEAR_BEGINNING ? connection.asked[side] : first;
}

export function noteAsked(connection: Connection, side: ConnectionSide, acknowledged: number): void {
  if (connection.sides[side].begun) return;
  const known = connection.asked[side];
  if (known < 0 || ((acknowledged - known) | 0) < 0) connection.asked[side] = acknowledged;
}

export function noteReached(
  { reached }: Connection,
  side: ConnectionSide,
  sequence: number,
  { captureOffset, time }: TcpSegment,
  isEnd: boolean,
): void {
  const known = reached[side];
  if (known === null) reached[side] = { sequence, captureOffset, time, isEnd };
  else if (isEnd || (!known.isEnd && ((sequence - known.sequence) | 0) > 0)) {
    known.sequence = sequence;
    known.captureOffset = captureOffset;
    known.time = time;
    known.isEnd = isEnd;
  }
}

/** Ends a direction. One missing byte at the end is assumed to be a FIN that was not captured (RFC 9293 §3.4). */
export function endAsReached(stream: Reassembler, reached: Reached | null): void {
  stream.end();
  if (reached === null || !stream.begun) return;
  const missing = stream.distance(reached.sequence);
  if (missing > (reached.isEnd ? 0 : 1) && missing < SAME_CONNECTION) {
    stream.sink!.hole(missing, reached.captureOffset, reached.time, false);
  }
}

/** The earliest held sequence number of a side, modulo 2³²; −1: no segment is held. */
export function firstSequence(held: readonly Held[], side: ConnectionSide): number {
  let first = -1;
  for (const segment of held) {
    if (segment.side !== side) continue;
    if (first < 0 || ((segment.sequence - first) | 0) < 0) first = segment.sequence;
  }
  return first;
}
