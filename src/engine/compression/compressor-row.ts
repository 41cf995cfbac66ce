/** A row of the registry of compressors. */

/** The result is the caller's to keep. */
export type Encode = (plain: Uint8Array, level: number) => Uint8Array | Promise<Uint8Array>;

export interface CompressorRow<Id extends string = string> {
  readonly id: Id;
  /** The library that compresses. */
  readonly library: string;
  /** Version of that library. */
  readonly version: string;
  /** Levels that can be chosen, fastest first; empty: it has none. */
  readonly levels: readonly number[];
  /** The default; 0 where there are none. */
  readonly level: number;
  /** All that makes the size what it is besides library and version. */
  readonly parameters: (level: number) => string;
  readonly load: () => Promise<Encode>;
}
