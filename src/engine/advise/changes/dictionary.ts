import type { ChangeKind, DictionaryChange } from '../change.ts';
import { DICTIONARY } from '../rule-links.ts';

/** The same bytes; both sides need the dictionary that they are compressed with. */
export const dictionaryChange: ChangeKind<DictionaryChange> = {
  alter: (_, forms) => forms,
  touches: () => [],
  compatibility: ({ to }) => ({
    binary: 'conditional',
    json: 'safe',
    source: 'safe',
    reasons: [
      {
        about: 'binary',
        text: `Every reader needs ${to} and this dictionary: a version of it in the protocol.`,
        link: DICTIONARY,
      },
    ],
  }),
  effort: () => 'new message version',
};
