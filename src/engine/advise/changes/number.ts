import { type ChangeKind, ImpossibleChange, type NumberChange } from '../change.ts';
import { RESERVED, UPDATING_RULES_URL } from '../rule-links.ts';
import { targetField } from './target.ts';

/**
 * A new number is the same as removing a field and adding another one. Within one set of changes, numbers may be
 * swapped.
 */
export const numberChange: ChangeKind<NumberChange> = {
  alter(change, forms) {
    const field = targetField(forms, change);
    if (field.number !== change.from) {
      throw new ImpossibleChange(`${change.message}.${change.field} has number ${field.number}, not ${change.from}`);
    }
    if (!(Number.isInteger(change.to) && change.to > 0 && change.to < 2 ** 29)) {
      throw new ImpossibleChange(`${change.to} is not a field number`);
    }
    return forms.withField(change.message, change.field, { number: change.to });
  },
  touches: ({ message, field }) => [{ message, field }],
  compatibility: () => ({
    binary: 'unsafe',
    json: 'safe',
    source: 'safe',
    reasons: [
      {
        about: 'binary',
        text: 'A field is its number: an old reader takes the value for an unknown field, or for another one.',
        link: UPDATING_RULES_URL,
      },
      { about: 'binary', text: 'The old number is reserved, so that it is not used again.', link: RESERVED },
    ],
  }),
  effort: () => 'new message version',
};
