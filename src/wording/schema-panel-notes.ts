/** Notes of the schema panel, which loads on demand. */
import { formatCount } from './number-text.ts';

export const SCHEMA_PANEL_NOTES = {
  editor: 'Schema text. Tab indents, Escape leaves the text.',
  noneFitsText: 'No schema fits. The messages’ own field names are shown.',
  noneFits: 'No schema fits. Fields are shown by number, and strings are guesses.',
  allShipped: 'All schemas that ship with the app',
  drop: 'Drop or paste your own .proto files or a descriptor set, or choose them:',
  files: 'Schema files to load',
  folder: 'Folder of schemas to load',
  unreadable: 'This file can no longer be read: it was moved, changed or deleted since. Add it again.',
  shipped: 'Read-only: it ships with the app.',
  printed:
    'Read-only: printed from its descriptors, which have no text. Declarations are sorted by name; standard options that change no message, like java_package, are left out.',
  reflected: 'Servers sent it in the capture, in responses of gRPC’s server reflection.',
  inUse: 'In use, from the schemas that ship with the app:',
  inUseTitle: 'In use, ships with the app',
} as const;

export const tooLongLine = (limit: number): string =>
  `Read-only: a line of this file has more than ${formatCount(limit)} characters, too many for the editor. To edit the file here, break its lines and add it again.`;

export const noneOpen = (files: number): string => `${formatCount(files)} files are loaded; none is open.`;

export const descriptorSet = (bytes: number): string =>
  `A descriptor set of ${formatCount(bytes)} bytes, read-only. It contains these files:`;

export const shownCharacters = (shown: number, all: number): string =>
  `${formatCount(shown)} of ${formatCount(all)} characters.`;

export const namesOf = (type: string): string => `The names are those of ${type}.`;
