/** Names of a profile that come from the messages. */
import { type Profile, ROOT } from './profile.ts';

/**
 * Names of the fields that no type declares and that have no number: the messages write them, as members of JSON. They
 * may be data. Each once, without paths.
 */
export const memberNames = ({ fields }: Profile): readonly string[] => [
  ...new Set(
    fields.flatMap(({ name, number, declared }) =>
      // A member whose name begins like the row that sums absent fields is in quotes.
      declared !== null || number !== 0 || name === ROOT || name.startsWith('… ') ? [] : [name],
    ),
  ),
];
