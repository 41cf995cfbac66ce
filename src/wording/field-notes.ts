/** Notes of the field table and of the selected field. */
import { formatBytes, formatCount } from './number-text.ts';

export const FIELD_NOTES = {
  icicleTable: 'The table below has the same fields.',
  zoom: 'Double-click to zoom in',
  unknownPath: 'No field of this profile has the path',
  otherWriters: 'The cost of other writers is known only after every message is written.',
  counted: 'Counted with tags; length prefixes around them as they are.',
  flat: 'One list of all fields, each with its own bytes',
  none: 'No fields were found.',
  neverPresent: 'It never occurs here: tag and length are assumed as short as possible.',
  neverAbsent: 'It is never absent here: an absent value is assumed to be the writer’s default.',
  filtered: 'Own bytes of the fields shown',
  selectField: 'Select a field: where its bytes go, how wide its varints are, when its presence pays.',
  inB: 'In B',
} as const;

/** @param where `bytes 3–8 of message 0` */
export const readingsWords = (where: string): string =>
  `No schema describes these bytes. Readings that fit ${where}, likeliest first:`;

/** @param saved bytes that the smallest other type saves; 0: it saves nothing */
export const otherTypeWords = (type: string, values: number, saved: number): string =>
  saved > 0
    ? `Declared ${type}, the same ${formatCount(values)} ${values === 1 ? 'value' : 'values'} would take ${formatBytes(saved)} less.`
    : 'No other type would be smaller.';

export const noPathContains = (text: string): string => `No field’s path contains “${text}”.`;

export const noVarints = (part: string): string => `No ${part} of this field was read as a varint.`;
export const firstRows = (shown: number, all: number): string =>
  `The first ${formatCount(shown)} of ${formatCount(all)} rows.`;
export const icicleLabel = (name: string, bytes: number, elsewhere: string): string =>
  `Icicle of ${name}: ${formatBytes(bytes)} by field path. ${elsewhere}`;

export const nothingAt = (path: string): string => `This input has nothing at ${path}.`;
