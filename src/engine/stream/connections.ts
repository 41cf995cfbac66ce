/**
 * TCP segments → connections, each with two directions of bytes in order.
 *
 * If the start of a connection was captured, SYN shows where its bytes begin. Otherwise the first segments are held
 * until it is clear which one is first, because segments may be captured out of order. A side that sends its first
 * bytes later begins at the sequence number that the other side's acknowledgements expect.
 */
import { ByteMemo } from '../bytes/byte-memo.ts';
import { CaptureClock } from '../capture/containers/capture-clock.ts';
import type { LayerTally } from '../capture/containers/packets-layers.ts';
import { ConnectionIndex, type Endpoints, hashOfEnds } from './connection-index.ts';
import { type IpHeader, TcpFlag, type TcpHeader } from './packet-headers.ts';
import { type ByteSink, Reassembler, type TcpSegment } from './reassembly.ts';

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
/** Sequence numbers with at least this distance belong to different connections, not to one window. */
const SAME_CONNECTION = 64 * 1024 * 1024;

/**
 * Maximum distance of an acknowledgement before the first captured byte. The bytes between are assumed to be out of
 * order and still to come.
 */
const NEAR_BEGINNING = 256 * 1024;

/** 0: the side that opened the connection, or whose segments were captured first. */
export type ConnectionSide = 0 | 1;

/** One of several readers of a capture: it takes the connections of the buckets [from, to), by the hash of their ends. */
export interface Lane {
  readonly index: number;
  readonly from: number;
  readonly to: number;
}

export const LANE_BUCKETS = 256;
export const ONLY_LANE: Lane = { index: 0, from: 0, to: LANE_BUCKETS };

export const isOnly = ({ from, to }: Lane): boolean => to - from === LANE_BUCKETS;

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

/** Where the addresses are. */
type Addresses = Pick<IpHeader, 'version' | 'source' | 'destination'>;

/** Called before a connection's first bytes are delivered. */
export type OpenConnection = (facts: ConnectionFacts) => ConnectionSink;

interface Held extends TcpSegment {
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

interface Connection {
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

/** When both sides closed a connection: the clock, and the number of the packet. */
interface Closed {
  readonly at: number;
  readonly since: number;
}

export class ConnectionTable {
  readonly #open: OpenConnection;
  readonly #layers: LayerTally;
  readonly #index = new ConnectionIndex<Connection>();
  /** The connection that was idle longest is first. */
  readonly #connections = new Set<Connection>();
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
    } else {
      this.#connections.delete(connection);
      this.#connections.add(connection);
    }
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
    for (const connection of this.#connections) {
      this.#clock.close(connection.lastPacket);
      this.#finish(connection);
    }
    this.#connections.clear();
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
    };
    this.#index.add(ends, connection);
    this.#connections.add(connection);
    return connection;
  }

  #closeIdlest(): void {
    const idlest: Connection = this.#connections.keys().next().value!;
    this.#drop(idlest);
    if (idlest.sides.some(({ begun }) => begun)) this.#closedEarly++;
  }

  /** Removes a finished connection. The same two ends may connect again. */
  #drop(connection: Connection): void {
    this.#connections.delete(connection);
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
      this.#closing.delete(connection);
      if (!this.#connections.has(connection)) continue;
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
      const { addresses, ports } = connection.ends;
      const width = addresses.length / 2;
      connection.sink = this.#open({
        id: this.#opened++,
        endpoints: [printEndpoint(addresses, 0, width, ports[0]), printEndpoint(addresses, width, width, ports[1])],
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

/** Whether the segment begins a new connection between the same ends: another SYN, or distant sequence numbers. */
function startsAnew(
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

const begin = (connection: Connection, side: ConnectionSide, first: number): void =>
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

function noteAsked(connection: Connection, side: ConnectionSide, acknowledged: number): void {
  if (connection.sides[side].begun) return;
  const known = connection.asked[side];
  if (known < 0 || ((acknowledged - known) | 0) < 0) connection.asked[side] = acknowledged;
}

function noteReached(
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
function endAsReached(stream: Reassembler, reached: Reached | null): void {
  stream.end();
  if (reached === null || !stream.begun) return;
  const missing = stream.distance(reached.sequence);
  if (missing > (reached.isEnd ? 0 : 1) && missing < SAME_CONNECTION) {
    stream.endAt(reached.sequence, reached.captureOffset, reached.time);
  }
}

/** The earliest held sequence number of a side, modulo 2³²; −1: no segment is held. */
function firstSequence(held: readonly Held[], side: ConnectionSide): number {
  let first = -1;
  for (const segment of held) {
    if (segment.side !== side) continue;
    if (first < 0 || ((segment.sequence - first) | 0) < 0) first = segment.sequence;
  }
  return first;
}

const addresses = new ByteMemo<string>(1024, 16);

/** `10.0.0.1:9300`, `[2001:db8::1]:9300` (RFC 5952). */
export const printEndpoint = (bytes: Uint8Array, at: number, width: number, port: number): string =>
  `${addresses.get(bytes, at, at + width, printAddress)}:${port}`;

function printAddress(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, i) => ((bytes[2 * i]! << 8) | bytes[2 * i + 1]!).toString(16));
  let longest = { start: 0, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && groups[start + length] === '0') length++;
    if (length > longest.length) longest = { start, length };
  }
  const { start, length } = longest;
  const text =
    length < 2 ? groups.join(':') : `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
  return `[${text}]`;
}
