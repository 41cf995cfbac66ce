import { isPackable } from '../../schema/wire-types.ts';
import { type ChangeKind, ImpossibleChange, type PackedChange } from '../change.ts';
import { PACKED } from '../rule-links.ts';
import { targetField } from './target.ts';

export const packedChange: ChangeKind<PackedChange> = {
  alter(change, forms) {
    const field = targetField(forms, change);
    if (field.cardinality !== 'repeated' || !isPackable(field.type)) {
      throw new ImpossibleChange(`${change.message}.${change.field} is not a repeated field of numbers`);
    }
    return forms.withField(change.message, change.field, { packed: change.to });
  },
  touches: ({ message, field }) => [{ message, field }],
  compatibility: () => ({
    binary: 'safe',
    json: 'safe',
    source: 'safe',
    reasons: [{ about: 'binary', text: 'Parsers must take both forms, packed and expanded.', link: PACKED }],
  }),
  effort: () => 'schema compatible',
};
