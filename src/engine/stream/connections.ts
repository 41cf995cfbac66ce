/**
 * TCP segments → connections, each with two directions of bytes in order.
 *
 * If the start of a connection was captured, SYN shows where its bytes begin. Otherwise the first segments are held
 * until it is clear which one is first, because segments may be captured out of order. A side that sends its first
 * bytes later begins at the sequence number that the other side's acknowledgements expect.
 */

import { IdleOrder } from '../bytes/idle-order.ts';
import { CaptureClock } from '../capture/containers/capture-clock.ts';
import type { LayerTally } from '../capture/containers/packets-layers.ts';
import { ConnectionIndex, type Endpoints, hashOfEnds, printEndpoints } from './connection-index.ts';
import type { ConnectionSide, ConnectionSink, OpenConnection } from './connection-sink.ts';
import { type IpHeader, TcpFlag, type TcpHeader } from './packet-headers.ts';
import { type ByteSink, Reassembler, type TcpSegment } from './reassembly.ts';
import {
  begin,
  type Connection,
  endAsReached,
  firstSequence,
  noteAsked,
  noteReached,
  startsAnew,
} from './tcp-connection.ts';

/** How long a connection without a captured start waits for earlier segments: number of segments, and milliseconds. */
const HELD_SEGMENTS = 16;
const HELD_MS = 1000;
/**
 * If this many connections are no longer waiting, they are removed from the list, so that their readers can be
 * collected.
 */
const MAX_LET_GO = 16;
/** How long a connection that both sides closed is kept for late segments, in ms. */
const LINGER_MS = 5000;
/**
 * Maximum number of open connections, at about 10 kB each. Above it, the connection that was idle longest is closed.
 */
export const MAX_CONNECTIONS = 16_384;

/** One of several readers of a capture: it takes the connections of the buckets [from, to), by the hash of their ends. */
export interface Lane {
  readonly index: number;
  readonly from: number;
  readonly to: number;
}

export const LANE_BUCKETS = 256;
export const ONLY_LANE: Lane = { index: 0, from: 0, to: LANE_BUCKETS };

export const isOnly = ({ from, to }: Lane): boolean => to - from === LANE_BUCKETS;

/** Where the addresses are. */
type Addresses = Pick<IpHeader, 'version' | 'source' | 'destination'>;

/** When both sides closed a connection: the clock, and the number of the packet. */
interface Closed {
  readonly at: number;
  readonly since: number;
}

export class ConnectionTable {
  readonly #open: OpenConnection;
  readonly #layers: LayerTally;
  readonly #index = new ConnectionIndex<Connection>();
  readonly #connections = new IdleOrder<Connection>();
  /** Connections with held segments, oldest first. Earlier entries than `#holdingHead` are done. */
  #holding: Connection[] = [];
  #holdingHead = 0;
  /** Connections that both sides closed, first closed first. */
  readonly #closing = new Map<Connection, Closed>();
  /** Time at which the first of them is closed; ∞: no connection waits. */
  #nextClose = Number.POSITIVE_INFINITY;
  /** The latest time of any packet. */
  #now = Number.NEGATIVE_INFINITY;
  #opened = 0;
  #most = 0;
  #closedEarly = 0;
  readonly #clock: CaptureClock;
  readonly #lane: Lane;
  readonly #isOnly: boolean;

  constructor(
    open: OpenConnection,
    layers: LayerTally,
    clock: CaptureClock = new CaptureClock(),
    lane: Lane = ONLY_LANE,
  ) {
    this.#open = open;
    this.#layers = layers;
    this.#clock = clock;
    this.#lane = lane;
    this.#isOnly = isOnly(lane);
  }

  get count(): number {
    return this.#opened;
  }

  /** Maximum number of connections that were open at once. */
  get most(): number {
    return this.#most;
  }

  /** Number of connections with bytes that were closed early because too many were open. */
  get closedEarly(): number {
    return this.#closedEarly;
  }

