/** Notes beside the verdict. */
export const VERDICT_NOTES = {
  opaque: 'The bodies are written one value after the other, without tags.',
  noLayout: 'No layout says in which order, so they are shown as bytes and never taken for protobuf.',
  failed: 'It could not be measured.',
  uncompressed: 'These messages were captured uncompressed; choose a compressor.',
  types: 'Types of the messages, side by side',
  chooseA: 'Two inputs side by side: choose A.',
} as const;
