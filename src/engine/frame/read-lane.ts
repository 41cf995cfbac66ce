/**
 * A capture → the messages of some of its connections, or of all. Several readers may share a capture: each reads all
 * packets and takes the connections of its lane; the first one also enters all that is not of a connection.
 * Only incomplete data are in memory; the rest of the capture is represented by its places.
 */
import { AbortError, type Source } from '../bytes/source.ts';
import { CaptureClock, type Moment } from '../capture/containers/capture-clock.ts';
import type { Packet } from '../capture/containers/packets.ts';
import { CAPTURE_FORMATS } from '../capture/containers/packets-formats.ts';
import { emptyLayers, type LayerLedger } from '../capture/containers/packets-layers.ts';
import { CaptureLog, type LogFindings } from '../capture/containers/packets-log.ts';
import { type TrafficSums, TrafficTally } from '../capture/containers/packets-traffic.ts';
import { CAPTURE_HEAD, sniffCapture } from '../capture/containers/sniff-capture.ts';
import { isBrotliMissing } from '../compression/brotli.ts';
import { PLAIN_LIMIT } from '../compression/codec.ts';
import type { ConnectionFacts, ConnectionSink } from '../stream/connection-sink.ts';
import { ConnectionTable, isOnly, LANE_BUCKETS, type Lane, MAX_CONNECTIONS } from '../stream/connections.ts';
import { createTcpPackets } from '../stream/tcp-packets.ts';
import type { CaptureFacts, CaptureOptions, ConnectionSummary, CutPackets } from './capture-facts.ts';
import type { Message, Piece } from './message.ts';
import { createConnectionReader } from './transport/connection.ts';
import { type LeftPacked, MessageEmitter, type TransportCount } from './transport/emitter.ts';
import { emitExchange, emitSocket } from './transport/exchange-messages.ts';
import { type MissingSum, MissingTally } from './transport/missing-bytes.ts';
import { CallMessages } from './transport/recorded-call.ts';
import { TRANSPORTS, transportsWith } from './transport/transports.ts';

const CHUNK_BYTES = 1 << 20;
/**
 * Limits of the plain bytes of all compressed bodies together: a multiple of the limit of one message, and a multiple
 * of the capture's size.
 */
const MAX_LIMITS = 64;
const MAX_TIMES = 64;
export const MAX_SUMMARIES = 10_000;

export interface LaneOptions extends CaptureOptions {
  readonly lane: Lane;
  /** Called when all messages up to this packet were handed out. @param done bytes that were read */
  readonly onReached?: (packet: number, done: number) => void;
}

/** The facts that one reader found, as data that can be posted. */
export interface LaneFacts
  extends Pick<
    CaptureFacts,
    'format' | 'packets' | 'cut' | 'firstTime' | 'lastTime' | 'secrets' | 'connectionCount' | 'messages' | 'plainBytes'
  > {
  /** Bytes of its connections; the first lane also has all others. */
  readonly layers: LayerLedger;
  readonly missing: MissingSum | null;
  readonly connections: readonly (ConnectionSummary & { readonly first: Moment })[];
  readonly transports: ReadonlyMap<string, TransportCount>;
  readonly traffic: TrafficSums;
  readonly log: LogFindings;
  /** The rest is known of an only lane alone; several lanes do not read on there. */
  readonly closedEarly: number;
  readonly leftPacked: LeftPacked | null;
  readonly unpackedBytes: number;
}

/** The messages of one lane depend on the others: one reader has to read the capture. */
export class NotForLanes extends Error {
  override readonly name = 'NotForLanes';
}

/**
 * @param sink called once per message, in the order in which they become complete; `payload` is borrowed
 * @throws AbortError when the signal is set between chunks; NotForLanes
 */
