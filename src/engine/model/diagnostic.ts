/** Findings about data: what is wrong, how bad, and where. Parsing returns them beside what it could read; it never throws. */

/** The byte space an offset counts in: the opened input, one message's payload, or a schema file's text. */
export type Space = 'capture' | 'message' | 'schema';

export interface Diagnostic {
  /** Stable, `stage/what`: `wire/truncated-value`. Tests and links name it. */
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  /** The fault and its remedy, in a sentence. */
  readonly message: string;
  readonly space: Space;
  /** First byte concerned, in `space`. */
  readonly start: number;
  /** One past the last byte concerned. */
  readonly end: number;
  /** Which message of the input, where `space` is `message`. */
  readonly ordinal?: number;
  /** Where in which schema file, 1-based, where `space` is `schema`. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** The value of a request, or the finding that says why it has none. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };
