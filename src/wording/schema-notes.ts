/** Notes of the schema panel. */
export const SCHEMA_NOTES = {
  noStorage: 'This browser keeps no schema files for this page: after a reload, add them again.',
  noneFits: 'No schema fits. Fields are shown by number, and strings are guesses.',
  allShipped: 'All schemas that ship with the app',
  drop: 'Drop or paste your own .proto files or a descriptor set, or',
  unreadable: 'This file can no longer be read: it was moved, changed or deleted since. Add it again.',
  shipped: 'Read-only: it ships with the app.',
  printed: 'Read-only: printed from its descriptors, which have no text. Declarations are sorted by name.',
  inUse: 'In use, from the schemas that ship with the app:',
  noType: 'No type is claimed; the menu has the ranking and its reasons',
} as const;

export const changedWriters = (fields: number): string =>
  fields === 1 ? 'One field has a writer of its own.' : `${fields} fields have writers of their own.`;

export const nativeTypeTitle = (type: string | null): string =>
  `${type}: captured natively, and read by the layout of its action`;
export const shownTypeTitle = (type: string): string =>
  `${type}: the messages show it to be theirs; the menu has the ranking and its reasons`;
