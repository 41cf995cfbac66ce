import { type CompressorChange, UNCOMPRESSED } from '../change.ts';
import { COMPRESSION } from '../rule-links.ts';
import { sameBytes } from './same-bytes.ts';

/** Another library compresses the messages, or none does. */
export const compressorChange = sameBytes<CompressorChange>(
  ({ to }) =>
    to === UNCOMPRESSED
      ? 'Every reader has to accept uncompressed messages; transports can negotiate it.'
      : `Every reader has to decompress ${to}; transports can negotiate it.`,
  COMPRESSION,
  'writer only',
);
