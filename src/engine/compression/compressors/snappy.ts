/** A snappy block, as in Prometheus's remote write. */
import type { CompressorRow } from '../compressor-row.ts';
import { encodeSnappy } from '../snappy-encode.ts';

export const SNAPPY = {
  id: 'snappy',
  library: 'github.com/golang/snappy, ported',
  version: '1.0.0',
  levels: [],
  level: 0,
  parameters: () => 'Encode: block format, as remote write uses it',
  load: async () => encodeSnappy,
} as const satisfies CompressorRow;
