/** A request and its response as a browser records them: nothing is left to reassemble, only the bodies to read. */

export interface RecordedBody {
  /** captureOffset of the first byte. */
  readonly captureOffset: number;
  /** As it stands in the capture, borrowed: valid during the call that hands it over. */
  readonly bytes: Uint8Array;
  /** Codec id of how it is written down. */
  readonly encoding: 'base64' | 'json-string';
}

export interface RecordedSide {
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: RecordedBody | null;
}

export interface Exchange {
  /** Milliseconds since the epoch; null if it has none. */
  readonly time: number | null;
  readonly method: string;
  readonly url: string;
  readonly status: string;
  readonly request: RecordedSide;
  readonly response: RecordedSide;
}
