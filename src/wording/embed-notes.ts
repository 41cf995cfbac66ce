import { formatCount } from './number-text.ts';

/** Notes of an embed without a figure to show. */
export const EMBED_NOTES = {
  unknownFigure: 'This version has no figure',
  noFigures: 'The app reads the messages of this link.',
  notInLink: 'The link lacks this figure:',
  moreFields: (next: number, left: number): string => `Show ${formatCount(next)} of ${formatCount(left)} more fields`,
  bytesTable: 'These bytes as a table',
  fieldsTable: 'All fields as a table',
} as const;
