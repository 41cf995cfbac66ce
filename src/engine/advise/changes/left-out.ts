import { type ChangeKind, ImpossibleChange, type LeftOutChange } from '../change.ts';
import { RANGES } from '../conversions/plain.ts';
import { PRESENCE } from '../rule-links.ts';
import { integer, TreeNode, type TreeValue } from '../value-tree.ts';
import { defaultTreeValue } from '../write-tree.ts';
import { nodesOfType, targetField } from './target.ts';

const EMPTY_MESSAGE = 'the message is empty';

/** A sentinel value is not written any more: absence represents it. */
export const leftOutChange: ChangeKind<LeftOutChange> = {
  alter(change, forms) {
    const field = targetField(forms, change);
    const isMessage = field.typeName !== undefined && field.type !== 'enum';
    const isFitting = isMessage ? change.when === EMPTY_MESSAGE : RANGES[field.type] !== undefined;
    if (field.cardinality !== 'singular' || field.presence === 'required' || !isFitting) {
      throw new ImpossibleChange(`${change.message}.${change.field} cannot be left out when ${change.when}`);
    }
    if (!isMessage) wanted(change);
    return isMessage || field.presence === 'explicit'
      ? forms
      : forms.withField(change.message, change.field, { presence: 'explicit' });
  },
  forward(change, tree, { before, after }) {
    const field = targetField(after, change);
    const value = change.when === EMPTY_MESSAGE ? undefined : wanted(change);
    for (const node of nodesOfType(tree, change.message)) {
      const known = node.only(change.field);
      if (known !== undefined && isWanted(known, value)) node.fields.delete(change.field);
      else if (known === undefined) {
        if (value === undefined) {
          throw new ImpossibleChange(
            `${change.message}.${change.field} is absent somewhere: that would mean an empty message`,
          );
        }
        // An absent value without presence is 0.
        if (targetField(before, change).presence !== 'implicit') {
          throw new ImpossibleChange(
            `${change.message}.${change.field} is absent somewhere: that would mean ${change.when}`,
          );
        }
        node.fields.set(change.field, [defaultTreeValue(field)]);
      }
    }
    return tree;
  },
  backward(change, tree, { before }) {
    const field = targetField(before, change);
    // The loop must not visit nodes that it adds, because a type may contain itself.
    for (const node of [...nodesOfType(tree, change.message)]) {
      if (node.fields.has(change.field)) continue;
      node.fields.set(change.field, [change.when === EMPTY_MESSAGE ? new TreeNode(field.typeName!) : wanted(change)]);
    }
    return tree;
  },
  touches: ({ message, field }) => [{ message, field }],
  compatibility: ({ message, field, when }, forms) =>
    when === EMPTY_MESSAGE
      ? {
          binary: 'conditional',
          json: 'conditional',
          source: 'safe',
          reasons: [
            { about: 'binary', text: 'Readers must not need the presence of an empty message.', link: PRESENCE },
            { about: 'json', text: 'The name of an empty message is no longer printed.', link: PRESENCE },
          ],
        }
      : {
          binary: 'conditional',
          json: 'conditional',
          source: 'conditional',
          reasons: [
            { about: 'binary', text: `An old reader sees the default, and not ${when}.`, link: PRESENCE },
            ...(forms.field(message, field)?.presence === 'implicit'
              ? [
                  {
                    about: 'binary',
                    text: `Old records do not have a 0: a new reader takes it for ${when}.`,
                    link: PRESENCE,
                  } as const,
                ]
              : []),
            { about: 'json', text: `The name is missing where ${when} stood.`, link: PRESENCE },
            { about: 'source', text: 'Code asks whether the field is set.', link: PRESENCE },
          ],
        },
  effort: ({ when }) => (when === EMPTY_MESSAGE ? 'writer only' : 'schema compatible'),
};

function wanted({ when }: LeftOutChange): number | bigint {
  if (!/^-?\d+$/.test(when)) throw new ImpossibleChange(`"${when}" says no value that could be left out`);
  return integer(BigInt(when));
}

const isWanted = (value: TreeValue, wanted: number | bigint | undefined): boolean =>
  value instanceof TreeNode ? value.fields.size === 0 && value.unknown.length === 0 : value === wanted;
