/**
 * Compressed streams with independent books: each path and part, paid and shared, and each item of the container within
 * 1e-6 bits. Protobuf goes through the command line, what was captured through its capture.
 */

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { enterAt } from '#engine/analysis/measure/body-bits.ts';
import { NativeLayouts } from '#engine/analysis/plan/native-reading.ts';
import { readInput } from '#engine/analysis/read-input.ts';
import { bytesSource } from '#engine/bytes/source.ts';
import { readBits } from '#engine/compression/bits/read-bits.ts';
import { assignBits, BitSums, Spans } from '#engine/compression/bits/settle.ts';
import type { FormatId } from '#engine/compression/formats.ts';
import { BodySpans, settleFields } from '#engine/cost/field-bits.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { readSchemaFiles } from '../../src/cli/inputs/schema-files.ts';
import { bodyJson } from '../../src/cli/output/bits-text.ts';
import { run } from '../../src/cli/run.ts';
import { type Check, Differences, type Finding, PROJECT, readBytes } from './check.ts';

interface TrueParts {
  readonly tag_bits: string;
  readonly length_bits: string;
  readonly value_bits: string;
}

interface Truth {
  readonly compressed: string | null;
  readonly capture?: string;
  readonly request_id?: number;
  readonly plain_sha256: string;
  readonly format: FormatId;
  readonly fields_by: { readonly by: string; readonly type?: string; readonly schema?: string };
  readonly plain_bytes: number;
  readonly compressed_bytes: number;
  readonly container_bits: Readonly<Record<string, number>>;
  readonly fields: readonly (TrueParts & { readonly path: string; readonly shared: TrueParts })[];
  readonly cumulative_bits: readonly (readonly [offset: number, bits: string])[];
}

type Body = ReturnType<typeof bodyJson>;

const TOLERANCE = 1e-6;
const VERSION = '2.19.2';
const NATIVE_TYPE = 'org.opensearch.proto.search.FetchSearchResultProto';
/** Our paths by field → those by writing class. The longest prefix holds. */
const CLASSES: readonly (readonly [prefix: string, classes: string])[] = [
  ['context_id.', 'FetchSearchResult.ShardSearchContextId.'],
  ['hits.hits.sort_values.', 'FetchSearchResult.SearchHits.SearchHit.SearchSortValues.'],
  ['hits.hits.', 'FetchSearchResult.SearchHits.SearchHit.'],
  ['hits.', 'FetchSearchResult.SearchHits.'],
];

export const bits: Check = {
  id: 'bits',
  title: 'bits of compressed streams: per path and part, paid and shared, container items, any stretch of plain bytes',
  async *run(folder): AsyncGenerator<Finding> {
    const below = join(folder, 'compression', 'truth');
    const native = await nativeReader();
    for (const name of (await readdir(below)).sort()) {
      const truth = JSON.parse(await readFile(join(below, name), 'utf8')) as Truth;
      const differences = new Differences();
      const body = await bodyOf(folder, truth, native);
      if (body === null) differences.add('it is not found');
      else compare(truth, body, differences);
      if (truth.compressed !== null) compareStretches(truth, await readBytes(folder, truth.compressed), differences);
      yield { name: name.replace('.json', ''), differences: differences.list };
    }
  },
};

interface Native {
  readonly layouts: NativeLayouts;
  readonly type: MessageDescriptor;
}

async function nativeReader(): Promise<Native> {
  const { registry } = compileSchema(await readSchemaFiles([join(PROJECT, 'schemas')]));
  return { layouts: new NativeLayouts(registry), type: registry.messages.get(NATIVE_TYPE)! };
}

async function bodyOf(folder: string, truth: Truth, native: Native): Promise<Body | null> {
  const { capture, request_id, fields_by, format, compressed } = truth;
  if (capture !== undefined) {
    const path = join(folder, capture);
    const message = await messageIn(path, truth.plain_sha256, request_id);
    if (message === null) return null;
    const schema = fields_by.schema === undefined ? [] : ['--schema', join(folder, fields_by.schema)];
    const body = await command(['bits', path, '--message', String(message), ...schema, '--json']);
    return request_id === undefined ? body : { ...body, fields: body.fields.map(byClass) };
  }
  const file = join(folder, compressed!);
  if (fields_by.by === 'write trace') return nativeBody(await readBytes(file), format, native);
  const { schema, type } = fields_by;
  const read = schema === undefined ? [] : ['--schema', join(folder, schema), '--type', type!];
  const named = await command(['bits', file, '--format', format, ...read, '--json']);
  const detected = await command(['bits', file, ...read, '--json']);
  return JSON.stringify(named) === JSON.stringify(detected) ? named : { ...detected, fields: [] };
}

