import { OTHER_SYNTAX } from '../../schema/compare/type-verdicts.ts';
import { type ChangeKind, ImpossibleChange, type MessageEncodingChange } from '../change.ts';
import type { FieldForm } from '../forms.ts';
import { MESSAGE_ENCODING, UPDATING_RULES_URL } from '../rule-links.ts';
import { targetField } from './target.ts';

/** Length-prefixed messages ↔ delimited ones: a start and an end tag instead of a tag and a length. */
export const messageEncodingChange: ChangeKind<MessageEncodingChange> = {
  alter(change, forms) {
    if (!isMessage(targetField(forms, change))) {
      throw new ImpossibleChange(`${change.message}.${change.field} is not a message field`);
    }
    return forms.withField(change.message, change.field, {
      type: change.to.startsWith('delimited') ? 'group' : 'message',
    });
  },
  touches: ({ message, field }) => [{ message, field }],
  isMoot: (change, forms, first) => isMessage(targetField(first, change)) && !isMessage(targetField(forms, change)),
  compatibility(change, { registry }) {
    const file = registry.messages.get(change.message)?.file;
    const syntax = registry.files.find(({ path }) => path === file)?.syntax;
    const isOther = change.to.startsWith('delimited') && syntax?.startsWith('proto') === true;
    return {
      binary: 'unsafe',
      json: 'safe',
      source: isOther ? OTHER_SYNTAX.verdict : 'safe',
      reasons: [
        {
          about: 'binary',
          text: 'The wire type changes: several parsers skip the field as unknown, protobuf-es refuses it.',
          link: UPDATING_RULES_URL,
        },
        ...(isOther
          ? [
              {
                about: 'source',
                text: `The file becomes an edition. ${OTHER_SYNTAX.message}`,
                link: MESSAGE_ENCODING,
              } as const,
            ]
          : []),
      ],
    };
  },
  effort: () => 'new field needed',
};

const isMessage = ({ type, typeName, cardinality }: FieldForm): boolean =>
  typeName !== undefined && type !== 'enum' && cardinality !== 'map';
