/** No dress at all: the bytes are what they are. Text that no dress explains lands here too, with little confidence. */
import { textKind } from './ascii.ts';
import type { Dress } from './text-encoding.ts';

export const binary: Dress = {
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
