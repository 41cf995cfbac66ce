import { type ChangeKind, ImpossibleChange, type PresenceChange } from '../change.ts';
import { PRESENCE } from '../rule-links.ts';
import { isUnwritten } from '../value-tree.ts';
import { defaultTreeValue } from '../write-tree.ts';
import { nodesOfType, targetField } from './target.ts';

/** A field gets presence, or loses it where every message has it. */
export const presenceChange: ChangeKind<PresenceChange> = {
  alter(change, forms) {
    const field = targetField(forms, change);
    const was = change.to === 'implicit' ? 'explicit' : 'implicit';
    if (field.presence !== was || field.oneof !== undefined || isMessage(field.type)) {
      throw new ImpossibleChange(`${change.message}.${change.field} cannot have another presence`);
    }
    const file = forms.registry.messages.get(change.message)?.file;
    if (change.to === 'implicit' && forms.registry.files.find(({ path }) => path === file)?.syntax === 'proto2') {
      throw new ImpossibleChange('In proto2 every field has presence');
    }
    return forms.withField(change.message, change.field, {
      presence: change.to.startsWith('explicit') ? 'explicit' : 'implicit',
      // A field without presence has no default of its own.
      ...(change.to === 'implicit' ? { defaultValue: undefined } : {}),
    });
  },
  forward(change, tree, { after }) {
    const field = targetField(after, change);
    for (const node of nodesOfType(tree, change.message)) {
      const value = node.only(change.field);
      if (change.to === 'explicit, always set' && value === undefined)
        node.fields.set(change.field, [defaultTreeValue(field)]);
      if (change.to === 'implicit' && value === undefined) {
        throw new ImpossibleChange(`${change.message}.${change.field} is absent somewhere: that is not its default`);
      }
    }
    return tree;
  },
  backward(change, tree, { before }) {
    const field = targetField(before, change);
    for (const node of nodesOfType(tree, change.message)) {
      if (change.to !== 'implicit') {
        // Without presence, a default value is absent.
        const value = node.only(change.field);
        if (value !== undefined && isUnwritten(value, field)) node.fields.delete(change.field);
      } else if (!node.fields.has(change.field)) node.fields.set(change.field, [defaultTreeValue(field)]);
    }
    return tree;
  },
  touches: ({ message, field }) => [{ message, field }],
  compatibility: () => ({
    binary: 'conditional',
    json: 'conditional',
    source: 'conditional',
    reasons: [
      {
        about: 'binary',
        text: 'Records are alike. Senders and readers may disagree on whether a default was set.',
        link: PRESENCE,
      },
      { about: 'json', text: 'A default that is set is printed, one that is not is left out.', link: PRESENCE },
      { about: 'source', text: 'Explicit presence adds methods that show whether a field is set.', link: PRESENCE },
    ],
  }),
  effort: () => 'schema compatible',
};

const isMessage = (type: string): boolean => type === 'message' || type === 'group';
