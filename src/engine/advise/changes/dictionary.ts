import type { DictionaryChange } from '../change.ts';
import { DICTIONARY } from '../rule-links.ts';
import { sameBytes } from './same-bytes.ts';

/** Both sides need the same dictionary. */
export const dictionaryChange = sameBytes<DictionaryChange>(
  ({ to }) => `Every reader needs ${to} and this dictionary: a version of it in the protocol.`,
  DICTIONARY,
  'new message version',
);
