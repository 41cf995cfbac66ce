/** Notes of the schema panel. */
export const SCHEMA_NOTES = {
  noStorage: 'This browser keeps no schema files for this page: after a reload, add them again.',
  noType: 'No type is claimed; the menu has the ranking and its reasons',
} as const;

export const changedWriters = (fields: number): string =>
  fields === 1 ? 'One field has a writer of its own.' : `${fields} fields have writers of their own.`;

export const nativeTypeTitle = (type: string | null): string =>
  `${type}: captured natively, and read by the layout of its action`;
export const presumedTypeTitle = (type: string): string =>
  `${type}: it explains every byte and fits best of the few loaded types, but messages of other types may look the same; the menu has the ranking`;

export const shownTypeTitle = (type: string): string =>
  `${type}: the messages fit it; the menu has the ranking and its reasons`;
