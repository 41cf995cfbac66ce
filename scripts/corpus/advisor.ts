/**
 * Changes of real payloads that others made and measured: the advisor proposes each by itself, its bytes are the same
 * ones, compressed sizes too, and formulas give what is measured.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Advice } from '#engine/advise/advice.ts';
import { Advisor } from '#engine/advise/advise.ts';
import { batchesOf } from '#engine/advise/batch.ts';
import type { Change } from '#engine/advise/change.ts';
import { editsOf } from '#engine/advise/edits-of.ts';
import { formulaOf } from '#engine/advise/formula.ts';
import type { MeasuringCompressor } from '#engine/advise/measure.ts';
import { joinUnit, type Unit } from '#engine/advise/payload.ts';
import { schemaAfter } from '#engine/advise/schema-after.ts';
import { bytesSource } from '#engine/bytes/source.ts';
import { loadCompressor } from '#engine/compression/compressors.ts';
import { readPayloads } from '#engine/frame/payload.ts';
import { compileSchema, type SchemaSource } from '#engine/schema/compile.ts';
import type { Registry } from '#engine/schema/descriptor.ts';
import { printRegistry } from '#engine/schema/print-registry.ts';
import { type Check, Differences, type Finding, readBytes } from './check.ts';

interface Case extends DictionaryCase {
  readonly id: string;
  readonly payload: string;
  readonly type: string;
  readonly after_type?: string;
  readonly changes?: readonly Change[];
  readonly before: Sizes;
  readonly after: Sizes;
  readonly saved: Sizes;
  /** The rows of the case about batches. */
  readonly rows?: readonly { readonly spans_per_request: number; readonly requests: number; readonly total: Sizes }[];
}

interface DictionaryCase {
  readonly requests?: number;
  readonly bytes?: number;
  readonly zstd?: number;
  readonly zstd_with_dictionary?: number;
  readonly dictionary_bytes?: number;
}

type Sizes = Readonly<Record<string, number>> & { readonly sha256: string };

/** By the beginning of a case's name. */
const SCHEMAS: Readonly<Record<string, readonly string[]>> = {
  rw1: ['schemas/prometheus-rw1.fds.binpb', 'schemas/prometheus-rw2.fds.binpb'],
  rw2: ['schemas/prometheus-rw2.fds.binpb'],
  otlp: ['schemas/otlp-collector.fds.binpb'],
  apm: ['schemas/apm-modelpb.fds.binpb'],
  vitess: ['schemas/vitess-queryservice.fds.binpb'],
};
const COMPRESSORS = ['snappy', 'gzip', 'lz4-block', 'zstd', 'brotli'] as const;
const RANKED_BY = 'zstd';

export const advisor: Check = {
  id: 'advisor',
  title: 'changes of real payloads: found, the same bytes after, formulas hold',
  run: checkCases,
};

async function* checkCases(folder: string): AsyncGenerator<Finding> {
  const cases = JSON.parse(await readFile(join(folder, 'advisor/advisor.json'), 'utf8')) as readonly Case[];
  const compressors = await Promise.all(
    COMPRESSORS.map(async (id): Promise<MeasuringCompressor> => {
      const { compress } = await loadCompressor(id);
      return { id, size: async (bytes) => (await compress(bytes)).length };
    }),
  );
  const opened = new Map<
    string,
    { readonly advisor: Advisor; readonly found: readonly Advice[]; readonly sources: readonly SchemaSource[] }
  >();
  for (const one of cases) {
    if (one.rows !== undefined) yield checkBatches(folder, one, one.rows, compressors);
    if (one.zstd_with_dictionary !== undefined) yield checkDictionary(folder, one);
    if (one.changes === undefined) continue;
    let known = opened.get(one.payload);
    if (known === undefined) {
      known = await open(folder, one, compressors);
      opened.set(one.payload, known);
    }
    yield checkCase(folder, one, one.changes, known);
  }
}

/** The same records in messages of each size, with every compressor. */
async function checkBatches(
  folder: string,
  one: Case,
  rows: NonNullable<Case['rows']>,
  compressors: readonly MeasuringCompressor[],
): Promise<Finding> {
  const differences = new Differences();
  const found = await batchesIn(folder, one, compressors);
  for (const { spans_per_request, requests, total } of rows) {
    const size = found?.sizes.find(({ records }) => records === spans_per_request);
    differences.expect(`${spans_per_request}: messages`, size?.messages, requests);
    differences.expect(`${spans_per_request}: bytes`, size?.size.bytes, total['bytes']);
    for (const id of COMPRESSORS)
      differences.expect(`${spans_per_request}: ${id}`, size?.size.compressed[id], total[id]);
  }
  return { name: one.id, differences: differences.list };
}

/** One record a message: trained on every second one, measured on the others. */
async function checkDictionary(folder: string, one: Case): Promise<Finding> {
  const differences = new Differences();
  const found = (await batchesIn(folder, one, []))?.sizes[0]?.dictionary;
  differences.expect('messages', found?.messages, one.requests);
  differences.expect('bytes', found?.bytes, one.bytes);
  differences.expect('zstd', found?.plain, one.zstd);
  differences.expect('dictionary', found?.dictionary, one.dictionary_bytes);
  differences.expect('with the dictionary', found?.compressed, one.zstd_with_dictionary);
  return { name: one.id, differences: differences.list };
}

async function batchesIn(folder: string, one: Case, compressors: readonly MeasuringCompressor[]) {
  const { registry } = await schemaOf(folder, one);
  const units = [{ delimiter: null, messages: [(await readBytes(folder, one.payload)).slice()] }];
  const subject = { registry, type: one.type, units, compressors: [], rankedBy: undefined };
  const { trees, forms } = await Advisor.open(subject);
  return batchesOf(trees, forms, one.type, compressors);
}

