/** A request and its response as a browser records them: nothing is left to reassemble, only the bodies to read. */

export interface RecordedPlace {
  /** captureOffset of the first byte. */
  readonly captureOffset: number;
  /** As it stands in the capture, borrowed: valid during the call that hands it over. */
  readonly bytes: Uint8Array;
}

export interface RecordedBody extends RecordedPlace {
  /** Codec id of how it is written down. */
  readonly encoding: 'base64' | 'json-string';
}

export interface RecordedSide {
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  /** null: it was not written down, be there one or not. */
  readonly body: RecordedBody | null;
  /** How long the body was before it was written down; null: not stated. */
  readonly statedSize: number | null;
}

export interface Exchange {
  /** captureOffsets of its entry. */
  readonly start: number;
  readonly end: number;
  /** Milliseconds since the epoch; null if it has none. */
  readonly time: number | null;
  readonly method: string;
  readonly url: string;
  /** The address as it stands in the capture; null if it has no address. */
  readonly urlPlace: RecordedPlace | null;
  readonly status: string;
  readonly request: RecordedSide;
  readonly response: RecordedSide;
}
