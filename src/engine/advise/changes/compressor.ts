import type { CompressorChange } from '../change.ts';
import { COMPRESSION } from '../rule-links.ts';
import { sameBytes } from './same-bytes.ts';

/** Another library compresses the messages. */
export const compressorChange = sameBytes<CompressorChange>(
  ({ to }) => `Every reader has to decompress ${to}; transports can negotiate it.`,
  COMPRESSION,
  'writer only',
);
