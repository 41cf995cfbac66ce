/**
 * The interface of a transport: how its first bytes are recognised, and how its frames are read from both directions of
 * a connection.
 */
import type { LayerTally } from '../../capture/containers/packets-layers.ts';
import type { CaptureLog, LossRun, LostBytes } from '../../capture/containers/packets-log.ts';
import type { TrafficTally } from '../../capture/containers/packets-traffic.ts';
import type { PayloadFormat } from '../../model/payload-format.ts';
import type { ConnectionFacts, ConnectionSide, ConnectionSink } from '../../stream/connections.ts';
import type { HeaderPart, Piece } from '../message.ts';
import type { StreamWindow } from './window.ts';

/** A message as a transport delimits it, before its body is decompressed. */
export interface MessageDraft {
  readonly transport: string;
  readonly side: ConnectionSide;
  readonly time: number | null;
  readonly direction: 'request' | 'response' | null;
  readonly method: string | null;
  readonly status: string | null;
  readonly typeHint: string | null;
  readonly format?: PayloadFormat | undefined;
  /** Bytes of the transport's own header before the body. */
  readonly headerBytes: number;
  readonly header?: HeaderPart;
  /** Other values of the header: request id, version, thread-context headers. */
  readonly context: Readonly<Record<string, string>>;
  readonly pieces: readonly Piece[];
  /** Bytes of the pieces that belong to the message; absent: all of them. */
  readonly capturedBytes?: number;
  /** Codec ids from the captured bytes to the payload, outermost first. */
  readonly steps: readonly string[];
  /** How a decoded body is cut into messages (gRPC-web, Connect); absent: it is one. */
  readonly envelope?: Envelope;
}

/** gRPC's five-byte prefixes inside a body: flag bit 0 compressed with `codec`; `end` the bit that marks a part without a message. */
export interface Envelope {
  readonly codec: string | null;
  readonly end: number;
}

export type StreamLoss = Omit<LostBytes, 'stream'>;

/** Services for the reader of a transport. */
export interface TransportContext {
  readonly facts: ConnectionFacts;
  /** `10.0.0.1:9300 ↔ 10.0.0.2:41412` */
  readonly stream: string;
  readonly layers: LayerTally;
  readonly log: CaptureLog;
  readonly traffic: TrafficTally;
  /** Most bytes of one message, as captured. */
  readonly limit: number;
  /** @param captured the body as captured, borrowed */
  emit(draft: MessageDraft, captured: Uint8Array): void;
  /** Begins a run of bytes of this side that are part of no message. @param at captureOffset where the loss shows */
  lose(side: ConnectionSide, loss: StreamLoss, at: number): LossRun;
  /** The other direction may have become readable. */
  wake(side: ConnectionSide): void;
  /**
   * A connection within this one, between the same ends. Its data have captureOffsets of their own.
   * @param transport id of the only one that it can be; null: any
   */
  nest(transport: string | null): NestedConnection;
}

export type NestedConnection = ConnectionSink;

/** One connection's frames. A reader consumes what it can explain and enters every byte consumed in the ledger. */
export interface TransportReader {
  read(side: ConnectionSide, window: StreamWindow): void;
  /**
   * `size` bytes are missing behind the window's unread ones. The reader enters these, and keeps in mind where the
   * frame ends, if it knows; the window has moved behind the hole when it returns.
   */
  hole(side: ConnectionSide, window: StreamWindow, size: number): void;
  /** No more bytes come from this side; bytes that are unread when this returns are lost. */
  end(side: ConnectionSide, window: StreamWindow): void;
}

export type ProtocolMatch = 'yes' | 'no' | 'more';

export interface FramePlace {
  /** Index of its first byte. */
  readonly at: number;
  readonly isSure: boolean;
}

/** Ids of those whose bodies are native, never protobuf; `native` is the framing of a lone message. */
export const NATIVE_TRANSPORTS: ReadonlySet<string> = new Set(['opensearch', 'kafka', 'native']);

export interface Transport {
  readonly id: string;
  readonly label: string;
  /**
   * Do these first bytes of a direction, or of what follows damage, begin a frame? `more`: too few bytes to decide.
   * @param final no more bytes come
   */
  sniff(bytes: Uint8Array, final: boolean): ProtocolMatch;
  /**
   * The first byte that begins a frame, for a connection that was captured from within one. null: none does. A place
   * that is not sure may become sure with more bytes.
   */
  seek?(bytes: Uint8Array, final: boolean): FramePlace | null;
  open(context: TransportContext): TransportReader;
}
