/** The saving if a field is left out → a sentence. */
import type { Saved } from '#engine/compression/saved-bytes.ts';
import { formatBytes, formatCount } from './number-text.ts';

export interface FieldSaved extends Saved {
  readonly path: string;
  /** Label of the compressor: `zstd level 3`. */
  readonly label: string;
  readonly messages: number;
  readonly outOf: number;
  /** The encoding of the messages: `JSON`; null: protobuf. */
  readonly encoding?: string | null;
}

/** `Without hits.version, 10 messages after zstd level 3 take 12 bytes less; 5 to 19 with 0 to 31 bytes put in front.` */
export function savedWords(saved: FieldSaved): string {
  const { path, label, messages, outOf, bytes, low, high, isMeasurable, encoding = null } = saved;
  const of = messages < outOf ? `${formatCount(messages)} of ${formatCount(outOf)}` : formatCount(messages);
  const as = encoding === null ? '' : `, written in ${encoding},`;
  const which = `${of} ${outOf === 1 ? 'message' : 'messages'}${as} after ${label}`;
  const band = `${formatCount(low)} to ${formatCount(high)} bytes with 0 to 31 bytes put in front`;
  if (!isMeasurable) return `Without ${path}, what ${which} save is not measurable: ${band}.`;
  const change = bytes < 0 ? `${formatBytes(-bytes)} more` : `${formatBytes(bytes)} less`;
  return `Without ${path}, ${which} take ${change}; saved are ${band}.`;
}

/** `5 to 19`: bytes, over all shifts. */
export const savedBand = ({ low, high }: Saved): string =>
  low === high ? formatCount(low) : `${formatCount(low)} to ${formatCount(high)}`;

/** `10 messages, zstd level 3 by libzstd 1.5.7, with 0 to 31 bytes put in front.` */
export function savedTitle({
  label,
  library,
  version,
  messages,
  outOf,
  encoding,
}: {
  readonly label: string;
  readonly library: string;
  readonly version: string;
  readonly messages: number;
  readonly outOf: number;
  readonly encoding: string | null;
}): string {
  const of = messages < outOf ? `${formatCount(messages)} of ${formatCount(outOf)}` : formatCount(messages);
  const as = encoding === null ? '' : `, written in ${encoding}`;
  return `${of} ${outOf === 1 ? 'message' : 'messages'}${as}, ${label} by ${library} ${version}, with 0 to 31 bytes put in front.`;
}
