/**
 * A capture → every message in it, and the ledger of the whole file. The whole pipeline of a capture:
 *
 *   chunks ─▶ packets ─▶ segments ─▶ connections ─▶ transport ─▶ drafts ─▶ messages
 *
 * Only incomplete data are in memory; the rest of the capture is represented by its places.
 */

import { AbortError, type ReadControl, type Source } from '../bytes/source.ts';
import type { Packet } from '../capture/containers/packets.ts';
import { CAPTURE_FORMATS } from '../capture/containers/packets-formats.ts';
import { emptyLayers, type LayerLedger } from '../capture/containers/packets-layers.ts';
import { CaptureLog, type LostBytes } from '../capture/containers/packets-log.ts';
import { printTraffic, type Traffic, TrafficTally } from '../capture/containers/packets-traffic.ts';
import { CAPTURE_HEAD } from '../capture/containers/sniff-capture.ts';
import { PLAIN_LIMIT } from '../compression/codec.ts';
import { countText } from '../model/count-text.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { ConnectionTable, MAX_CONNECTIONS } from '../stream/connections.ts';
import { createTcpPackets } from '../stream/tcp-packets.ts';
import type { MessageSink, Piece } from './message.ts';
import type { TlsReading } from './tls-reading.ts';
import { createConnectionReader } from './transport/connection.ts';
import { type LeftPacked, MessageEmitter } from './transport/emitter.ts';
import { emitExchange } from './transport/exchange-messages.ts';
import { type MissingBytes, MissingTally } from './transport/missing-bytes.ts';
import type { Transport } from './transport/transport.ts';
import { TRANSPORTS } from './transport/transports.ts';

const CHUNK_BYTES = 1 << 20;
/**
 * Limits of the plain bytes of all compressed bodies together: a multiple of the limit of one message, and a multiple
 * of the capture's size.
 */
const MAX_LIMITS = 64;
const MAX_TIMES = 64;

export interface CaptureOptions extends ReadControl {
  /**
   * Maximum bytes of one message, decompressed and as captured. Default: 64 MiB. All compressed bodies together may
   * decompress to 64 times as many bytes, or to 64 times the capture's size.
   */
  readonly limit?: number;
  /** The transports to recognise. Default: all. */
  readonly transports?: readonly Transport[];
  readonly chunkBytes?: number;
  /** Reads the contents of TLS; absent: they are not read. */
  readonly tls?: TlsReading | undefined;
}

export interface ConnectionSummary {
  /** The end that opened the connection or was seen first, and the other end. */
  readonly endpoints: readonly [string, string];
  /** null: no transport was recognised. */
  readonly transport: string | null;
}

/** Packets whose end a snap length cut off. */
export interface CutPackets {
  readonly count: number;
  /** Bytes that were on the wire and are not in the capture. */
  readonly bytes: number;
  /** The maximum number of bytes that were kept of a cut packet. */
  readonly kept: number;
  /** Numbers of the first and the last cut packet, from 1. */
  readonly first: number;
  readonly last: number;
}

export interface CaptureFacts {
  readonly format: string | null;
  /** Bytes of the capture (unzipped). Σ layers = size. */
  readonly size: number;
  readonly layers: LayerLedger;
  readonly packets: number;
  /** null: every packet is complete. */
  readonly cut: CutPackets | null;
  /** null: connections with messages have no gaps except in cut packets. */
  readonly missing: MissingBytes | null;
  /** TCP connections that carry data. At most 10,000 are listed. */
  readonly connections: readonly ConnectionSummary[];
  readonly connectionCount: number;
  readonly messages: number;
  /** Decompressed bytes of all messages. */
  readonly plainBytes: number;
  /** Messages by transport. */
  readonly transports: Readonly<Record<string, number>>;
  /** Milliseconds since the epoch; null: no packet had a time. */
  readonly firstTime: number | null;
  readonly lastTime: number | null;
  /** Places of TLS secrets in the capture itself. */
  readonly secrets: readonly Piece[];
  /** Connections without readable messages; most bytes first. */
  readonly traffic: readonly Traffic[];
  readonly diagnostics: readonly Diagnostic[];
}

const MAX_SUMMARIES = 10_000;

/**
 * @param source the uncompressed capture; use `openCapture` to unzip
 * @param sink called once per message, in the order in which they become complete
 * @throws AbortError when the signal is set between chunks
 */
