/** Text encodings: ids as a person chooses them, and their names. What reads them is loaded when an input is text. */
import { textKind } from './ascii.ts';
import type { Candidate } from './text-encoding.ts';

export const TEXT_LABELS = {
  binary: 'Binary',
  hexdump: 'Dump with offsets',
  hex: 'Hex',
  decimal: 'List of numbers',
  escaped: 'Escaped text',
  base64: 'Base64',
  percent: 'Percent-encoded',
  shell: 'Shell command',
} as const;
export type TextEncodingId = keyof typeof TEXT_LABELS;

export const BINARY: TextEncodingId = 'binary';

/** Bytes that no text has are read as they are. @returns every text encoding, best first; null: it may be text */
export const judgeBinary = (head: Uint8Array): readonly Candidate[] | null =>
  textKind(head) === 'none'
    ? Object.entries(TEXT_LABELS).map(([id, label]) => ({
        id,
        label,
        ...(id === BINARY ? { score: 1, reason: 'holds bytes that no text has' } : { score: 0, reason: 'not text' }),
      }))
    : null;
