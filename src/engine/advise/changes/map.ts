import { MAP_AND_LIST } from '../../schema/compare/type-verdicts.ts';
import { type ChangeKind, ImpossibleChange, type MapChange } from '../change.ts';
import type { FieldForm } from '../forms.ts';
import { UPDATING_RULES_URL } from '../rule-links.ts';
import { targetField } from './target.ts';

/** Turns a map into a list of its entries, which may leave out default keys and values. */
export const mapChange: ChangeKind<MapChange> = {
  alter(change, forms) {
    const field = targetField(forms, change);
    if (change.to !== 'repeated') throw new ImpossibleChange(`A map becomes repeated, not ${change.to}`);
    if (field.cardinality !== 'map') throw new ImpossibleChange(`${change.message}.${change.field} is not a map`);
    const entry = field.typeName!;
    const isImplicit = forms.registry.files.some(({ path, syntax }) => {
      return syntax !== 'proto2' && path === forms.registry.messages.get(entry)?.file;
    });
    // An enum in an edition may be closed, and then needs presence.
    const isScalar = ({ type }: FieldForm): boolean => type !== 'message' && type !== 'enum';
    return forms
      .withField(change.message, change.field, { cardinality: 'repeated' })
      .asList(entry, (part) => ({ ...part, presence: isImplicit && isScalar(part) ? 'implicit' : 'explicit' }));
  },
  touches: (change, forms) => {
    const entry = forms.field(change.message, change.field)?.typeName ?? '';
    return [
      { message: change.message, field: change.field },
      { message: entry, field: 'key' },
      { message: entry, field: 'value' },
    ];
  },
  compatibility: () => ({
    binary: MAP_AND_LIST.binary.verdict,
    json: MAP_AND_LIST.json.verdict,
    source: 'unsafe',
    reasons: [
      { about: 'binary', text: MAP_AND_LIST.binary.message, link: UPDATING_RULES_URL },
      { about: 'json', text: MAP_AND_LIST.json.message, link: UPDATING_RULES_URL },
      { about: 'source', text: 'A map becomes a list: readers search it for a key.', link: UPDATING_RULES_URL },
    ],
  }),
  effort: () => 'schema compatible',
};
