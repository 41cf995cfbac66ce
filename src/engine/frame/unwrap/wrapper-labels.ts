/** Wrappers of inputs: ids as a person chooses them, and their names. */
export const WRAPPER_LABELS = {
  gzip: 'gzip',
  deflate: 'zlib',
  zstd: 'zstd',
  'lz4-frame': 'LZ4',
  'lz4-block': 'LZ4 block',
  snappy: 'snappy',
  'snappy-framed': 'snappy, framed',
  brotli: 'Brotli',
  tar: 'tar',
  zip: 'zip',
  json: 'base64 in JSON',
} as const;
export type WrapperId = keyof typeof WRAPPER_LABELS;

/** In a choice: no step from here on. */
export const NO_STEP = 'none';
