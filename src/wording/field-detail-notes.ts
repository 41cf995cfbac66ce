/** Notes of the selected field, which load on demand. */
import { plural } from '#engine/model/count-text.ts';
import { formatBytes } from './number-text.ts';

export const FIELD_DETAIL_NOTES = {
  unknownPath: 'No field of this profile has the path',
  otherWriters: 'The cost of other writers is known only after every message is written.',
  counted: 'Counted with tags; length prefixes around them as they are.',
  neverPresent: 'It never occurs here: tag and length are assumed as short as possible.',
  neverAbsent: 'It is never absent here: an absent value is assumed to be the writer’s default.',
} as const;

export const noVarints = (part: string): string => `No ${part} of this field was read as a varint.`;

/** @param size of a value whose first bytes are shown */
export const firstOf = (size: number): string => `the first of a value of ${formatBytes(size)}`;

/** @param where `bytes 3–8 of message 0` */
export const readingsWords = (where: string): string =>
  `No schema describes these bytes. Readings that fit ${where}, likeliest first:`;

/** @param saved bytes that the smallest other type saves; 0: it saves nothing */
export const otherTypeWords = (type: string, values: number, saved: number): string =>
  saved > 0
    ? `Declared ${type}, the same ${plural(values, 'value')} would take ${formatBytes(saved)} less.`
    : 'No other type would be smaller.';
