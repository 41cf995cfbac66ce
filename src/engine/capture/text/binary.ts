/** The bytes themselves. Text that no text encoding explains is read so too, with a low score. */
import { latin1 } from '../../bytes/latin1.ts';
import { textKind, textStart } from './ascii.ts';
import type { Candidate, TextEncoding } from './text-encoding.ts';
import { textFormat } from './text-format.ts';
import { TEXT_LABELS } from './text-labels.ts';

/** An object, or a list that begins with one. */
const OBJECT = /^(?:\[\s*)?\{\s*"[^"]*"?/;
/** Bytes of the text that are looked at. */
const OPENING = 256;

export const binary: TextEncoding = {
  id: 'binary',
  label: TEXT_LABELS.binary,
  sniff(head, size) {
    if (size === 0) return { score: 1, reason: 'empty' };
    const kind = textKind(head);
    if (kind === 'none') return { score: 1, reason: 'holds bytes that no text has' };
    const start = textStart(head);
    // Its escapes are its own.
    if (OBJECT.test(latin1(head.subarray(start, start + OPENING))))
      return { score: 0.9, reason: 'JSON, taken as it is' };
    const message = textFormat(head, size);
    // One text alone is the bytes of a field.
    if (message !== null)
      return { score: message.fields > 1 ? 0.99 : 0.9, reason: 'protobuf’s text format, taken as it is' };
    return { score: kind === 'utf8' ? 0.4 : 0.3, reason: 'text, taken as it is' };
  },
  read: null,
};

/** Bytes that no text has are read as they are. @returns every text encoding, best first; null: it may be text */
export const judgeBinary = (head: Uint8Array): readonly Candidate[] | null =>
  textKind(head) === 'none'
    ? Object.entries(TEXT_LABELS).map(([id, label]) => ({
        id,
        label,
        ...(id === binary.id ? { score: 1, reason: 'holds bytes that no text has' } : { score: 0, reason: 'not text' }),
      }))
    : null;
