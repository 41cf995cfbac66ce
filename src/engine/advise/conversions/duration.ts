/** `end minus start of the same span (mod 2^64)`: a field as the difference from another field of the same message. */
import { ImpossibleChange, type TypeChange } from '../change.ts';
import { nodesOfType } from '../changes/target.ts';
import type { FieldEncodings, FieldForm } from '../forms.ts';
import { UPDATING_RULES_URL } from '../rule-links.ts';
import { integer, integerOf, type TreeNode } from '../value-tree.ts';
import type { Conversion } from './conversion.ts';
import { wrapRound } from './delta.ts';
import { RANGES } from './plain.ts';

export const duration: Conversion = {
  read(change, from, to) {
    const start = startIn(change);
    if (start === undefined || RANGES[from.type] === undefined || RANGES[to.type] === undefined) return undefined;
    const walk = (tree: TreeNode, forms: FieldEncodings, map: (value: bigint, start: bigint) => bigint): void => {
      const other = fieldOf(change, start, forms);
      if (other === undefined) {
        throw new ImpossibleChange(`${change.message} has no number "${start}" beside ${change.field}`);
      }
      for (const node of nodesOfType(tree, change.message)) {
        if (from.presence !== 'implicit' && !node.fields.has(change.field)) continue;
        const mapped = map(integerOf(node, change.field), integerOf(node, other.name));
        if (mapped !== 0n || node.fields.has(change.field)) node.fields.set(change.field, [integer(mapped)]);
      }
    };
    return {
      forward: (tree, { before }) => walk(tree, before, (value, other) => wrapRound(value - other, to.type)),
      backward: (tree, { before }) => walk(tree, before, (value, other) => wrapRound(value + other, from.type)),
      compatibility: {
        binary: 'unsafe',
        json: 'unsafe',
        source: 'unsafe',
        reasons: [{ about: 'json', text: 'A duration replaces the time.', link: UPDATING_RULES_URL }],
      },
    };
  },
  otherField(change, forms) {
    const start = startIn(change);
    return start === undefined ? undefined : fieldOf(change, start, forms)?.name;
  },
};

const startIn = ({ value = '' }: TypeChange): string | undefined => /^\S+ minus (\S+) of the same \S+/.exec(value)?.[1];

/** A field by its name or the first word of its name: `start` is `start_time_unix_nano`. */
function fieldOf({ message, field }: TypeChange, word: string, forms: FieldEncodings): FieldForm | undefined {
  const all = forms.get(message)?.fields ?? [];
  const fields = all.filter(({ name, type }) => name !== field && RANGES[type] !== undefined);
  return (
    fields.find(({ name }) => name === word) ??
    fields.find(({ name }) => name.startsWith(`${word}_`)) ??
    fields.find(({ name }) => name.split('_').includes(word))
  );
}
