/** The selected field, where the shown message does not have it. */
import { formatCount } from './number-text.ts';

export const ABSENT_FIELD_NOTES = {
  show: 'Show the first that has it',
  searching: 'Searching…',
  cancel: 'Cancel',
} as const;

export const absentField = (path: string, ordinal: number): string =>
  `Message ${formatCount(ordinal)} does not have ${path}.`;

export const nowhere = (path: string): string => `No message has bytes of ${path}.`;