async function command(args: readonly string[]): Promise<Body> {
  const { code, out, err } = await run(args);
  if (code !== 0) throw new Error(err);
  return JSON.parse(out) as Body;
}

async function messageIn(path: string, sha256: string, requestId: number | undefined): Promise<number | null> {
  let found: number | null = null;
  await readInput(bytesSource(path, await readBytes(path)), {}, (message, payload) => {
    if (found !== null || message.body.compression === null) return;
    if (requestId !== undefined && message.context?.['requestId'] !== String(requestId)) return;
    if (createHash('sha256').update(payload).digest('hex') === sha256) found = message.ordinal;
  });
  return found;
}

function nativeBody(bytes: Uint8Array, format: FormatId, { layouts, type }: Native): Body | null {
  const stream = readBits(bytes, format);
  if (!stream.ok) return null;
  const { plain, container } = stream;
  const body = new BodySpans();
  enterAt(
    body,
    plain,
    { start: 0, end: plain.length, isText: false },
    layouts.readAs([type], VERSION, plain)!.read.table,
  );
  const fields = settleFields(stream, body, { isShared: true });
  const json = bodyJson({ format, plainBytes: plain.length, compressedBytes: bytes.length, container, fields });
  return { ...json, fields: json.fields.map(byClass) };
}

function byClass<T extends { readonly path: string }>(field: T): T {
  const [prefix, classes] = CLASSES.find(([ours]) => field.path.startsWith(ours)) ?? ['', ''];
  const name = field.path.slice(prefix.length).replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return { ...field, path: `${classes}${name}` };
}

function compare(truth: Truth, body: Body, differences: Differences): void {
  differences.expect('format', body.format, truth.format);
  differences.expect('plain bytes', body.plainBytes, truth.plain_bytes);
  differences.expect('compressed bytes', body.compressedBytes, truth.compressed_bytes);
  const { total, ...items } = truth.container_bits;
  const sorted = (record: object) => Object.entries(record).sort();
  differences.expect(
    'container',
    sorted(body.container),
    sorted(items).filter(([, amount]) => amount > 0),
  );
  const near = (what: string, ours: number | undefined, theirs: string): void => {
    if (!(Math.abs((ours ?? Number.NaN) - Number(theirs)) < TOLERANCE)) {
      differences.add(`${what}: ${ours} bits, not ${theirs}`);
    }
  };
  const ours = new Map(body.fields.map((field) => [field.path, field]));
  let sum = total!;
  let shared = total!;
  for (const theirs of truth.fields) {
    const field = ours.get(theirs.path);
    ours.delete(theirs.path);
    if (field === undefined) {
      differences.add(`${theirs.path} is missing`);
      continue;
    }
    for (const part of ['tag', 'length', 'value'] as const) {
      near(`${theirs.path} ${part}`, field[part], theirs[`${part}_bits`]);
      near(`${theirs.path} ${part}, shared`, field.shared?.[part], theirs.shared[`${part}_bits`]);
      sum += field[part];
      shared += field.shared?.[part] ?? Number.NaN;
    }
  }
  for (const path of ours.keys()) differences.add(`${path} is not in the truth`);
  near('sum', sum, String(truth.compressed_bytes * 8));
  near('sum, shared', shared, String(truth.compressed_bytes * 8));
}

/** Without any fields: what the plain bytes before each offset pay. */
function compareStretches({ format, cumulative_bits }: Truth, bytes: Uint8Array, differences: Differences): void {
  const stream = readBits(bytes, format);
  if (!stream.ok) {
    differences.add(`${stream.detail} at ${stream.offset}`);
    return;
  }
  const spans = new Spans();
  for (const [account, [offset]] of cumulative_bits.entries()) spans.push(offset, account);
  const sums = new BitSums(cumulative_bits.length);
  assignBits(stream, spans, sums);
  let sum = 0;
  for (const [account, [offset, theirs]] of cumulative_bits.entries()) {
    sum += sums.at(account);
    if (Math.abs(sum - Number(theirs)) > TOLERANCE) differences.add(`before ${offset}: ${sum} bits, not ${theirs}`);
  }
}
