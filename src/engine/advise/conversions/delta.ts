/**
 * `minus the timestamp of the sample before it in the request; the first: as it is`
 * `start minus start of the span before it in the list; the first: as it is`
 */
import type { TypeChange } from '../change.ts';
import type { FieldEncodings, FieldForm } from '../forms.ts';
import { UPDATING_RULES_URL } from '../rule-links.ts';
import { integer, nodesOf, sortedEntries, TreeNode, type TreeValue } from '../value-tree.ts';
import type { Conversion, Mapping } from './conversion.ts';
import { RANGES } from './plain.ts';

const IN_REQUEST = /^minus the \S+ of the .+ before it in the (request|message)\b/;
const IN_LIST = /^(\S+) minus \1 of the .+ before it in the list\b/;

export const delta: Conversion = {
  read(change, from, to) {
    const scope = IN_REQUEST.test(change.value ?? '')
      ? 'request'
      : IN_LIST.test(change.value ?? '')
        ? 'list'
        : undefined;
    if (scope === undefined || RANGES[from.type] === undefined || RANGES[to.type] === undefined) return undefined;
    return {
      forward: (tree, { before }) =>
        walk(change, from, scope, tree, before, (value, last) => [wrapRound(value - last, to.type), value]),
      backward: (tree, { before }) =>
        walk(change, from, scope, tree, before, (difference, last) => {
          const value = wrapRound(last + difference, from.type);
          return [value, value];
        }),
      compatibility: {
        binary: 'unsafe',
        json: 'unsafe',
        source: 'unsafe',
        reasons: [
          { about: 'json', text: 'A difference replaces the value.', link: UPDATING_RULES_URL },
          {
            about: 'source',
            text: 'The order matters: if an element is lost, all later elements are wrong.',
            link: UPDATING_RULES_URL,
          },
        ],
      },
    } satisfies Mapping;
  },
};

/** The 64-bit value of a type, signed or not. Differences wrap around, as in hardware. */
export const wrapRound = (value: bigint, type: string): bigint => {
  const bits = type.endsWith('32') ? 32 : 64;
  return type.startsWith('u') || type.startsWith('fixed') ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
};

/**
 * Depth first, fields by their numbers in the schema files, entries by key. The order is the same if another change
 * renumbers fields.
 */
function* nodesInOrder(node: TreeNode, forms: FieldEncodings): Generator<TreeNode, void> {
  yield node;
  const fields = forms.registry.messages.get(node.type)?.fields ?? [];
  const numbers = new Map(fields.map(({ name, number }) => [name, number]));
  const orderOf = (name: string): number => numbers.get(name) ?? forms.field(node.type, name)?.number ?? 0;
  for (const [name, values] of [...node.fields].sort(([a], [b]) => orderOf(a) - orderOf(b))) {
    if (!(values[0] instanceof TreeNode)) continue;
    const isMap = forms.field(node.type, name)?.cardinality === 'map';
    const nodes = values as readonly TreeNode[];
    for (const value of isMap ? sortedEntries(nodes) : nodes) yield* nodesInOrder(value, forms);
  }
}

type Map2 = (value: bigint, last: bigint) => readonly [written: bigint, last: bigint];

function walk(
  { message, field }: TypeChange,
  { presence }: FieldForm,
  scope: 'request' | 'list',
  tree: TreeNode,
  forms: FieldEncodings,
  map: Map2,
): void {
  const change = (nodes: Iterable<TreeNode>): void => {
    let last: bigint | undefined;
    for (const node of nodes) {
      const values = node.fields.get(field);
      // An absent value of a field without presence is 0.
      if (values === undefined && presence !== 'implicit') continue;
      const list = values ?? [0];
      const changed = list.map((value): TreeValue => {
        const number = BigInt(value as number | bigint);
        const [written, next] = last === undefined ? [number, number] : map(number, last);
        last = next;
        return integer(written);
      });
      if (values !== undefined || changed[0] !== 0) node.fields.set(field, changed);
    }
  };
  if (scope === 'request') {
    change([...nodesInOrder(tree, forms)].filter(({ type }) => type === message));
    return;
  }
  for (const node of nodesOf(tree)) {
    for (const values of node.fields.values()) {
      if (values[0] instanceof TreeNode && values[0].type === message) change(values as TreeNode[]);
    }
  }
}
