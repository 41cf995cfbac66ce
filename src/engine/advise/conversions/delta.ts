/**
 * `minus the timestamp of the sample before it in the request; the first: as it is`
 * `start minus start of the span before it in the list; the first: as it is`
 * `minus the value before it in the same list; the first: as it is`
 */
import type { TypeChange } from '../change.ts';
import { nodesOfType } from '../changes/target.ts';
import type { FieldEncodings, FieldForm } from '../forms.ts';
import { UPDATING_RULES_URL } from '../rule-links.ts';
import { integer, nodesOf, sortedEntries, TreeNode, type TreeValue } from '../value-tree.ts';
import type { Conversion, Mapping } from './conversion.ts';
import { RANGES } from './plain.ts';

const IN_REQUEST = /^minus the \S+ of the .+ before it in the (request|message)\b/;
const IN_SAME_LIST = /^minus the value before it in the same list\b/;
const IN_LIST = /^(\S+) minus \1 of the .+ before it in the list\b/;

/** The values that are in one sequence: of all records, of the records of a list, or of one record. */
type Scope = 'request' | 'list' | 'record';

const SCOPES: readonly (readonly [RegExp, Scope])[] = [
  [IN_REQUEST, 'request'],
  [IN_LIST, 'list'],
  [IN_SAME_LIST, 'record'],
];

export const delta: Conversion = {
  read(change, from, to) {
    const scope = SCOPES.find(([pattern]) => pattern.test(change.value ?? ''))?.[1];
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
  scope: Scope,
  tree: TreeNode,
  forms: FieldEncodings,
  map: Map2,
): void {
  const change = (nodes: Iterable<TreeNode>): void => {
    // The first one is the difference from 0, which a type of the other sign writes as another number.
    let last = 0n;
    for (const node of nodes) {
      const values = node.fields.get(field);
      // An absent value of a field without presence is 0.
      if (values === undefined && presence !== 'implicit') continue;
      const list = values ?? [0];
      const changed = list.map((value): TreeValue => {
        const [written, next] = map(BigInt(value as number | bigint), last);
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
  if (scope === 'record') {
    for (const node of nodesOfType(tree, message)) if (node.fields.has(field)) change([node]);
    return;
  }
  for (const node of nodesOf(tree)) {
    for (const values of node.fields.values()) {
      if (values[0] instanceof TreeNode && values[0].type === message) change(values as TreeNode[]);
    }
  }
}
