/** The interface of a capture format: how its first bytes are recognised, and how its contents are read. */
import type { Exchange } from './exchange.ts';
import type { PacketSink } from './packets.ts';
import type { LayerTally } from './packets-layers.ts';
import type { CaptureLog } from './packets-log.ts';

/** Receives the contents of a capture. */
export interface CaptureSink {
  readonly packet: PacketSink;
  /** Its bodies are entered in the ledger by who takes it, all around them by the reader. */
  readonly exchange: (exchange: Exchange) => void;
  /** Secrets lie at [start, end), in captureOffsets. @param lines of a key log for TLS; null: they are of another kind */
  readonly secrets?: (lines: string | null, start: number, end: number) => void;
}

/** Takes the capture's bytes in order, in chunks of any size (borrowed), and hands over each thing as soon as it is whole. */
export interface CaptureReader {
  push(chunk: Uint8Array): void;
  /** The capture ends here: what is left over is given as far as it goes. */
  end(): void;
}

export interface CaptureFormat {
  readonly id: string;
  readonly label: string;
  readonly sniff: (head: Uint8Array) => boolean;
  readonly open: (sink: CaptureSink, layers: LayerTally, log: CaptureLog) => CaptureReader;
}
