/** Wrappers of inputs: the ids that users choose, and their names. */
import { FORMATS } from '../../compression/formats.ts';

export const WRAPPER_LABELS = {
  gzip: FORMATS.gzip.label,
  // Files of raw DEFLATE are rare; its decoder reads both.
  deflate: FORMATS.zlib.label,
  zstd: FORMATS.zstd.label,
  'lz4-frame': FORMATS['lz4-frame'].label,
  'lz4-block': FORMATS['lz4-block'].label,
  snappy: FORMATS.snappy.label,
  'snappy-framed': FORMATS['snappy-framed'].label,
  brotli: FORMATS.brotli.label,
  tar: 'tar',
  zip: 'zip',
  json: 'base64 in JSON',
  lines: 'base64 or hex in lines',
  kubernetes: 'Kubernetes envelope',
  wireshark: 'Wireshark’s JSON',
  envoy: 'Envoy’s JSON',
} as const;
export type WrapperId = keyof typeof WRAPPER_LABELS;

/** In a choice: no further steps. */
export const NO_STEP = 'none';
