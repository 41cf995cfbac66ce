/**
 * Findings about data: what is wrong, how severe it is, and where. Parsers return findings together with all that they
 * could read; they never throw.
 */

/** The byte space an offset counts in: the opened input, one message's payload, or a schema file's text. */
export type Space = 'capture' | 'message' | 'schema';

/** Values of messages that an encoding does not carry. */
export interface LostValues {
  /** Id of the encoding. */
  readonly encoding: string;
  /** A key of `LOSSES` (encodings/losses.ts); null: the encoding refuses a message with such a value. */
  readonly kind: string | null;
  /** Full name of the type of the messages. */
  readonly type: string;
}

export interface Diagnostic {
  /** Stable, `stage/what`: `wire/truncated-value`. Tests and links refer to it. */
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  /** The fault and its remedy, in one sentence. */
  readonly message: string;
  readonly space: Space;
  /** First byte of the finding, in `space`. */
  readonly start: number;
  /** One past its last byte. */
  readonly end: number;
  /** Number of the message in the input, where `space` is `message`. */
  readonly ordinal?: number;
  /** The values that the finding counts, by which a search finds the first one. */
  readonly lost?: LostValues;
  /** Schema file, line and column (1-based), where `space` is `schema`. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** The requested value, or the finding that explains why there is no value. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };
