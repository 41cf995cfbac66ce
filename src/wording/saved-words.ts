/** The saving if a field is left out → a sentence. */
import type { Saved } from '#engine/compression/saved-bytes.ts';
import { formatBytes, formatCount } from './number-text.ts';

export interface FieldSaved extends Saved {
  readonly path: string;
  /** Label of the compressor: `zstd level 3`. */
  readonly label: string;
  readonly messages: number;
  readonly outOf: number;
}

/** `Without hits.version, 10 messages after zstd level 3 take 12 bytes less; 5 to 19 behind 0 to 31 bytes of noise.` */
export function savedWords({ path, label, messages, outOf, bytes, low, high, isMeasurable }: FieldSaved): string {
  const of = messages < outOf ? `${formatCount(messages)} of ${formatCount(outOf)}` : formatCount(messages);
  const which = `${of} ${outOf === 1 ? 'message' : 'messages'} after ${label}`;
  const band = `${formatCount(low)} to ${formatCount(high)} bytes behind 0 to 31 bytes of noise`;
  if (!isMeasurable) return `Without ${path}, what ${which} save is not measurable: ${band}.`;
  const change = bytes < 0 ? `${formatBytes(-bytes)} more` : `${formatBytes(bytes)} less`;
  return `Without ${path}, ${which} take ${change}; saved are ${band}.`;
}