export async function readCapture(
  source: Source,
  sink: MessageSink,
  options: CaptureOptions = {},
): Promise<CaptureFacts> {
  const { limit = PLAIN_LIMIT, tls } = options;
  const plain = options.transports ?? TRANSPORTS;
  const transports = tls === undefined ? plain : [tls.transport, ...plain];
  tls?.begin();
  const layers = emptyLayers();
  const log = new CaptureLog(layers);
  const traffic = new TrafficTally();
  const budget = MAX_LIMITS * limit + MAX_TIMES * source.size;
  const emitter = new MessageEmitter({ sink, layers, log, limit, budget, pauses: options.pause !== undefined });
  const head = await source.read(0, Math.min(source.size, CAPTURE_HEAD));
  const format = CAPTURE_FORMATS.find(({ sniff }) => sniff(head)) ?? null;
  const clock = { packets: 0, first: null as number | null, last: null as number | null };
  const secrets: Piece[] = [];
  const cut = { count: 0, bytes: 0, kept: 0, first: 0, last: 0 };
  const missing = new MissingTally();
  const connections: { endpoints: readonly [string, string]; transport: string | null }[] = [];

  const table = new ConnectionTable((facts) => {
    const summary = { endpoints: facts.endpoints, transport: null as string | null };
    if (connections.length < MAX_SUMMARIES) connections.push(summary);
    const onTransport = (id: string): void => {
      summary.transport = id;
    };
    return createConnectionReader({ facts, transports, emitter, layers, log, traffic, limit, onTransport, missing });
  }, layers);

  if (format === null) {
    const known = CAPTURE_FORMATS.map(({ label }) => label).join(', ');
    const reason = `This is not a capture of a known format (${known}).`;
    const loss = { code: 'capture/unknown', severity: 'error', layer: 'unattributed', stream: null, reason } as const;
    log.lose(loss, 0).add(0, source.size);
  } else {
    const tcp = createTcpPackets(table, layers, log, traffic);
    const reader = format.open(
      {
        packet(packet) {
          note(clock, packet);
          noteCut(cut, packet);
          tcp.packet(packet);
        },
        exchange: (exchange) => emitExchange(exchange, { emitter, layers, log }),
        secrets: (lines, start, end) => {
          secrets.push({ start, end });
          if (lines !== null) tls?.addKeys(lines);
        },
      },
      layers,
      log,
    );
    for (let start = 0; start < source.size; ) {
      if (options.signal?.aborted) throw new AbortError();
      const end = Math.min(source.size, start + (options.chunkBytes ?? CHUNK_BYTES));
      const chunk = await source.read(start, end);
      reader.push(chunk);
      if (emitter.isWaiting) await emitter.emitWaiting(options);
      options.onProgress?.(end, source.size);
      source.letGo?.(chunk);
      start = end;
    }
    reader.end();
    tcp.end();
    table.end();
    await emitter.emitWaiting(options);
    reportClosedEarly(table.closedEarly, source.size, log);
    if (emitter.leftPacked !== null) reportLeftPacked(emitter.leftPacked, emitter.unpackedBytes, log);
    reportUnread(traffic, log);
  }
  return {
    format: format?.id ?? null,
    size: source.size,
    layers,
    packets: clock.packets,
    cut: cut.count === 0 ? null : cut,
    missing: missing.sum,
    connections,
    connectionCount: table.count,
    messages: emitter.count,
    plainBytes: emitter.plainBytes,
    transports: emitter.perTransport,
    firstTime: clock.first,
    lastTime: clock.last,
    secrets,
    traffic: traffic.list(),
    diagnostics: log.finish(),
  };
}

function reportClosedEarly(count: number, size: number, log: CaptureLog): void {
  if (count === 0) return;
  const most = countText(MAX_CONNECTIONS);
  const which = count === 1 ? 'the one that was idle longest' : `the ${countText(count)} that were idle longest`;
  const message = `More than ${most} connections were open at once: ${which} were closed. What they sent later is read as a new connection.`;
  log.add('stream/too-many-connections', 'warning', message, 0, size);
}

function reportLeftPacked({ count, bytes, start, end }: LeftPacked, unpacked: number, log: CaptureLog): void {
  const bodies = count === 1 ? 'One compressed body was' : `${countText(count)} compressed bodies were`;
  const message = `${bodies} not unpacked (${countText(bytes)} bytes as captured): those before took ${countText(unpacked)} bytes, as much as is unpacked of one capture. A larger --limit of the command line unpacks more; a part of the capture takes less.`;
  log.add('frame/unpacked-budget', 'warning', message, start, end);
}

/** Reports bytes of connections that no transport explains: one diagnostic for each kind. */
function reportUnread(traffic: TrafficTally, log: CaptureLog): void {
  for (const kind of traffic.list()) {
    if (kind.unit !== 'connection') continue;
    const { count, streams, start, end, bytes } = kind;
    const more = count > streams.length ? ` and ${countText(count - streams.length)} more` : '';
    const loss: LostBytes = {
      code: kind.isEncrypted ? 'frame/encrypted' : 'frame/unread',
      severity: 'info',
      layer: 'unattributed',
      stream: `${streams.join(', ')}${more}`,
      reason: `${printTraffic(kind)}: no messages are read of ${count === 1 ? 'it' : 'them'}.`,
    };
    log.lose(loss, start).add(start, end, bytes);
  }
}

function note(clock: { packets: number; first: number | null; last: number | null }, { time }: Packet): void {
  clock.packets++;
  if (time === null) return;
  if (clock.first === null || time < clock.first) clock.first = time;
  if (clock.last === null || time > clock.last) clock.last = time;
}

function noteCut(cut: { -readonly [K in keyof CutPackets]: CutPackets[K] }, packet: Packet): void {
  const kept = packet.end - packet.start;
  if (packet.originalLength <= kept) return;
  if (cut.count === 0) cut.first = packet.number;
  cut.last = packet.number;
  cut.count++;
  cut.bytes += packet.originalLength - kept;
  cut.kept = Math.max(cut.kept, kept);
}
