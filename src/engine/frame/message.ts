/**
 * A message as a frame reader finds it: its description, and the place of its payload in the capture. It does not hold
 * the bytes.
 */

import type { PayloadFormat } from '../model/payload-format.ts';

/** Half-open, in captureOffsets. */
export interface Piece {
  readonly start: number;
  readonly end: number;
}

/** The place of a payload's bytes, so that they can be read again to be shown. */
export interface BodyRef {
  /** In order. A payload that is spread over packets or chunks has several pieces. */
  readonly pieces: readonly Piece[];
  /** Compression of the joined pieces; null: they are the payload. */
  readonly compression: string | null;
  /** The messages that it may copy from, if it is compressed; absent: it copies from none. */
  readonly after?: MessagesBefore;
}

/**
 * Consecutive messages of one direction, each compressed with copies from the plain bytes of those before it (context
 * takeover, RFC 7692 §7.1.1).
 */
export interface History {
  /** The plain bytes before the first of these messages, at most 32 KiB. */
  readonly window: Uint8Array;
  /** In order. Later ones are added while the capture is read. */
  readonly bodies: readonly Omit<BodyRef, 'after'>[];
}

/** The first `count` messages of a history. */
export interface MessagesBefore {
  readonly history: History;
  readonly count: number;
}

/** The part of a transport's header that is written like a message: OpenSearch's thread context and action. */
export interface HeaderPart {
  readonly bytes: Uint8Array;
  /** The part's bytes in the capture. They are never compressed. */
  readonly pieces: readonly Piece[];
}

export interface Message {
  /** Number of the message in the input, from 0. */
  readonly ordinal: number;
  readonly body: BodyRef;
  /** Payload bytes, decompressed. */
  readonly bytes: number;
  /** Payload bytes as captured. */
  readonly capturedBytes: number;
  /** Id of the framing or transport that delimited it: `single`, `varint`, `grpc`, `http1`, `opensearch`. */
  readonly transport: string;
  /** Milliseconds since the epoch, with a fraction; null: the input has no clock. */
  readonly time: number | null;
  /** `10.0.0.1:9300 → 10.0.0.2:41412`; null outside a packet capture. */
  readonly flow: string | null;
  readonly direction: 'request' | 'response' | null;
  /** gRPC path, OpenSearch action, or HTTP method and path. */
  readonly method: string | null;
  readonly status: string | null;
  /** The type that a content type or a path names; null: the transport names no type. */
  readonly typeHint: string | null;
  /**
   * The place of its type in the file of its schema: `1.0` is the first type within the second one. Absent: its frame
   * does not state it.
   */
  readonly typePlace?: string | undefined;
  /** The payload's format, if it is neither protobuf nor the transport's own layout. */
  readonly format?: PayloadFormat | undefined;
  /** Bytes of the transport's own header before the payload; absent: it has no header or shares one. */
  readonly headerBytes?: number;
  readonly header?: HeaderPart;
  /** Other values of the transport's header: request id, version, thread-context headers, h2 stream. */
  readonly context?: Readonly<Record<string, string>>;
}

/** Called once per message, in order. `payload` is borrowed: valid during the call only. */
export type MessageSink = (message: Message, payload: Uint8Array) => void;
