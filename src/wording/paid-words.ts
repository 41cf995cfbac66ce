/** The compressor of streams, in words. */

/** The compressor of streams, and their formats. */
export interface StreamFacts {
  /** They were captured, or a named encoder made them. */
  readonly by:
    | { readonly kind: 'captured' }
    | { readonly kind: 'encoder'; readonly label: string; readonly library: string; readonly version: string };
  readonly formats: readonly string[];
}

/** `after zstd level 3`, `as captured (snappy)`. */
export const afterWords = ({ by, formats }: StreamFacts): string =>
  by.kind === 'encoder' ? `after ${by.label}` : `as captured (${formats.join(', ')})`;
