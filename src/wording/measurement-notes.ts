/** The work of measurements, which load on demand: as in progress-notes.ts. */
export const COMPRESSING = 'Compressing the messages';
export const MEASURING_ENCODINGS = 'Measuring the encodings';
export const MEASURING_PAID = 'Measuring after compression';
export const MEASURING_SAVINGS = 'Measuring savings';
export const READING_STREAM = 'Reading the compressed stream';
