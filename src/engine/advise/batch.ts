/**
 * Measures the effect of the number of records in a message. The records of all messages are joined in order, and split
 * again into messages of k each. Each new message also gets the fields around its records.
 */
import { type WithDictionary, withDictionary } from './dictionary.ts';
import type { FieldEncodings } from './forms.ts';
import { type Measure, type MeasuringCompressor, measureUnits } from './measure.ts';
import { repeatedRoot } from './proposals/repeated-root.ts';
import { FieldValues } from './uses.ts';
import { TreeNode, type TreeValue } from './value-tree.ts';
import { writeTree } from './write-tree.ts';

export interface BatchSize {
  readonly records: number;
  readonly messages: number;
  /** Sum over the messages, each compressed alone. */
  readonly size: Measure;
  /** zstd with a dictionary that was trained on every second message; undefined: too few messages. */
  readonly dictionary: WithDictionary | undefined;
}

export interface Batches {
  /** Path of the records: `resource_spans.scope_spans.spans`. */
  readonly path: string;
  /** The last name of the path. */
  readonly name: string;
  readonly records: number;
  /** Number of captured messages that held the records. */
  readonly messages: number;
  /** By number of records in a message: from 1, or from the first number whose messages take few enough bytes. */
  readonly sizes: readonly BatchSize[];
  /** Bytes of a message that do not depend on its number of records, from the first and the last size. */
  readonly fixed: number;
}

const SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/** Maximum number of records; more would take too long to write repeatedly. */
const MAX_RECORDS = 5000;

/** Maximum bytes of the messages of one size. Small messages repeat the fields around their records very often. */
const MAX_WRITTEN = 16 << 20;

interface Placed {
  /** The enclosing messages, outermost first. */
  readonly around: readonly TreeNode[];
  readonly record: TreeNode;
}

/** undefined: no list is the major part of these messages, or they cannot be split into others that are small enough. */
export async function batchesOf(
  trees: readonly TreeNode[],
  forms: FieldEncodings,
  type: string,
  compressors: readonly MeasuringCompressor[],
): Promise<Batches | undefined> {
  const root = repeatedRoot(new FieldValues(trees, forms, type));
  if (root === undefined || root.records < 2 || root.records > MAX_RECORDS) return undefined;
  const names = root.path.map(({ name }) => name);
  const placed = trees.flatMap((tree) => recordsAt(tree, names, []));
  const sizes: BatchSize[] = [];
  for (const records of new Set([...SIZES.filter((size) => size < placed.length), placed.length])) {
    const written = writeSplit(placed, records, names, forms);
    if (written === undefined) continue;
    const size = await measureUnits(written, compressors);
    sizes.push({ records, messages: written.length, size, dictionary: await withDictionary(written) });
  }
  const [few, all] = [sizes[0], sizes.at(-1)];
  if (few === undefined || all === undefined || few === all) return undefined;
  const fixed = (few.size.bytes - all.size.bytes) / (few.messages - all.messages);
  return {
    path: names.join('.'),
    name: names.at(-1)!,
    records: placed.length,
    messages: trees.length,
    sizes,
    fixed: Math.round(fixed),
  };
}

/** Messages with that many records each; undefined: they take too many bytes. */
function writeSplit(
  placed: readonly Placed[],
  records: number,
  names: readonly string[],
  forms: FieldEncodings,
): readonly Uint8Array[] | undefined {
  const written: Uint8Array[] = [];
  let bytes = 0;
  for (let at = 0; at < placed.length; at += records) {
    const message = writeTree(messageOf(placed.slice(at, at + records), names), forms).bytes;
    bytes += message.length;
    if (bytes > MAX_WRITTEN) return undefined;
    written.push(message);
  }
  return written;
}

function recordsAt(node: TreeNode, [name, ...rest]: readonly string[], around: readonly TreeNode[]): readonly Placed[] {
  const here = [...around, node];
  return (node.fields.get(name!) ?? []).flatMap((value): readonly Placed[] => {
    if (!(value instanceof TreeNode)) return [];
    return rest.length === 0 ? [{ around: here, record: value }] : recordsAt(value, rest, here);
  });
}

/** A message with only these records. Enclosing messages that records share occur once. */
function messageOf(placed: readonly Placed[], names: readonly string[]): TreeNode {
  const build = (some: readonly Placed[], depth: number): TreeNode => {
    const node = some[0]!.around[depth]!;
    const values: TreeValue[] = [];
    if (depth === names.length - 1) values.push(...some.map(({ record }) => record));
    else {
      for (let at = 0; at < some.length; ) {
        const inner = some[at]!.around[depth + 1];
        let end = at + 1;
        while (end < some.length && some[end]!.around[depth + 1] === inner) end++;
        values.push(build(some.slice(at, end), depth + 1));
        at = end;
      }
    }
    const fields = new Map<string, TreeValue[]>();
    for (const [name, others] of node.fields) fields.set(name, name === names[depth] ? values : others);
    return new TreeNode(node.type, fields, node.unknown);
  };
  return build(placed, 0);
}
