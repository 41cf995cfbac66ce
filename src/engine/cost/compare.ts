/** Where the difference between the two encodings comes from, in causes that sum to it exactly. */

/** Protobuf minus native: positive bytes are what protobuf costs more. */
export const CAUSES = {
  tags: 'Tags',
  lengths: 'Length prefixes',
  flags: 'Optional flags',
  counts: 'Counts',
  types: 'Type bytes',
  widths: 'Fixed against variable widths',
  text: 'Text: UTF-8 against UTF-16 units',
  absent: 'Absent values',
  outside: 'Not in the native layout',
  unattributed: 'Unattributed',
} as const;
export type Cause = keyof typeof CAUSES;
