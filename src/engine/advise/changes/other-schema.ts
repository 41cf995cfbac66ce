import { latin1 } from '../../bytes/latin1.ts';
import { type ChangeKind, ImpossibleChange, type OtherSchemaChange } from '../change.ts';
import { UPDATING_RULES_URL } from '../rule-links.ts';
import { TreeNode, type TreeValue } from '../value-tree.ts';

export const REMOTE_WRITE_1 = 'prometheus.WriteRequest';
export const REMOTE_WRITE_2 = 'io.prometheus.write.v2.Request';
const SERIES = 'io.prometheus.write.v2.TimeSeries';
const EXEMPLAR = 'io.prometheus.write.v2.Exemplar';

/**
 * Converts Prometheus remote write 1.0 to the schema of 2.0, in which labels are pairs of references into one table.
 * https://prometheus.io/docs/specs/prw/remote_write_spec_2_0/
 */
export const otherSchemaChange: ChangeKind<OtherSchemaChange> = {
  alter(change, forms, root) {
    if (change.from !== root || root !== REMOTE_WRITE_1 || change.to !== REMOTE_WRITE_2) {
      throw new ImpossibleChange(`There is no way known from ${root} to ${change.to}`);
    }
    if (forms.get(change.to) === undefined) throw new ImpossibleChange(`The schema has no message ${change.to}`);
    return forms;
  },
  forward(_, tree) {
    if (tree.fields.has('metadata'))
      throw new ImpossibleChange('Metadata stands with its series in 2.0, and by name in 1.0');
    const references = new Map<string, number>([['', 0]]);
    const symbols: TreeValue[] = [new Uint8Array(0)];
    const refer = (value: TreeValue | undefined): number => {
      const text = (value as Uint8Array | undefined) ?? new Uint8Array(0);
      const key = latin1(text, 0, text.length);
      const known = references.get(key);
      if (known !== undefined) return known;
      references.set(key, symbols.length);
      return symbols.push(text) - 1;
    };
    const refs = (labels: readonly TreeValue[] | undefined): TreeValue[] =>
      (labels ?? []).flatMap((label) => {
        const { fields } = label as TreeNode;
        return [refer(fields.get('name')?.[0]), refer(fields.get('value')?.[0])];
      });
    const withRefs = (node: TreeNode, type: string): TreeNode => {
      const fields = new Map<string, TreeValue[]>();
      const list = refs(node.fields.get('labels'));
      if (list.length > 0) fields.set('labels_refs', list);
      for (const [name, values] of node.fields) {
        if (name === 'labels') continue;
        fields.set(
          name,
          name === 'exemplars' ? values.map((one) => withRefs(one as TreeNode, EXEMPLAR)) : values.map(retyped),
        );
      }
      return new TreeNode(type, fields, node.unknown, node);
    };
    const series = (tree.fields.get('timeseries') ?? []).map((one) => withRefs(one as TreeNode, SERIES));
    return requestOf(
      REMOTE_WRITE_2,
      [
        ['symbols', symbols],
        ['timeseries', series],
      ],
      tree,
    );
  },
  backward(_, tree) {
    const symbols = tree.fields.get('symbols') ?? [];
    const labels = (values: readonly TreeValue[]): TreeValue[] => {
      const list: TreeValue[] = [];
      for (let i = 0; i + 1 < values.length; i += 2) {
        const fields = new Map<string, TreeValue[]>();
        const [name, value] = [symbols[Number(values[i])]!, symbols[Number(values[i + 1])]!];
        fields.set('name', [name]);
        fields.set('value', [value]);
        list.push(new TreeNode('prometheus.Label', fields));
      }
      return list;
    };
    const withLabels = (node: TreeNode, type: string): TreeNode => {
      const fields = new Map<string, TreeValue[]>();
      for (const [name, values] of node.fields) {
        if (name === 'labels_refs') fields.set('labels', labels(values));
        else if (name === 'exemplars') {
          fields.set(
            name,
            values.map((one) => withLabels(one as TreeNode, 'prometheus.Exemplar')),
          );
        } else fields.set(name, values.map(untyped));
      }
      return new TreeNode(type, fields, node.unknown);
    };
    const series = (tree.fields.get('timeseries') ?? []).map((one) =>
      withLabels(one as TreeNode, 'prometheus.TimeSeries'),
    );
    return requestOf(REMOTE_WRITE_1, [['timeseries', series]], tree);
  },
  touches: () => [],
  compatibility: () => ({
    binary: 'unsafe',
    json: 'unsafe',
    source: 'unsafe',
    reasons: [
      { about: 'binary', text: 'It is another message: both sides have to know it.', link: UPDATING_RULES_URL },
    ],
  }),
  effort: () => 'new message version',
};

const V1 = 'prometheus.';
const V2 = 'io.prometheus.write.v2.';

const retyped = (value: TreeValue): TreeValue => renamed(value, V1, V2);
const untyped = (value: TreeValue): TreeValue => renamed(value, V2, V1);

/** Samples and histograms have the same fields in both versions. */
function renamed(value: TreeValue, from: string, to: string): TreeValue {
  if (!(value instanceof TreeNode)) return value;
  const fields = new Map<string, TreeValue[]>();
  for (const [name, values] of value.fields)
    fields.set(
      name,
      values.map((one) => renamed(one, from, to)),
    );
  return new TreeNode(value.type.replace(from, to), fields, value.unknown, value);
}

const requestOf = (type: string, lists: readonly (readonly [string, TreeValue[]])[], origin: TreeNode): TreeNode =>
  new TreeNode(type, new Map(lists.filter(([, values]) => values.length > 0)), origin.unknown, origin);
