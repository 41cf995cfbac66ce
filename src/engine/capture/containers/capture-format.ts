/** The interface of a capture format: it reads the contents of a capture. */
import type { Ends, Exchange, RecordedCall, RecordedConnection, RecordedSocket } from './exchange.ts';
import type { PacketSink } from './packets.ts';
import type { LayerTally } from './packets-layers.ts';
import type { CaptureLog } from './packets-log.ts';
import type { CaptureSignature } from './sniff-capture.ts';

/** Receives the contents of a capture. */
export interface CaptureSink {
  readonly packet: PacketSink;
  /** The receiver enters the exchange's bodies in the ledger; the reader enters all other bytes. */
  readonly exchange: (exchange: Exchange) => void;
  /** The receiver enters the messages in the ledger. */
  readonly socket: (socket: RecordedSocket) => void;
  /** Opens a recorded connection. The receiver enters its bytes. */
  readonly connection: (ends: Ends) => RecordedConnection;
  /**
   * Opens a recorded call of gRPC. The receiver enters its messages. @param method its path; null: not recorded
   * @param ends null: messages wait until they are known
   */
  readonly call: (method: string | null, ends: Ends | null) => RecordedCall;
  /** A datagram of a protocol that is not read, as `UDP`. The receiver enters its bytes. */
  readonly other: (name: string, start: number, end: number) => void;
  /**
   * Secrets were found at [start, end), in captureOffsets. @param lines of a TLS key log; null: another kind of secrets
   */
  readonly secrets: (lines: string | null, start: number, end: number) => void;
}

/**
 * Receives the capture's bytes in order, in chunks of any size (borrowed). Hands over each item as soon as it is
 * complete.
 */
export interface CaptureReader {
  push(chunk: Uint8Array): void;
  /** The capture has ended: hands over the available part of the last item. */
  end(): void;
}

export interface CaptureFormat {
  readonly id: CaptureSignature;
  readonly label: string;
  readonly open: (sink: CaptureSink, layers: LayerTally, log: CaptureLog) => CaptureReader;
}