  /** @param packet the bytes that hold the addresses of `ip` */
  segment(packet: Uint8Array, ip: Addresses, tcp: TcpHeader, segment: TcpSegment): void {
    const { sourcePort, destinationPort } = tcp;
    const { source, destination } = ip;
    const { time } = segment;
    const width = ip.version === 4 ? 4 : 16;
    if (!this.#isOnly) {
      const bucket = hashOfEnds(packet, source, destination, width, sourcePort, destinationPort) % LANE_BUCKETS;
      if (bucket < this.#lane.from || bucket >= this.#lane.to) return;
    }
    let connection = this.#index.find(packet, source, destination, width, sourcePort, destinationPort);
    let side: ConnectionSide = connection !== undefined && this.#index.reversed ? 1 : 0;
    const hasData = segment.end > segment.start || segment.cut > 0;
    const isSyn = (tcp.flags & TcpFlag.SYN) !== 0;
    if (connection !== undefined && startsAnew(connection, side, tcp, isSyn, hasData)) {
      this.#drop(connection);
      connection = undefined;
    }
    if (connection === undefined) {
      if (!hasData && !isSyn) return;
      const both = new Uint8Array(2 * width);
      both.set(packet.subarray(source, source + width));
      both.set(packet.subarray(destination, destination + width), width);
      connection = this.#create({ addresses: both, ports: [sourcePort, destinationPort] });
      side = 0;
      if (this.#connections.size > MAX_CONNECTIONS) this.#closeIdlest();
      this.#most = Math.max(this.#most, this.#connections.size);
    } else this.#connections.use(connection);
    connection.lastPacket = this.#clock.packet;
    const other: ConnectionSide = side === 0 ? 1 : 0;
    if (isSyn) {
      connection.syn[side] = tcp.sequence;
      if (tcp.flags & TcpFlag.ACK && connection.syn[other] < 0) connection.syn[other] = (tcp.acknowledgement - 1) >>> 0;
    }
    if (tcp.flags & TcpFlag.ACK) {
      noteAsked(connection, other, tcp.acknowledgement);
      noteReached(connection, other, tcp.acknowledgement, segment, false);
    }
    if (tcp.flags & TcpFlag.FIN) {
      const { sequence, start, end, cut } = segment;
      noteReached(connection, side, (sequence + (end - start) + cut) >>> 0, segment, true);
    }
    const isKnown = connection.syn[0] >= 0 && connection.syn[1] >= 0;
    if (isKnown && connection.held?.length === 0) connection.held = null;
    if (hasData) {
      if (connection.held !== null) {
        if (connection.held.length === 0) {
          this.#holding.push(connection);
          connection.heldAt = Math.max(this.#now, time ?? Number.NEGATIVE_INFINITY);
          connection.heldSince = this.#clock.packet;
        }
        const bytes = segment.bytes.slice(segment.start, segment.end);
        const { sequence, captureOffset, cut } = segment;
        connection.held.push({ side, sequence, bytes, start: 0, end: bytes.length, captureOffset, cut, time });
        if (this.#mayRelease(connection, time)) this.#release(connection);
      } else {
        this.#feed(connection, side, segment);
      }
    }
    if (tcp.flags & (TcpFlag.FIN | TcpFlag.RST)) {
      connection.finished[side] = true;
      if (tcp.flags & TcpFlag.RST) connection.finished[other] = true;
      if (connection.finished[0] && connection.finished[1] && time !== null) {
        const at = Math.max(this.#now, time);
        // Behind the others: they closed earlier.
        this.#closing.delete(connection);
        this.#closing.set(connection, { at, since: this.#clock.packet });
        this.#nextClose = Math.min(this.#nextClose, at + LINGER_MS);
      }
    }
  }

  /**
   * Called after each packet of any connection with its time: connections that waited for long are released, or
   * closed. Times may go back; the latest one counts.
   */
  tick(time: number): void {
    if (time > this.#now) this.#now = time;
    if (this.#holdingHead < this.#holding.length) this.#releaseOld();
    if (this.#now >= this.#nextClose) this.#closeOld();
  }

  /** The capture has ended: delivers all held segments. */
  end(): void {
    for (let connection = this.#connections.first; connection !== null; connection = this.#connections.first) {
      this.#connections.remove(connection);
      this.#clock.close(connection.lastPacket);
      this.#finish(connection);
    }
  }

  #create(ends: Endpoints): Connection {
    const connection: Connection = {
      ends,
      sides: [new Reassembler(this.#layers), new Reassembler(this.#layers)],
      syn: [-1, -1],
      asked: [-1, -1],
      reached: [null, null],
      finished: [false, false],
      held: [],
      heldAt: Number.NEGATIVE_INFINITY,
      heldSince: 0,
      lastPacket: 0,
      sink: null,
      before: null,
      after: null,
    };
    this.#index.add(ends, connection);
    this.#connections.add(connection);
    return connection;
  }

  #closeIdlest(): void {
    const idlest = this.#connections.first!;
    this.#drop(idlest);
    if (idlest.sides.some(({ begun }) => begun)) this.#closedEarly++;
  }

  /** Removes a finished connection. The same two ends may connect again. */
  #drop(connection: Connection): void {
    this.#connections.remove(connection);
    this.#closing.delete(connection);
    this.#index.remove(connection.ends);
    this.#finish(connection);
  }

  /** Whether held segments may be released: each side's first byte is known, or enough segments or time have passed. */
  #mayRelease(connection: Connection, time: number | null): boolean {
    const held = connection.held!;
    if (connection.syn[0] >= 0 && connection.syn[1] >= 0) return true;
    const first = held[0]!.time;
    return held.length >= HELD_SEGMENTS || (time !== null && first !== null && Math.abs(time - first) > HELD_MS);
  }

  /** Delivers segments that were held long enough: an earlier segment would have been captured by now. */
  #releaseOld(): void {
    for (; this.#holdingHead < this.#holding.length; this.#holdingHead++) {
      const connection = this.#holding[this.#holdingHead]!;
      if (connection.held === null) continue;
      if (this.#now - connection.heldAt < HELD_MS) break;
      this.#clock.release(connection.heldSince);
      this.#release(connection);
    }
    if (this.#holdingHead < MAX_LET_GO) return;
    this.#holding = this.#holding.slice(this.#holdingHead);
    this.#holdingHead = 0;
  }

  #closeOld(): void {
    for (const [connection, { at, since }] of this.#closing) {
      if (this.#now - at < LINGER_MS) {
        this.#nextClose = at + LINGER_MS;
        return;
      }
      this.#clock.close(since);
      this.#drop(connection);
    }
    this.#nextClose = Number.POSITIVE_INFINITY;
  }

  #release(connection: Connection): void {
    const held = connection.held!;
    connection.held = null;
    if (held.length === 0) return;
    for (const side of [0, 1] as const) {
      const first = firstSequence(held, side);
      if (first >= 0) begin(connection, side, first);
    }
    const inTime = held.toSorted((a, b) => (a.time ?? 0) - (b.time ?? 0));
    for (const segment of inTime) this.#feed(connection, segment.side, segment);
  }

  #feed(connection: Connection, side: ConnectionSide, segment: TcpSegment): void {
    if (connection.sink === null) {
      connection.sink = this.#open({
        id: this.#opened++,
        endpoints: printEndpoints(connection.ends),
        whole: connection.syn[0] >= 0 && connection.syn[1] >= 0,
      });
      for (const each of [0, 1] as const) connection.sides[each].sink = new SideSink(connection.sink, each);
    }
    const stream = connection.sides[side];
    if (!stream.begun) begin(connection, side, segment.sequence);
    stream.segment(segment);
  }

  #finish(connection: Connection): void {
    if (connection.held !== null) this.#release(connection);
    if (connection.sink === null) return;
    for (const side of [0, 1] as const) endAsReached(connection.sides[side], connection.reached[side]);
    for (const side of [0, 1] as const) connection.sink.end(side);
    // Hash tables may keep a removed connection until a major garbage collection. Its reader must not live that long.
    connection.sink = null;
    for (const side of connection.sides) side.sink = null;
  }
}

class SideSink implements ByteSink {
  readonly #sink: ConnectionSink;
  readonly #side: ConnectionSide;

  constructor(sink: ConnectionSink, side: ConnectionSide) {
    this.#sink = sink;
    this.#side = side;
  }

  data(bytes: Uint8Array, start: number, end: number, captureOffset: number, time: number | null): void {
    this.#sink.data(this.#side, bytes, start, end, captureOffset, time);
  }

  hole(size: number, captureOffset: number, time: number | null, isCut: boolean): void {
    this.#sink.hole(this.#side, size, captureOffset, time, isCut);
  }

  late(size: number, captureOffset: number): void {
    this.#sink.late(this.#side, size, captureOffset);
  }
}
