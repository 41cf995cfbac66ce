/** The work that a progress bar shows, and that the title of a failure names. */
export const PROGRESS_NOTES = {
  sample: 'Fetching the sample',
  schemas: 'Fetching the schemas',
  archive: 'Unpacking the archive',
  schema: 'Reading the schema',
  shippedSchemas: 'Reading the schemas',
  secondVersion: 'Reading the second version',
  explore: 'Looking into the schema',
  input: 'Reading the input',
  compareTypes: 'Comparing types',
  lookUpTypes: 'Looking up types',
  adding: 'Adding up the bytes',
  list: 'Listing the messages',
  search: 'Searching the messages',
  choose: 'Choosing messages',
  timeline: 'Drawing the timeline',
  compress: 'Compressing the messages',
  matrix: 'Measuring the encodings',
  paid: 'Measuring after compression',
  saved: 'Measuring savings',
  stream: 'Reading the compressed stream',
  advise: 'Measuring changes',
  applyChanges: 'Applying the changes',
  writeMessage: 'Writing the message',
  lookingForWay: 'Looking for a way',
} as const;

export const fetchingFrom = (address: string): string => `Fetching ${address}`;
export const readingMessage = (ordinal: number): string => `Reading message ${ordinal}`;

export const failedTitle = (work: string): string => `${work} failed`;
