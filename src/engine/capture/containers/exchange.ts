/** A request and its response as a browser records them. Nothing has to be reassembled. */

export interface RecordedPlace {
  /** captureOffset of the first byte. */
  readonly captureOffset: number;
  /** The bytes as they are in the capture, borrowed: valid during the call. */
  readonly bytes: Uint8Array;
}

export interface RecordedBody extends RecordedPlace {
  /** Codec id of the recorded form. */
  readonly encoding: 'base64' | 'json-string';
}

export interface RecordedSide {
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  /** null: not recorded, whether or not there was a body. */
  readonly body: RecordedBody | null;
  /** Size of the original body; null: not stated. */
  readonly statedSize: number | null;
}

/** A message of a WebSocket connection. */
export interface RecordedFrame {
  readonly direction: 'request' | 'response';
  /** Milliseconds since the epoch; null: unknown. */
  readonly time: number | null;
  readonly isText: boolean;
  readonly body: RecordedBody;
}

export interface Exchange {
  /** captureOffsets of its entry. */
  readonly start: number;
  readonly end: number;
  /** Milliseconds since the epoch; null: unknown. */
  readonly time: number | null;
  readonly method: string;
  readonly url: string;
  /** The address as it is in the capture; null: there is no address. */
  readonly urlPlace: RecordedPlace | null;
  readonly status: string;
  readonly request: RecordedSide;
  readonly response: RecordedSide;
  /** Messages of the WebSocket connection that the exchange opened. */
  readonly frames: readonly RecordedFrame[];
}
