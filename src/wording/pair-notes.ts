/** Fixed sentences of the comparison of A and B. */
export const PAIR_NOTES = {
  keep: 'Keep this as A',
  openB: 'Then open another file, or choose another group, message, type or schema: that is B.',
  otherFile: 'Compare with another file',
  otherType: 'Compare with another type of this input',
  schemas: 'Compare two versions of the schema',
  sameMessages: 'The same messages, read with other .proto files or a descriptor set: that is B.',
  schemaFiles: 'Files of the schema for B',
  dropB: 'Drop or choose it: it is B, and the open input is A. Of two files at once, the first is A.',
  otherMessages: 'Compare with other messages of this input',
  table: 'Fields of A and B',
} as const;

export const notMeasurable = (figure: string): string => `${figure} could not be measured.`;
export const notShared = (figure: string, sides: readonly string[]): string =>
  `${figure} of ${sides.join(' and ')} was not measured: its messages are not here.`;
