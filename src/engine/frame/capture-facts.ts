/** Options of a reader of captures, and the facts of the whole file that it gives. */
import type { ReadControl } from '../bytes/source.ts';
import type { LayerLedger } from '../capture/containers/packets-layers.ts';
import type { Traffic } from '../capture/containers/packets-traffic.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Piece } from './message.ts';
import type { TlsReading } from './tls-reading.ts';
import type { MissingBytes } from './transport/missing-bytes.ts';
import type { Transport } from './transport/transport.ts';

export interface CaptureOptions extends ReadControl {
  /**
   * Maximum bytes of one message, decompressed and as captured. Default: 64 MiB. All compressed bodies together may
   * decompress to 64 times as many bytes, or to 64 times the capture's size.
   */
  readonly limit?: number;
  /** The transports to recognise. Default: all. */
  readonly transports?: readonly Transport[];
  /** Fields around each message of connections that no other transport explains (framing/described-fields.ts). */
  readonly described?: string | undefined;
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
  /** Bytes of the capture (decoded). Σ layers = size. */
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
