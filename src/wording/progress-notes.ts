/** Titles of progress bars and of messages about failures: the work that runs, and the work that failed. */
export const PROGRESS_NOTES = {
  secondVersion: 'Reading the second version',
  sampleFailed: 'Fetching the sample failed',
  lookingForWay: 'Looking for a way',
  exploreFailed: 'Looking into the schema failed',
  compressFailed: 'Compressing the messages failed',
  matrixFailed: 'Measuring the encodings failed',
  paidFailed: 'Measuring after compression failed',
  streamFailed: 'Reading the compressed stream failed',
  searchFailed: 'Searching the messages failed',
  listFailed: 'Listing the messages failed',
  timelineFailed: 'Drawing the timeline failed',
  adding: 'Adding up the bytes',
} as const;
