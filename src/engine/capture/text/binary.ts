/** The bytes themselves. Text in no known text encoding is also read like this, with a low score. */
import { latin1 } from '../../bytes/latin1.ts';
import { textKind, textStart } from './ascii.ts';
import type { Candidate, TextEncoding } from './text-encoding.ts';
import { textFormat } from './text-format.ts';
import { TEXT_LABELS } from './text-labels.ts';

/** An object, or a list whose first element is an object. */
const OBJECT = /^(?:\[\s*)?\{\s*"[^"]*"?/;
/** Number of bytes of the text that are tested. */
const OPENING = 256;

export const binary: TextEncoding = {
  id: 'binary',
  label: TEXT_LABELS.binary,
  sniff(head, size) {
    if (size === 0) return { score: 1, reason: 'empty' };
    const kind = textKind(head);
    if (kind === 'none') return { score: 1, reason: 'holds bytes that no text has' };
    const start = textStart(head);
    // A JSON text's escapes are part of JSON.
    if (OBJECT.test(latin1(head.subarray(start, start + OPENING))))
      return { score: 0.9, reason: 'JSON, taken as it is' };
    const message = textFormat(head, size);
    // A single string is the contents of a bytes field.
    if (message !== null)
      return { score: message.fields > 1 ? 0.99 : 0.9, reason: 'protobuf’s text format, taken as it is' };
    return { score: kind === 'utf8' ? 0.4 : 0.3, reason: 'text, taken as it is' };
  },
  read: null,
};

/** Bytes that do not occur in text are binary. @returns every text encoding, best first; null: the input may be text */
export const judgeBinary = (head: Uint8Array): readonly Candidate[] | null =>
  textKind(head) === 'none'
    ? Object.entries(TEXT_LABELS).map(([id, label]) => ({
        id,
        label,
        ...(id === binary.id ? { score: 1, reason: 'holds bytes that no text has' } : { score: 0, reason: 'not text' }),
      }))
    : null;