async function open(folder: string, one: Case, compressors: readonly MeasuringCompressor[]) {
  const { sources, registry } = await schemaOf(folder, one);
  const messages: Uint8Array[] = [];
  const source = bytesSource(one.payload, await readBytes(folder, one.payload));
  const isDelimited = one.payload.includes('.delim');
  const choice = { framing: isDelimited ? 'varint' : 'single' };
  await readPayloads(source, choice, (_, payload) => messages.push(payload.slice()));
  const units: readonly Unit[] = [{ delimiter: isDelimited ? 'varint' : null, messages }];
  // Only the compressors that cases are compared by are measured for each proposal.
  const some = compressors.filter(({ id }) => id === RANKED_BY || id === 'snappy');
  const subject = { registry, type: one.type, units, rankedBy: undefined };
  const proposing = await Advisor.open({ ...subject, compressors: some });
  const found: Advice[] = [];
  for await (const { advice } of proposing.proposals()) if (advice?.isSettled) found.push(advice);
  return { advisor: await Advisor.open({ ...subject, compressors }), found, sources };
}

async function checkCase(
  folder: string,
  one: Case,
  changes: readonly Change[],
  {
    advisor: opened,
    found,
    sources,
  }: Readonly<Omit<Awaited<ReturnType<typeof open>>, 'found'>> & { readonly found: readonly Advice[] },
): Promise<Finding> {
  const differences = new Differences();
  const { before } = opened.baseline;
  const { applied, units, after, saved } = await opened.measure(changes);
  for (const id of COMPRESSORS) {
    differences.expect(`before, ${id}`, before.compressed[id], one.before[id]);
    differences.expect(`after, ${id}`, after.compressed[id], one.after[id]);
  }
  differences.expect('before', before.bytes, one.before['bytes']);
  differences.expect('after', sha256(joinUnit(units[0]!)), one.after.sha256);
  differences.expect('saved', saved.bytes, one.saved['bytes']);
  const same = found.filter(
    (row) =>
      row.after.bytes === one.after['bytes'] &&
      ['zstd', 'snappy'].every((id) => row.after.compressed[id] === one.after[id]),
  );
  if (same.length === 0) differences.add('the advisor does not propose it');
  if (one.after_type === undefined) {
    const sums = opened.trees.map((tree) => formulaOf(tree, applied));
    const formula = sums.reduce((sum, { records, enclosing }) => sum + records + enclosing, 0);
    // A length before each message of a size-prefixed stream is not part of it.
    const prefixes = saved.bytes - formula;
    if (!(units[0]!.delimiter !== null ? Math.abs(prefixes) <= sums.length : prefixes === 0)) {
      differences.expect('formula', formula, saved.bytes);
    }
    await compareSchemas(folder, one, differences, opened, sources, applied.after);
  }
  return { name: one.id, differences: differences.list };
}

/** The schema changes as in the truth: its descriptors and ours compile to the same. */
async function compareSchemas(
  folder: string,
  one: Case,
  differences: Differences,
  { forms }: Advisor,
  sources: readonly SchemaSource[],
  after: Advisor['forms'],
): Promise<void> {
  const theirs = compileSchema([
    { path: 'theirs', content: await readBytes(folder, `advisor/${one.id}.after.fds.binpb`) },
  ]);
  const own = schemaAfter(sources, forms.registry, editsOf(forms, after));
  const ours = compileSchema([{ path: 'ours', content: own }]);
  // Both sides report the same faults of an older descriptor.proto in the set.
  const faults = new Set(theirs.diagnostics.map(({ message }) => message));
  const errors = ours.diagnostics.filter(({ severity, message }) => severity === 'error' && !faults.has(message));
  differences.add(...errors.map(({ message }) => message));
  for (const type of after.altered.keys()) {
    differences.expect(`descriptor of ${type}`, printType(ours.registry, type), printType(theirs.registry, type));
  }
}

const printType = (registry: Registry, name: string): string => {
  const type = registry.messages.get(name);
  const one = type === undefined ? [] : [[name, type] as const];
  const text = printRegistry({
    ...registry,
    files: [],
    messages: new Map(one),
    enums: new Map(),
    extensions: new Map(),
    services: new Map(),
  });
  return text.replace(/ \/\/ .*| json=\w+|\(\S+\.proto\)/g, '');
};

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The schema of the OpenSearch cases is there with the changes made: they are turned back. */
async function schemaOf(
  folder: string,
  { id }: Case,
): Promise<{ sources: readonly SchemaSource[]; registry: Registry }> {
  const paths = SCHEMAS[id.split('-')[0]!];
  const sources =
    paths === undefined
      ? [
          {
            path: 'typed.binpb',
            content: turnedBack(await readBytes(folder, 'advisor/opensearch-10-sint64.after.fds.binpb')),
          },
        ]
      : await Promise.all(paths.map(async (path) => ({ path, content: await readBytes(folder, path) })));
  return { sources, registry: compileSchema(sources).registry };
}

/** FieldDescriptorProto.type: sint64 (18) → int64 (3). No field of these files is sint64 by itself. */
function turnedBack(set: Uint8Array): Uint8Array {
  const bytes = set.slice();
  for (let at = 0; at + 1 < bytes.length; at++) if (bytes[at] === 0x28 && bytes[at + 1] === 18) bytes[at + 1] = 3;
  return bytes;
}
