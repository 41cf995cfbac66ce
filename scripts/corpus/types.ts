/**
 * Every payload of the corpus against every registry of it, with the right type in it and without: a type that is
 * asserted must be the right one, and the right one must stand first where it is loaded. docs/type-evidence.md has the
 * table. Further registries: npm run corpus -- FOLDER types, with TYPE_REGISTRIES=FOLDER:FOLDER of .proto files.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { classifyType } from '#engine/analysis/evidence/classify-type.ts';
import { bundledSource } from '#engine/analysis/plan/plan-reading.ts';
import { bytesSource } from '#engine/bytes/source.ts';
import { readPayloads } from '#engine/frame/payload.ts';
import { openSchema, type SchemaSource } from '#engine/schema/compile.ts';
import type { Registry } from '#engine/schema/descriptor.ts';
import { type Check, type Finding, PROJECT, readBytes } from './check.ts';
import type { Truth } from './truth.ts';

interface Payload {
  readonly name: string;
  readonly messages: readonly Uint8Array[];
  /** Names of its type; none: it is not protobuf. */
  readonly types: readonly string[];
}

const SETS = ['apm-modelpb', 'otlp-collector', 'prometheus-rw1', 'prometheus-rw2', 'vitess-queryservice'];
const HITS = {
  typed: ['wirecost.typed.Hits', 'org.opensearch.proto.search.SearchHitsProto'],
  serde: ['wirecost.serde.Hits', 'org.opensearch.serde.proto.SearchHitsProto'],
  native: [],
} as const;
/** Native objects beside those of `sizes`: each costs as much as a payload. */
const NATIVE_OBJECTS = 40;

export const types: Check = {
  id: 'types',
  title: 'types claimed on evidence: payloads × registries',
  run: tabulate,
};

async function* tabulate(folder: string): AsyncGenerator<Finding> {
  const payloads = await payloadsOf(folder);
  const sum = { right: 0, wrong: 0, first: 0, loaded: 0, pairs: 0 };
  for (const [name, registry] of await registriesOf(folder)) {
    const row = { loaded: 0, right: 0, unsure: 0, first: 0, absent: 0, kept: 0 };
    const differences: string[] = [];
    for (const payload of payloads) {
      const { type, verdict, ranking } = classifyType(
        [name === 'bundled' ? { ...bundledSource(registry), isBundled: false } : { registry }],
        payload.messages,
      );
      const right = payload.types.find((known) => registry.messages.has(known));
      const first = ranking[0]?.type.fullName;
      if (type !== undefined && type.fullName !== right) differences.push(`${payload.name}: ${type.fullName}`);
      if (right === undefined) {
        row.absent++;
        if (type === undefined) row.kept++;
        continue;
      }
      row.loaded++;
      if (type?.fullName === right) row.right++;
      if (type === undefined) row.unsure++;
      if (first === right) row.first++;
      else differences.push(`${payload.name}: ${first ?? 'nothing'} stands before ${right} (${verdict})`);
    }
    sum.right += row.right;
    sum.wrong += row.loaded - row.right - row.unsure + row.absent - row.kept;
    sum.first += row.first;
    sum.loaded += row.loaded;
    sum.pairs += row.loaded + row.absent;
    const loaded = `${row.loaded} loaded: ${row.right} asserted, ${row.unsure} left open, ${row.first} first`;
    yield {
      name,
      differences,
      measured: `${registry.messages.size} types; ${loaded}; ${row.kept} of ${row.absent} not loaded left open`,
    };
  }
  const precision = sum.right / Math.max(1, sum.right + sum.wrong);
  yield {
    name: 'all',
    differences: [
      ...(sum.wrong > 0 ? [`${sum.wrong} wrong types asserted`] : []),
      ...(sum.first < 0.99 * sum.loaded ? [`the right type first in ${sum.first} of ${sum.loaded}`] : []),
    ],
    measured: `${sum.pairs} pairs, precision ${precision.toFixed(4)}, recall ${(sum.right / sum.loaded).toFixed(3)}, first ${(sum.first / sum.loaded).toFixed(4)}`,
  };
}

async function payloadsOf(folder: string): Promise<readonly Payload[]> {
  const payloads: Payload[] = [];
  for (const file of (await readdir(join(folder, 'truth'))).filter((name) => name.endsWith('.truth.json')).sort()) {
    const { payload, type } = JSON.parse(await readFile(join(folder, 'truth', file), 'utf8')) as Truth;
    const messages: Uint8Array[] = [];
    const source = bytesSource(payload, await readBytes(folder, payload));
    await readPayloads(source, {}, (_, bytes) => messages.push(bytes.slice()));
    payloads.push({ name: payload, messages, types: [type] });
  }
  const sizes = join(folder, 'opensearch/plain/sizes');
  for (const name of (await readdir(sizes)).sort()) {
    const kind = /\.(typed|serde|native)\.bin$/.exec(name)?.[1] as keyof typeof HITS | undefined;
    if (kind !== undefined) payloads.push({ name, messages: [await readBytes(sizes, name)], types: HITS[kind] });
  }
  const objects = join(folder, 'opensearch/plain/objects');
  for (const name of (await readdir(objects))
    .filter((file) => file.endsWith('.bin'))
    .sort()
    .slice(0, NATIVE_OBJECTS)) {
    payloads.push({ name, messages: [await readBytes(objects, name)], types: [] });
  }
  const all = 'encodings/payloads/alltypes.binpb';
  const test = 'protobuf_test_messages.proto3.TestAllTypesProto3';
  payloads.push({ name: all, messages: [await readBytes(folder, all)], types: [test] });
  return payloads;
}

async function registriesOf(folder: string): Promise<readonly (readonly [name: string, registry: Registry])[]> {
  const registries: (readonly [string, Registry])[] = [
    ['bundled', openSchema(await protosBelow(join(PROJECT, 'schemas'))).registry],
  ];
  const sets = [
    ...SETS.map((set) => join(folder, 'schemas', `${set}.fds.binpb`)),
    join(folder, 'opensearch/descriptors.binpb'),
    join(folder, 'encodings/payloads/alltypes.fds.binpb'),
  ];
  for (const path of sets) {
    registries.push([basename(path), openSchema([{ path, content: await readBytes(path) }]).registry]);
  }
  for (const root of (process.env['TYPE_REGISTRIES'] ?? '').split(':').filter(Boolean)) {
    registries.push([basename(root), openSchema(await protosBelow(root)).registry]);
  }
  return registries;
}

async function protosBelow(root: string): Promise<readonly SchemaSource[]> {
  if (!(await stat(root)).isDirectory()) return [{ path: basename(root), content: await readFile(root, 'utf8') }];
  const files = (await readdir(root, { recursive: true })).filter((path) => path.endsWith('.proto')).sort();
  return Promise.all(files.map(async (path) => ({ path, content: await readFile(join(root, path), 'utf8') })));
}
