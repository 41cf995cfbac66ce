import type { ChangeKind, CompressorChange } from '../change.ts';
import { COMPRESSION } from '../rule-links.ts';

/** The same bytes, compressed by another library: no record changes, and both sides have to know it. */
export const compressorChange: ChangeKind<CompressorChange> = {
  alter: (_, forms) => forms,
  touches: () => [],
  compatibility: ({ to }) => ({
    binary: 'conditional',
    json: 'safe',
    source: 'safe',
    reasons: [
      {
        about: 'binary',
        text: `Every reader has to decompress ${to}; transports can negotiate it.`,
        link: COMPRESSION,
      },
    ],
  }),
  effort: () => 'writer only',
};
