/** The saving if a field is left out → a sentence. */
import type { Saved } from '#engine/compression/saved-bytes.ts';
import type { CompressionUnit } from '#engine/encodings/message-sample.ts';
import { STREAM_CONTENTS } from './matrix-words.ts';
import { formatBytes, formatCount } from './number-text.ts';
import { encodingInSentence } from './sentence-case.ts';

interface Measured {
  /** Label of the compressor: `zstd level 3`. */
  readonly label: string;
  readonly messages: number;
  readonly outOf: number;
  /** The contents of one stream. */
  readonly per: CompressionUnit;
  /** The encoding of the messages: `JSON`; null: protobuf, in which they were captured. */
  readonly encoding?: string | null;
}

export interface FieldSaved extends Saved, Measured {
  readonly path: string;
}

/** `9 of 10 messages, written in JSON, each compressed alone` */
export function savedSubject({ messages, outOf, per, encoding = null }: Omit<Measured, 'label'>): string {
  const of = messages < outOf ? `${formatCount(messages)} of ${formatCount(outOf)}` : formatCount(messages);
  const how = messages === 1 ? [] : [STREAM_CONTENTS[per]];
  const as = encoding === null ? how : [`written in ${encodingInSentence(encoding)}`, ...how];
  return [`${of} ${outOf === 1 ? 'message' : 'messages'}`, ...as].join(', ');
}

/**
 * `Without hits.version, 10 messages, each compressed alone, after zstd level 3 take 12 bytes less; 5 to 19 with 0 to 31
 * bytes put in front.`
 */
export function savedWords(saved: FieldSaved): string {
  const { path, label, bytes, low, high, isMeasurable } = saved;
  const subject = savedSubject(saved);
  const which = `${subject}${subject.includes(',') ? ',' : ''} after ${label}`;
  const s = saved.messages === 1 ? 's' : '';
  const band = `${low === high ? formatBytes(low) : `${savedBand(saved)} bytes`} with 0 to 31 bytes put in front`;
  if (!isMeasurable) return `Without ${path}, what ${which} save${s} is not measurable: ${band}.`;
  const change = bytes < 0 ? `${formatBytes(-bytes)} more` : `${formatBytes(bytes)} less`;
  return `Without ${path}, ${which} take${s} ${change}; saved are ${band}.`;
}

/** `5 to 19`: bytes, over all shifts. */
export const savedBand = ({ low, high }: Saved): string =>
  low === high ? formatCount(low) : `${formatCount(low)} to ${formatCount(high)}`;

/** `10 messages, each compressed alone, zstd level 3 by libzstd 1.5.7, with 0 to 31 bytes put in front.` */
export const savedTitle = (of: Measured & { readonly library: string; readonly version: string }): string =>
  `${savedSubject(of)}, ${of.label} by ${of.library} ${of.version}, with 0 to 31 bytes put in front.${of.messages < of.outOf ? SAMPLE : ''}`;

const SAMPLE = ' It is a sample; the bits that fields pay may be of other streams.';
