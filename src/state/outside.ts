/** The addresses outside the app that a link may name: whom a person allowed, and how something is fetched. */

export interface Outside {
  /** What a person knows a place by: `https://captures.example.org`; empty for the app's own. */
  readonly originOf: (address: string) => string;
  readonly isAllowed: (origin: string) => boolean;
  /** Remembered in this browser. */
  readonly allow: (origin: string) => void;
  /** Rejects with what a person can be told. */
  readonly fetch: (address: string, signal: AbortSignal) => Promise<Blob>;
}
