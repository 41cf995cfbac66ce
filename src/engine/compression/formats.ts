/**
 * Compression formats by id. Steps in links and `bits --format` use these ids. To add a format, add a row here and its
 * decoder, a row of `registry.ts`.
 */
import type { CompressorId } from './compressor-row.ts';

export interface CompressionFormat {
  /** Its name in choices and sentences. */
  readonly label: string;
  /** Its names in Content-Encoding: the ones in IANA's registry of content codings, and others in use. */
  readonly codings: readonly string[];
  /** The compressor whose output is most similar. */
  readonly compressor: CompressorId;
}

export const FORMATS = {
  gzip: { label: 'gzip', codings: ['gzip', 'x-gzip'], compressor: 'gzip' },
  zlib: { label: 'zlib', codings: [], compressor: 'gzip' },
  deflate: { label: 'DEFLATE', codings: ['deflate'], compressor: 'gzip' },
  dfl: { label: 'DEFLATE', codings: [], compressor: 'gzip' },
  snappy: { label: 'snappy', codings: ['snappy'], compressor: 'snappy' },
  'snappy-framed': { label: 'framed snappy', codings: [], compressor: 'snappy' },
  'lz4-block': { label: 'LZ4 block', codings: [], compressor: 'lz4-block' },
  'lz4-frame': { label: 'LZ4', codings: ['lz4'], compressor: 'lz4-frame' },
  zstd: { label: 'zstd', codings: ['zstd'], compressor: 'zstd' },
  brotli: { label: 'Brotli', codings: ['br'], compressor: 'brotli' },
} as const satisfies Readonly<Record<string, CompressionFormat>>;

export type FormatId = keyof typeof FORMATS;

/** undefined: links may name a format of another version of the app. */
export const formatOf = (id: string): CompressionFormat | undefined =>
  Object.hasOwn(FORMATS, id) ? FORMATS[id as FormatId] : undefined;
