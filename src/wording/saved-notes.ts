/** Notes where savings are measured. */
export const SAVED_NOTES = {
  method: 'Messages are compressed again without each field.',
  noSum: 'Savings do not add up.',
  progress: 'Fields measured',
  failed: 'It could not be measured.',
  noMessage: 'No message can be written again.',
  meaning:
    'The messages are compressed with the field and without it. It is another figure than the bits that the field pays.',
} as const;
