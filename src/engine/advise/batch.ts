/**
 * Measures the effect of the number of records in a message. The records of all messages are joined in order, and split
 * again into messages of k each. Each new message also gets the fields around its records. Messages without a list of
 * records are records themselves: k of them become a list in a message around them.
 */
import { setVarint, varintWidth } from '../bytes/varint.ts';
import { shortNameOf } from '../schema/names.ts';
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
  /** Path of the records: `resource_spans.scope_spans.spans`. null: they are the messages themselves. */
  readonly path: string | null;
  /** The last name of the path, or the name of the messages' type. */
  readonly name: string;
  readonly records: number;
  /** Number of captured messages that held the records. */
  readonly messages: number;
  /** By number of records in a message: from 1, or from the first number whose messages take few enough bytes. */
  readonly sizes: readonly BatchSize[];
  /**
   * Bytes of a message that do not depend on its number of records, from the first and the last size. null: the messages
   * are the records.
   */
  readonly fixed: number | null;
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

/** undefined: one message without a list that is most of it, too many records, or too large messages of any number. */
export async function batchesOf(
  trees: readonly TreeNode[],
  forms: FieldEncodings,
  type: string,
  compressors: readonly MeasuringCompressor[],
): Promise<Batches | undefined> {
  const root = repeatedRoot(new FieldValues(trees, forms, type));
  const count = root?.records ?? trees.length;
  if (count < 2 || count > MAX_RECORDS) return undefined;
  if (root === undefined) {
    const messages = trees.map((tree) => writeTree(tree, forms).bytes);
    const sizes = await measureSizes(count, (records) => joinedAsLists(messages, records), compressors);
    return sizes && { path: null, name: shortNameOf(type), records: count, messages: count, sizes, fixed: null };
  }
  const names = root.path.map(({ name }) => name);
  const placed = trees.flatMap((tree) => recordsAt(tree, names, []));
  const sizes = await measureSizes(placed.length, (records) => writeSplit(placed, records, names, forms), compressors);
  if (sizes === undefined) return undefined;
  const [few, all] = [sizes[0]!, sizes.at(-1)!];
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

/** @param write messages with that many records each; undefined: they take too many bytes */
async function measureSizes(
  count: number,
  write: (records: number) => readonly Uint8Array[] | undefined,
  compressors: readonly MeasuringCompressor[],
): Promise<readonly BatchSize[] | undefined> {
  const sizes: BatchSize[] = [];
  for (const records of new Set([...SIZES.filter((size) => size < count), count])) {
    const written = write(records);
    if (written === undefined) continue;
    const size = await measureUnits(written, compressors);
    sizes.push({ records, messages: written.length, size, dictionary: await withDictionary(written) });
  }
  return sizes.length < 2 ? undefined : sizes;
}

/** The tag of a list of messages, field 1. */
const LIST_TAG = 0x0a;

/** `message List { repeated T list = 1; }` with that many messages each; one alone needs no list. */
function joinedAsLists(messages: readonly Uint8Array[], records: number): readonly Uint8Array[] {
  if (records === 1) return messages;
  const lists: Uint8Array[] = [];
  for (let at = 0; at < messages.length; at += records) {
    const held = messages.slice(at, at + records);
    const list = new Uint8Array(held.reduce((sum, { length }) => sum + 1 + varintWidth(length, 0) + length, 0));
    let end = 0;
    for (const message of held) {
      list[end++] = LIST_TAG;
      end = setVarint(list, end, message.length);
      list.set(message, end);
      end += message.length;
    }
    lists.push(list);
  }
  return lists;
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