export async function readLane(
  source: Source,
  sink: (message: Message, payload: Uint8Array, at: Moment) => void,
  options: LaneOptions,
): Promise<LaneFacts> {
  const { limit = PLAIN_LIMIT, tls, lane } = options;
  const { described } = options;
  const plain = options.transports ?? (described === undefined ? TRANSPORTS : transportsWith(described));
  const transports = tls === undefined ? plain : [tls.transport, ...plain];
  tls?.begin();
  const clock = new CaptureClock();
  const layers = emptyLayers();
  const log = new CaptureLog(layers, clock);
  const traffic = new TrafficTally(clock);
  const budget = MAX_LIMITS * limit + MAX_TIMES * source.size;
  const emitter = new MessageEmitter({
    sink: (message, payload) => sink(message, payload, clock),
    ...{ layers, log, clock, limit, budget },
    pauses: options.pause !== undefined,
  });
  const head = await source.read(0, Math.min(source.size, CAPTURE_HEAD));
  const signature = sniffCapture(head);
  const format = CAPTURE_FORMATS.find(({ id }) => id === signature) ?? null;
  const times = { packets: 0, first: null as number | null, last: null as number | null };
  const secrets: Piece[] = [];
  const cut = { count: 0, bytes: 0, kept: 0, first: 0, last: 0 };
  const missing = new MissingTally(clock);
  const connections: { endpoints: readonly [string, string]; transport: string | null; first: Moment }[] = [];

  const openConnection = (facts: ConnectionFacts): ConnectionSink => {
    const summary = { endpoints: facts.endpoints, transport: null as string | null, first: clock.now };
    if (connections.length < MAX_SUMMARIES) connections.push(summary);
    const onTransport = (id: string): void => {
      summary.transport = id;
    };
    return createConnectionReader({ facts, transports, emitter, layers, log, traffic, limit, onTransport, missing });
  };
  const table = new ConnectionTable(openConnection, layers, clock, lane);
  /** Connections that need no reassembly. */
  let recorded = 0;

  /** Where several readers find more together than one keeps, what they find is not what one finds. */
  const checkShare = (): void => {
    if (isOnly(lane)) return;
    const share = (lane.to - lane.from) / LANE_BUCKETS;
    if (isBrotliMissing()) throw new NotForLanes('The decoder of Brotli is not loaded here.');
    if (secrets.length > 0) throw new NotForLanes('Secrets of TLS are of all connections.');
    if (table.most > MAX_CONNECTIONS * share) throw new NotForLanes('Connections may be closed early.');
    if (emitter.unpackedBytes > (budget - 1) * share) throw new NotForLanes('Bodies may be left compressed.');
  };

  if (format === null) {
    const known = CAPTURE_FORMATS.map(({ label }) => label).join(', ');
    const reason = `This is not a capture of a known format (${known}).`;
    const loss = { code: 'capture/unknown', severity: 'error', layer: 'unattributed', stream: null, reason } as const;
    log.lose(loss, 0).add(0, source.size);
  } else {
    const outside = lane.index === 0 ? { layers, log, traffic } : ofNoLane();
    const tcp = createTcpPackets(table, outside.layers, outside.log, outside.traffic);
    const reader = format.open(
      {
        packet(packet) {
          clock.begin(packet.number);
          note(times, packet);
          noteCut(cut, packet);
          tcp.packet(packet);
          clock.finish();
        },
        exchange: (exchange) => emitExchange(exchange, { emitter, layers, log }),
        socket: (socket) => emitSocket(socket, { emitter, layers, log }),
        connection: (endpoints) => openConnection({ id: recorded++, endpoints, whole: true }),
        call: (method, ends) => new CallMessages(method, ends, { emitter, layers, log }),
        other(name, start, end) {
          layers['other-protocols'] += end - start;
          traffic.add({ name, unit: 'packet', bytes: end - start, isEncrypted: false, start, end });
        },
        secrets: (lines, start, end) => {
          secrets.push({ start, end });
          if (lines !== null) tls?.addKeys(lines);
        },
      },
      outside.layers,
      outside.log,
    );
    for (let start = 0; start < source.size; ) {
      if (options.signal?.aborted) throw new AbortError();
      const end = Math.min(source.size, start + (options.chunkBytes ?? CHUNK_BYTES));
      const chunk = await source.read(start, end);
      reader.push(chunk);
      if (emitter.isWaiting) await emitter.emitWaiting(options);
      checkShare();
      options.onReached?.(times.packets, end);
      options.onProgress?.(end, source.size);
      source.letGo?.(chunk);
      start = end;
    }
    reader.end();
    clock.end();
    tcp.end();
    table.end();
    await emitter.emitWaiting(options);
    checkShare();
    options.onReached?.(Number.POSITIVE_INFINITY, source.size);
  }
  return {
    format: format?.id ?? null,
    layers,
    packets: times.packets,
    cut: cut.count === 0 ? null : cut,
    missing: missing.sum,
    connections,
    connectionCount: table.count + recorded,
    messages: emitter.count,
    plainBytes: emitter.plainBytes,
    transports: emitter.perTransport,
    firstTime: times.first,
    lastTime: times.last,
    secrets,
    traffic: traffic.sums,
    log: log.findings,
    closedEarly: table.closedEarly,
    leftPacked: emitter.leftPacked,
    unpackedBytes: emitter.unpackedBytes,
  };
}

/** Where readers of other lanes enter what the first one enters. */
function ofNoLane() {
  const layers = emptyLayers();
  return { layers, log: new CaptureLog(layers), traffic: new TrafficTally() };
}

function note(times: { packets: number; first: number | null; last: number | null }, { time }: Packet): void {
  times.packets++;
  if (time === null) return;
  if (times.first === null || time < times.first) times.first = time;
  if (times.last === null || time > times.last) times.last = time;
}

function noteCut(cut: { -readonly [K in keyof CutPackets]: CutPackets[K] }, packet: Packet): void {
  const kept = packet.end - packet.start;
  if (packet.originalLength <= kept || packet.isUnfinished) return;
  if (cut.count === 0) cut.first = packet.number;
  cut.last = packet.number;
  cut.count++;
  cut.bytes += packet.originalLength - kept;
  cut.kept = Math.max(cut.kept, kept);
}
