/** Notes of the field table and of the selected field. */
import { formatBytes, formatCount } from './number-text.ts';

export const FIELD_NOTES = {
  icicleTable: 'The table below has the same fields.',
  zoom: 'Double-click to zoom in',
  flat: 'One list of all fields, each with its own bytes',
  none: 'No fields were found.',
  filtered: 'Own bytes of the fields shown',
  selectField: 'Select a field: where its bytes go, how wide its varints are, when its presence pays.',
  inB: 'In B',
} as const;

export const noPathContains = (text: string): string => `No field’s path contains “${text}”.`;
export const firstRows = (shown: number, all: number): string =>
  `The first ${formatCount(shown)} of ${formatCount(all)} rows.`;
export const icicleLabel = (name: string, bytes: number, elsewhere: string): string =>
  `Icicle of ${name}: ${formatBytes(bytes)} by field path. ${elsewhere}`;

export const nothingAt = (path: string): string => `The shown messages have nothing at ${path}.`;
