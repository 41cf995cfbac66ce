import { type ChangeKind, ImpossibleChange, type OneofChange } from '../change.ts';
import type { FieldEncodings, FieldForm } from '../forms.ts';
import { ONEOF, PRESENCE } from '../rule-links.ts';
import { isUnwritten } from '../value-tree.ts';
import { nodesOfType, targetField } from './target.ts';
import { worstCompatibility } from './type-compatibility.ts';

/** Moves a field into or out of a oneof. Records are unchanged. A field that moves into a oneof gets presence. */
export const oneofChange: ChangeKind<OneofChange> = {
  alter(change, forms) {
    const field = targetField(forms, change);
    const where = `${change.message}.${change.field}`;
    if ((field.oneof ?? '') !== change.from || change.from === change.to) {
      throw new ImpossibleChange(`${where} is ${field.oneof === undefined ? 'in no oneof' : `in ${field.oneof}`}`);
    }
    const isOwn = field.cardinality === 'singular' && field.presence !== 'required' && !field.name.startsWith('[');
    if (!isOwn) throw new ImpossibleChange(`${where} cannot be in a oneof`);
    if (change.to !== '' && !/^[A-Za-z]\w*$/.test(change.to)) {
      throw new ImpossibleChange(`${change.message} cannot have a oneof ${change.to}`);
    }
    return forms.withField(change.message, change.field, {
      oneof: change.to === '' ? undefined : change.to,
      presence: 'explicit',
    });
  },
  forward(change, tree, { after }) {
    if (change.to === '') return tree;
    const others = membersOf(change.message, change.to, after).filter(({ name }) => name !== change.field);
    for (const node of nodesOfType(tree, change.message)) {
      if (node.fields.has(change.field) && others.some(({ name }) => node.fields.has(name))) {
        throw new ImpossibleChange(`${change.message} has ${change.field} beside another field of ${change.to}`);
      }
    }
    return tree;
  },
  backward(change, tree, { before }) {
    const field = targetField(before, change);
    if (field.presence !== 'implicit') return tree;
    for (const node of nodesOfType(tree, change.message)) {
      const value = node.only(change.field);
      if (value !== undefined && isUnwritten(value, field)) node.fields.delete(change.field);
    }
    return tree;
  },
  touches: ({ message, field }) => [{ message, field }],
  compatibility(change, forms) {
    const field = targetField(forms, change);
    const old = membersOf(change.message, change.from, forms);
    const others = [...old, ...membersOf(change.message, change.to, forms)].filter(({ name }) => name !== field.name);
    const isAlone = others.length === 0;
    const isPresent = field.presence === 'implicit';
    // Into a new oneof, fields may move that no writer sets together.
    const isThere = forms.registry.messages.get(change.message)!.oneofs.some(({ name }) => name === change.to);
    const verdict = worstCompatibility(
      isThere ? 'unsafe' : isAlone ? 'safe' : 'conditional',
      isPresent ? 'conditional' : 'safe',
    );
    return {
      binary: verdict,
      json: verdict,
      source: 'unsafe',
      reasons: [
        {
          about: 'binary',
          text: isAlone
            ? 'One field alone moves between no oneof and a oneof of its own: records are alike.'
            : 'A message may have two of these fields. In a oneof, only the last one is kept.',
          link: ONEOF,
        },
        ...(isPresent ? [{ about: 'binary', text: 'It has explicit presence now.', link: PRESENCE } as const] : []),
        ...(isAlone
          ? []
          : [{ about: 'json', text: 'Parsers refuse JSON with two fields of a oneof.', link: ONEOF } as const]),
        { about: 'source', text: 'Generated code has the field in another place.', link: ONEOF },
      ],
    };
  },
  effort: (change, forms) =>
    membersOf(change.message, change.from, forms).length > 1 || membersOf(change.message, change.to, forms).length > 0
      ? 'new message version'
      : 'schema compatible',
};

const membersOf = (message: string, oneof: string, forms: FieldEncodings): readonly FieldForm[] =>
  oneof === '' ? [] : (forms.get(message)?.fields.filter((field) => field.oneof === oneof) ?? []);
