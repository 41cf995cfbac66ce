/** Searches for the first message that has something, and a selected field that the shown message does not have. */
import { formatCount } from './number-text.ts';

export const FIRST_MATCH_NOTES = {
  withField: 'Show the first that has it',
  withLoss: 'Show the first',
  searching: 'Searching…',
  cancel: 'Cancel',
  noLoss: 'No message has it alone.',
} as const;

export const absentField = (path: string, ordinal: number): string =>
  `Message ${formatCount(ordinal)} does not have ${path}.`;

export const nowhere = (path: string): string => `No message has bytes of ${path}.`;
