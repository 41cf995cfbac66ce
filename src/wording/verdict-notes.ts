/** Notes beside the verdict. */
export const VERDICT_NOTES = {
  failed: 'It could not be measured.',
  uncompressed:
    'These messages were captured uncompressed, or in a way whose bits are not read (WebSocket’s permessage-deflate); choose a compressor.',
  types: 'Types of the messages, side by side',
  chooseA: 'Two inputs side by side: choose A.',
  scope: 'Messages in the sums',
  unread: 'Most of the bytes could not be read.',
  drawn: 'Figures of bars and picture',
} as const;
