/**
 * Native messages where they were captured, plain and deflated: every one whose action has a layout is explained to
 * the last byte, its header too, and protobuf keeps its values. The captures of searches end in the hits they found.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { packedContents } from '#engine/analysis/packed-contents.ts';
import { NativeLayouts } from '#engine/analysis/plan/native-reading.ts';
import { readInput } from '#engine/analysis/read-input.ts';
import { bytesSource } from '#engine/bytes/source.ts';
import { fieldAt, parentAt, payloadCategoryAt } from '#engine/model/annotation.ts';
import type { NativeRead } from '#engine/native/read.ts';
import { toWire } from '#engine/native/to-wire.ts';
import { writeNative } from '#engine/native/write.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import { annotate } from '#engine/wire/annotate.ts';
import { readSchemaFiles } from '../../src/cli/inputs/schema-files.ts';
import { type Check, Differences, type Finding, PROJECT, readBytes } from './check.ts';

const HITS = 'org.opensearch.proto.search.SearchHitsProto.hits';
/** The ids that the coordinator asks shards to fetch: shards answer with as many hits. */
const ASKED = ['ShardFetchSearchRequest', 'ShardFetchRequest'].map((type) => `org.opensearch.stream.${type}.doc_ids`);
/** One shard alone answers the query with its hits, and is not asked to fetch. */
const UNASKED: Readonly<Record<string, number>> = { '11-term-10-one-shard': 10, '30-term-10000-one-shard': 10_000 };

export const nativeCaptures: Check = {
  id: 'native-captures',
  title: 'captures, plain and deflated: native messages with a layout explained to the last byte',
  async *run(folder): AsyncGenerator<Finding> {
    const { registry } = compileSchema(await readSchemaFiles([join(PROJECT, 'schemas')]));
    for (const form of ['plain', 'deflate']) {
      const below = join(folder, 'opensearch', form, 'captures');
      for (const name of (await readdir(below)).sort()) {
        yield await readOne(new NativeLayouts(registry), await readBytes(below, name), name, form);
      }
    }
  },
};

async function readOne(layouts: NativeLayouts, bytes: Uint8Array, name: string, form: string): Promise<Finding> {
  const differences = new Differences();
  let explained = 0;
  let packed = 0;
  let hits = 0;
  let asked = UNASKED[name.split('.')[0]!] ?? 0;
  await readInput(bytesSource(name, bytes), {}, (message, payload) => {
    const what = `message ${message.ordinal}, ${message.method}`;
    if (message.header !== undefined && layouts.headerOf(message) === undefined) differences.add(`header of ${what}`);
    const reading = layouts.read(message, payload);
    if (reading === undefined) return;
    explained++;
    const { type, read, layoutOf } = reading;
    hits += elementsOf(read, [HITS]);
    asked += elementsOf(read, ASKED);
    differences.add(...read.diagnostics.map(({ message: text, start }) => `${what}: ${start}: ${text}`));
    differences.expect(`${what}: rows unattributed`, unattributedIn(read), 0);
    const inside = packedContents(payload, reading);
    packed += inside.contents.length;
    for (const { diagnostics } of [inside, ...inside.contents.map((content) => content.reading.read)]) {
      differences.add(...diagnostics.map(({ message: text, start }) => `inside ${what}: ${start}: ${text}`));
    }
    const wire = toWire(payload, read);
    const lost = wire.diagnostics.filter(({ code }) => code !== 'native/native-only');
    differences.add(...lost.map(({ message: text }) => `${what}: ${text}`));
    // Values that only the stream has are not written again; all others are.
    if (wire.diagnostics.length === 0) {
      const again = writeNative(wire.bytes, annotate(wire.bytes, type).table, layoutOf(type), layoutOf).bytes;
      if (Buffer.compare(again, payload) !== 0) differences.add(`${what}: other bytes once more`);
    }
  });
  differences.expect('hits', hits, asked);
  return {
    name: `${form}/${name}, ${explained} messages, ${packed} compressed contents, ${hits} hits`,
    differences: differences.list,
  };
}

/** Elements of lists, by their full names. */
function elementsOf({ table }: NativeRead, lists: readonly string[]): number {
  let rows = 0;
  for (let row = 1; row < table.length; row++) {
    const field = fieldAt(table, row);
    if (field < 0 || fieldAt(table, parentAt(table, row)) !== field) continue;
    if (lists.includes(table.fields[field]!.fullName)) rows++;
  }
  return rows;
}

function unattributedIn({ table }: NativeRead): number {
  let rows = 0;
  for (let row = 0; row < table.length; row++) if (payloadCategoryAt(table, row) === 'unattributed') rows++;
  return rows;
}
