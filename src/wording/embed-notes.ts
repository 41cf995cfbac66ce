/** Notes of an embed without a figure to show. */
export const EMBED_NOTES = {
  unknownFigure: 'This version has no figure that is called',
  noFigures: 'This link carries messages, not figures: they are read in the app.',
  notInLink: 'The link has nothing that this figure shows:',
} as const;
