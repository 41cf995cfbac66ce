/** The bytes themselves. Text that no text encoding explains is read so too, with a low score. */
import { textKind } from './ascii.ts';
import type { TextEncoding } from './text-encoding.ts';

export const binary: TextEncoding = {
  id: 'binary',
  label: 'Binary',
  sniff(head, size) {
    if (size === 0) return { score: 1, reason: 'empty' };
    const kind = textKind(head);
    if (kind === 'none') return { score: 1, reason: 'holds bytes that no text has' };
    return { score: kind === 'utf8' ? 0.4 : 0.3, reason: 'text, taken as it is' };
  },
  read: null,
};
