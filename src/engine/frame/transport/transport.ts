/**
 * The interface of a transport: it recognises its first bytes, and reads its frames from both directions of a
 * connection.
 */
import type { LayerTally } from '../../capture/containers/packets-layers.ts';
import type { CaptureLog, LossRun, LostBytes } from '../../capture/containers/packets-log.ts';
import type { TrafficTally } from '../../capture/containers/packets-traffic.ts';
import type { PayloadFormat } from '../../model/payload-format.ts';
import type { ConnectionFacts, ConnectionSide, ConnectionSink } from '../../stream/connection-sink.ts';
import type { HeaderPart, Piece } from '../message.ts';
import type { Envelope } from './envelope.ts';
import type { Takeover } from './takeover.ts';
import type { StreamWindow } from './window.ts';

/** A message as a transport delimits it, before its body is decompressed. */
export interface EmittedMessage {
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
  /** Captured bytes that belong to the message; absent: all bytes of the pieces. */
  readonly capturedBytes?: number;
  /** The title of a body without a declared type: `POST /a`. Its contents decide whether it is a message. */
  readonly undeclared?: string;
  /** Codec ids that lead from the captured bytes to the payload, outermost first. */
  readonly steps: readonly string[];
  /** The messages of its direction that it may copy from; absent: it copies from none. */
  readonly takeover?: Takeover;
  /** How the coding of the body differs from its headers, as the end of a sentence; absent: it does not. */
  readonly otherCoding?: string;
  /** How the decoded body contains several messages; absent: it is one message. */
  readonly envelope?: Envelope;
}

export type StreamLoss = Omit<LostBytes, 'stream'>;

/** Functions for the reader of a transport. */
export interface TransportContext {
  readonly facts: ConnectionFacts;
  /** By side: whether the reader gets it from its first byte. Otherwise bytes are missing, or no transport explains them. */
  readonly isFromStart: readonly [boolean, boolean];
  /** `10.0.0.1:9300 ↔ 10.0.0.2:41412` */
  readonly stream: string;
  readonly layers: LayerTally;
  readonly log: CaptureLog;
  readonly traffic: TrafficTally;
  /** Maximum captured bytes of one message. */
  readonly limit: number;
  /** @param captured the body as captured, borrowed */
  emit(draft: EmittedMessage, captured: Uint8Array): void;
  /**
   * Begins a loss: a run of this side's bytes that belong to no message. @param at captureOffset where the loss is
   * reported
   */
  lose(side: ConnectionSide, loss: StreamLoss, at: number): LossRun;
  /** Requests a read of this side, which may have become readable. */
  wake(side: ConnectionSide): void;
  /**
   * A connection inside this one, between the same ends. Its data have captureOffsets of their own.
   * @param transport id of the only possible transport; null: any
   */
  nest(transport: string | null): NestedConnection;
  /** The same for a connection that begins here, of any transport, also of this one. null: too many are in one another. */
  tunnel(): NestedConnection | null;
}

export type NestedConnection = ConnectionSink;

/**
 * Reads one connection's frames. A reader consumes the bytes that it can explain and enters every consumed byte in the
 * ledger.
 */
export interface TransportReader {
  read(side: ConnectionSide, window: StreamWindow): void;
  /**
   * `size` bytes are missing after the window's unread bytes. The reader enters the unread bytes, and stores where the
   * frame ends if it knows. After the call, the window is after the hole.
   */
  hole(side: ConnectionSide, window: StreamWindow, size: number): void;
  /** This side sends no more bytes. Bytes that are unread after the call are lost. */
  end(side: ConnectionSide, window: StreamWindow): void;
}

export type ProtocolMatch = 'yes' | 'no' | 'more';

export interface FramePlace {
  /** Index of the frame's first byte. */
  readonly at: number;
  readonly isSure: boolean;
}

/** Ids of transports whose bodies are native, never protobuf. `native` is the framing of a single message. */
export const NATIVE_TRANSPORTS: ReadonlySet<string> = new Set(['opensearch', 'kafka', 'native']);

export interface Transport {
  readonly id: string;
  readonly label: string;
  /** Frames of it are never text. It is not asked about bytes that are text so far. */
  readonly isNeverText?: boolean;
  /**
   * Whether the first bytes of a direction, or the bytes after damage, begin a frame. `more`: too few bytes to decide.
   * @param final no more bytes follow
   * @param isBegun the connection was captured from its beginning, without holes so far
   */
  sniff(bytes: Uint8Array, final: boolean, isBegun: boolean): ProtocolMatch;
  /**
   * The first place where a frame begins; null: not found. More bytes may confirm an uncertain place.
   * @param from index before which no frame begins
   * @param isBegun see `sniff`; frames may begin after another protocol's handshake
   */
  seek?(bytes: Uint8Array, from: number, final: boolean, isBegun: boolean): FramePlace | null;
  open(context: TransportContext): TransportReader;
}
