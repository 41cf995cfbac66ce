/** How many messages an input has; of one that is not read to its end, how many were read. */
import { plural } from '#engine/model/count-text.ts';
import { formatBytes, formatCount } from './number-text.ts';

export interface ReadMessages {
  readonly messages: number;
  /** false: the input is not read to its end. */
  readonly complete: boolean;
}

/** `1,383`; `1,383 read` */
export const countWords = ({ messages, complete }: ReadMessages): string =>
  `${formatCount(messages)}${complete ? '' : ' read'}`;

/** `1,383 in all`; `1,383 read` */
export const totalWords = (read: ReadMessages): string => `${countWords(read)}${read.complete ? ' in all' : ''}`;

/** `34 messages, 120 bytes`; `3 of 34 messages, 12 plain bytes`: of compressed ones, beside what was captured. */
export function listedWords(listed: number, bytes: number, messages: number, isCompressed: boolean): string {
  const part = listed < messages ? `${formatCount(listed)} of ` : '';
  const size = isCompressed ? `${formatCount(bytes)} plain bytes` : formatBytes(bytes);
  return `${part}${plural(messages, 'message')}, ${size}`;
}

/** Above the messages of an input that was not read to its end. */
export const firstOnly = (messages: number, hasFailed: boolean): string =>
  `Only the first ${messages === 1 ? 'message' : `${formatCount(messages)} messages`}: reading ${hasFailed ? 'failed' : 'was cancelled'}.`;
