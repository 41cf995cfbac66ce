/** A message as a frame reader finds it: what it is, and where in the capture its payload lies. The bytes stay there. */

import type { PayloadFormat } from '../model/payload-format.ts';

/** Half-open, in captureOffsets. */
export interface Piece {
  readonly start: number;
  readonly end: number;
}

/** Where a payload's bytes are, so that they can be read again when they are shown. */
export interface BodyRef {
  /** In order; a payload spread over packets or chunks has several. */
  readonly pieces: readonly Piece[];
  /** How the joined pieces are compressed; null: they are the payload. */
  readonly compression: string | null;
}

/** The part of a transport's header that is written as a message is: OpenSearch's thread context and action. */
export interface HeaderPart {
  readonly bytes: Uint8Array;
  /** As they lie in the capture, never compressed. */
  readonly pieces: readonly Piece[];
}

export interface Message {
  /** Position among the input's messages, from 0. */
  readonly ordinal: number;
  readonly body: BodyRef;
  /** Payload bytes, decompressed. */
  readonly bytes: number;
  /** Payload bytes as captured. */
  readonly capturedBytes: number;
  /** Id of the framing or transport that delimited it: `single`, `varint`, `grpc`, `http1`, `opensearch`. */
  readonly transport: string;
  /** Milliseconds since the epoch, with a fraction; null where the input has no clock. */
  readonly time: number | null;
  /** `10.0.0.1:9300 → 10.0.0.2:41412`; null outside a packet capture. */
  readonly flow: string | null;
  readonly direction: 'request' | 'response' | null;
  /** gRPC path, OpenSearch action, or HTTP method and path. */
  readonly method: string | null;
  readonly status: string | null;
  /** The type that the transport itself names, if it does: a content type's or a path's. */
  readonly typeHint: string | null;
  /** How the payload is written where that is neither protobuf nor the transport's own layout. */
  readonly format?: PayloadFormat | undefined;
  /** Bytes of the transport's own header before the payload; absent where it has none or shares it. */
  readonly headerBytes?: number;
  readonly header?: HeaderPart;
  /** Other values of the transport's header: request id, version, thread-context headers, h2 stream. */
  readonly context?: Readonly<Record<string, string>>;
}

/** Called once per message, in order. `payload` is borrowed: valid during the call only. */
export type MessageSink = (message: Message, payload: Uint8Array) => void;
