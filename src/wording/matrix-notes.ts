/** Fixed sentences of the matrix of encodings and compressors. */
export const MATRIX_NOTES = {
  compareBytes: 'Compare causes and bytes',
  table: 'Encodings and compressors. Choose a column to sort by, and an encoding to compare by field.',
  compareByField: 'Compare with what was captured, by field',
  notShared: 'The encodings were not shared.',
  noneWhole: 'No message of this type can be read whole, so none can be written again.',
  notMeasured: 'The encodings were not measured to the end.',
  progress: 'Encodings measured',
  measuring: 'Writing the messages in every encoding, and compressing each…',
} as const;
