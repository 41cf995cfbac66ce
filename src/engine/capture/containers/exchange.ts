/** A request and its response as a browser or a proxy records them. Nothing has to be reassembled. */

export interface RecordedPlace {
  /** captureOffset of the first byte. */
  readonly captureOffset: number;
  /** The bytes as they are in the capture, borrowed: valid during the call. */
  readonly bytes: Uint8Array;
}

export interface RecordedBody extends RecordedPlace {
  /** Codec id of the recorded form; null: the body as it was sent, its codings included. */
  readonly encoding: 'base64' | 'json-string' | null;
  /** The places of the bytes, if there are several. */
  readonly pieces?: readonly { readonly start: number; readonly end: number }[];
  /** More of it was sent, and not recorded. */
  readonly isCut?: boolean;
}

export interface RecordedSide {
  /** Milliseconds since the epoch; null: unknown. */
  readonly time: number | null;
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  /** Headers behind the body; absent: none are recorded. */
  readonly trailers?: ReadonlyMap<string, string>;
  /** null: not recorded, whether or not there was a body. */
  readonly body: RecordedBody | null;
  /** Size of the original body; null: not stated. */
  readonly statedSize: number | null;
}

export interface Exchange {
  /** captureOffsets of its entry. */
  readonly start: number;
  readonly end: number;
  /** The id that is used if the bodies name no other transport: `har`, `http1`, `http2`. */
  readonly transport: string;
  /** null: the ends are not recorded. */
  readonly ends: Ends | null;
  readonly method: string;
  readonly url: string;
  /** The address as it is in the capture; null: there is no address. */
  readonly urlPlace: RecordedPlace | null;
  readonly status: string;
  readonly request: RecordedSide;
  readonly response: RecordedSide;
}

/** Client and server: `10.0.0.1:41412`, `search.example:9200`. */
export type Ends = readonly [string, string];

/** A WebSocket's messages, without the headers and masks of their frames. */
export interface RecordedSocket {
  /** The exchange that opened it; null: not recorded. */
  readonly opened: Pick<Exchange, 'method' | 'url'> | null;
  readonly ends: Ends | null;
  readonly messages: Iterable<SocketMessage>;
}

export interface SocketMessage extends RecordedBody {
  readonly isFromClient: boolean;
  readonly isText: boolean;
  /** Milliseconds since the epoch; null: unknown. */
  readonly time: number | null;
}

/** A TCP connection whose bytes are in order and complete. Side 0 is the client. */
export interface RecordedConnection {
  /** Data are [start, end) of `bytes`, borrowed. */
  data(side: 0 | 1, bytes: Uint8Array, start: number, end: number, captureOffset: number, time: number | null): void;
  /** This side sends no more bytes. */
  end(side: 0 | 1): void;
}

/** A call of gRPC, its messages without prefixes and compression. */
export interface RecordedCall {
  know(ends: Ends): void;
  message(message: CallMessage): void;
  /** @param status null: it was cancelled, or its end is not recorded @param start captureOffsets of the end */
  end(status: string | null, start: number, end: number): void;
}

export interface CallMessage extends RecordedPlace {
  readonly isFromClient: boolean;
  /** Milliseconds since the epoch; null: unknown. */
  readonly time: number | null;
  /** Size of the message. More than the recorded bytes: it was recorded in part. null: in part, of an unknown size. */
  readonly statedSize: number | null;
}
