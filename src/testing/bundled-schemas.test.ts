/**
 * The .proto files that ship with the app are compared with descriptors recorded from the systems themselves and read
 * by another library. Their native options are compared with bytes that OpenSearch wrote, the samples with both.
 */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import {
  createFileRegistry,
  type DescField,
  type DescMessage,
  type DescOneof,
  fromBinary,
  ScalarType,
} from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, test } from 'vitest';
import { classifyType } from '#engine/analysis/evidence/classify-type.ts';
import { isForCaptures } from '#engine/analysis/plan/capture-schemas.ts';
import { bundledSource } from '#engine/analysis/plan/plan-reading.ts';
import { bytesSource } from '#engine/bytes/source.ts';
import { readPayloads } from '#engine/frame/payload.ts';
import { Flag } from '#engine/model/annotation.ts';
import { deriveLayouts } from '#engine/native/derive.ts';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import { writeNative } from '#engine/native/write.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import type { FieldDescriptor, MessageDescriptor, Registry } from '#engine/schema/descriptor.ts';
import { annotate } from '#engine/wire/annotate.ts';
import { columnsOf } from '#testing/table-columns.ts';

const ROOT = new URL('../../', import.meta.url);
const bytesOf = (path: string): Uint8Array => new Uint8Array(readFileSync(new URL(path, ROOT)));
const textOf = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

const schemaPaths = readdirSync(new URL('schemas/', ROOT), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.proto'))
  .sort();
const compile = (paths: readonly string[]) =>
  compileSchema(paths.map((path) => ({ path, content: textOf(`schemas/${path}`) })));
const bundled = compile(schemaPaths);

test('payloads are read without files that none of the compared types needs', () => {
  const { isNameOffered } = bundledSource(bundled.registry);
  const isOffered = ({ fullName }: MessageDescriptor): boolean => isNameOffered(fullName);
  const types = [...bundled.registry.messages.values()];
  const services = [...bundled.registry.services.values()].filter(({ methods }) =>
    methods.some(({ input }) => isOffered(input)),
  );
  const needed = new Set([...types.filter(isOffered), ...services].map(({ file }) => file));
  for (const path of needed) {
    const text = schemaPaths.includes(path) ? textOf(`schemas/${path}`) : '';
    for (const [, imported] of text.matchAll(/^import "([^"]+)";/gm)) needed.add(imported!);
  }
  expect(schemaPaths.filter(isForCaptures)).toEqual(schemaPaths.filter((path) => !needed.has(path)));
});

/** The facts that decide a field's bytes and names; printed as one line: `3 metadata "metadata" repeated a.B none`. */
interface FieldLine {
  readonly number: number;
  readonly name: string;
  readonly jsonName: string;
  readonly type: string;
  readonly cardinality: FieldDescriptor['cardinality'];
  readonly presence: FieldDescriptor['presence'];
  readonly packed: boolean;
  readonly oneof: string;
}
const printLine = (line: FieldLine): string =>
  [
    line.number,
    line.name,
    JSON.stringify(line.jsonName),
    line.cardinality,
    line.type,
    line.presence,
    ...(line.packed ? ['packed'] : []),
    ...(line.oneof === '' ? [] : [`in ${line.oneof}`]),
  ].join(' ');

/** `message a.B`, its fields by number; `enum a.E`, its values by number and name. */
type Declarations = Map<string, readonly string[]>;

interface EnumValues {
  readonly values: readonly { readonly name: string; readonly number: number }[];
}
const enumLines = ({ values }: EnumValues): readonly string[] =>
  values.map(({ name, number }) => `${String(number).padStart(6)} ${name}`).sort();

function bundledLine(field: FieldDescriptor): FieldLine {
  const { number, name, jsonName, cardinality, presence, packed } = field;
  const typeOf = (f: FieldDescriptor): string => f.message?.fullName ?? f.enum?.fullName ?? f.type;
  const entry = cardinality === 'map' ? field.message! : undefined;
  const type = entry ? entry.fields.map(typeOf).join(' → ') : typeOf(field);
  return { number, name, jsonName, type, cardinality, presence, packed, oneof: field.oneof?.name ?? '' };
}

/** Fields that only the native form has are declared in addition to those of the recorded sets. */
const isOnWire = ({ options }: FieldDescriptor): boolean => options['wirecost.native.native_only'] !== true;

function declaredIn(registry: Registry, roots: readonly string[]): Declarations {
  const found: Declarations = new Map();
  const open = roots.map((root) => registry.messages.get(root)!);
  for (let message = open.pop(); message !== undefined; message = open.pop()) {
    if (found.has(message.fullName)) continue;
    found.set(
      message.fullName,
      [...message.byNumber.values()]
        .filter(isOnWire)
        .sort((a, b) => a.number - b.number)
        .map((field) => printLine(bundledLine(field))),
    );
    for (const field of message.fields.filter(isOnWire)) {
      const value = field.cardinality === 'map' ? field.message!.byNumber.get(2)! : field;
      if (value.message) open.push(value.message);
      if (value.enum) found.set(value.enum.fullName, enumLines(value.enum));
    }
  }
  return found;
}

function recordedLine(field: DescField, rename: (type: string) => string): FieldLine {
  const scalar = (type: ScalarType): string => ScalarType[type].toLowerCase();
  const named = field.message?.typeName ?? field.enum?.typeName;
  const type = named === undefined ? scalar(field.scalar!) : rename(named);
  const { number, name, jsonName } = field;
  const singular = field.fieldKind !== 'list' && field.fieldKind !== 'map';
  return {
    number,
    name,
    jsonName,
    type: field.fieldKind === 'map' ? `${scalar(field.mapKey)} → ${type}` : type,
    cardinality: singular ? 'singular' : field.fieldKind === 'map' ? 'map' : 'repeated',
    presence: !singular ? 'none' : field.presence === FeatureSet_FieldPresence.IMPLICIT ? 'implicit' : 'explicit',
    packed: field.fieldKind === 'list' && field.packed,
    oneof: (field.oneof as DescOneof | undefined)?.name ?? '',
  };
}

/** A recorded set, by the names of the schemas here. */
interface Recorded {
  readonly set: string;
  readonly roots: readonly string[];
  readonly rename?: (type: string) => string;
  /** Known differences of the recorded set that change nothing on the wire, by type and number. */
  readonly corrections?: Readonly<Record<string, Partial<FieldLine>>>;
}

function declaredBy({ set, roots, rename = (type) => type, corrections = {} }: Recorded): Declarations {
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, bytesOf(`fixtures/schema/sets/${set}`)));
  const found: Declarations = new Map();
  const open: DescMessage[] = roots.map((root) => registry.getMessage(root)!);
  for (let message = open.pop(); message !== undefined; message = open.pop()) {
    const name = rename(message.typeName);
    if (found.has(name)) continue;
    const fields = [...message.fields].sort((a, b) => a.number - b.number);
    const lines = fields.map((field) => ({
      ...recordedLine(field, rename),
      ...corrections[`${name} ${field.number}`],
    }));
    found.set(name, lines.map(printLine));
    for (const { message: next, enum: values } of fields) {
      if (next) open.push(next);
      if (values) found.set(rename(values.typeName), enumLines(values));
    }
  }
  return found;
}

/** The sets of OpenSearch's schemas were recorded under short names of their own. */
const OPENSEARCH_NAMES: Readonly<Record<string, string>> = {
  Fetch: 'FetchSearchResultProto',
  Hits: 'SearchHitsProto',
  Total: 'TotalHitsProto',
  Hit: 'SearchHitProto',
  Nested: 'NestedIdentityProto',
  Opaque: 'GenericObjectProto',
  DocField: 'DocumentFieldProto',
  Highlight: 'HighlightFieldProto',
  SortValues: 'SearchSortValuesProto',
  SortValue: 'SortValueProto',
  SortField: 'SortFieldProto',
  Missing: 'MissingValueProto',
  Explain: 'ExplanationProto',
  Target: 'SearchShardTargetProto',
  Shard: 'ShardIdProto',
  Index: 'IndexProto',
};
const openSearch = (pkg: string) => ({
  rename: (type: string) => `${pkg}.${OPENSEARCH_NAMES[type.slice(type.lastIndexOf('.') + 1)]}`,
  corrections: {
    [`${pkg}.SearchSortValuesProto 1`]: { name: 'formatted_sort_values', jsonName: 'formattedSortValues' },
    [`${pkg}.SearchSortValuesProto 2`]: { name: 'raw_sort_values', jsonName: 'rawSortValues' },
    [`${pkg}.SortFieldProto 2`]: { type: `${pkg}.SortTypeProto` },
  },
});

/** Path, request, response, whether the responses are a stream. */
type Call = readonly [path: string, input: string, output: string, isStream: boolean];

function otlpCall(signal: string, version: string): Call {
  const pkg = `opentelemetry.proto.collector.${signal.toLowerCase()}.${version}`;
  const [input, output] = [`${pkg}.Export${signal}ServiceRequest`, `${pkg}.Export${signal}ServiceResponse`];
  return [`/${pkg}.${signal}Service/Export`, input, output, false];
}
const OTLP_CALLS = ['Trace', 'Metrics', 'Logs'].map((signal) => otlpCall(signal, 'v1'));
const OTLP_PROFILES = otlpCall('Profiles', 'v1development');

const reflectionCall = (version: string): Call => {
  const pkg = `grpc.reflection.${version}`;
  const [input, output] = [`${pkg}.ServerReflectionRequest`, `${pkg}.ServerReflectionResponse`];
  return [`/${pkg}.ServerReflection/ServerReflectionInfo`, input, output, true];
};
const healthCall = (method: string, about: string, isStream: boolean): Call => [
  `/grpc.health.v1.Health/${method}`,
  `grpc.health.v1.Health${about}Request`,
  `grpc.health.v1.Health${about}Response`,
  isStream,
];
const ORCA = ['xds.service.orca.v3.OrcaLoadReportRequest', 'xds.data.orca.v3.OrcaLoadReport'] as const;
const channelzCall = (method: string): Call => [
  `/grpc.channelz.v1.Channelz/${method}`,
  `grpc.channelz.v1.${method}Request`,
  `grpc.channelz.v1.${method}Response`,
  false,
];
const GRPC_CALLS = [
  healthCall('Check', 'Check', false),
  healthCall('List', 'List', false),
  healthCall('Watch', 'Check', true),
  reflectionCall('v1'),
  reflectionCall('v1alpha'),
  ...['TopChannels', 'Servers', 'Server', 'ServerSockets', 'Channel', 'Subchannel', 'Socket'].map((of) =>
    channelzCall(`Get${of}`),
  ),
  ['/grpc.lb.v1.LoadBalancer/BalanceLoad', 'grpc.lb.v1.LoadBalanceRequest', 'grpc.lb.v1.LoadBalanceResponse', true],
  [
    '/grpc.lookup.v1.RouteLookupService/RouteLookup',
    'grpc.lookup.v1.RouteLookupRequest',
    'grpc.lookup.v1.RouteLookupResponse',
    false,
  ],
  ['/xds.service.orca.v3.OpenRcaService/StreamCoreMetrics', ...ORCA, true],
] satisfies Call[];
/** Their messages are in an Any. */
const SOCKET_OPTIONS = ['Timeout', 'Linger', 'TcpInfo'].map((of) => `grpc.channelz.v1.SocketOption${of}`);

const typesOf = (calls: readonly Call[]) => calls.flatMap(([, input, output]) => [input, output]);

const API_CALLS = [
  ['DocumentService/Bulk', 'BulkRequest', 'BulkResponse', false],
  ['SearchService/Search', 'SearchRequest', 'SearchResponse', false],
  ['SearchService/CreatePit', 'CreatePitRequest', 'CreatePITResponse', false],
  ['SearchService/DeletePit', 'DeletePitRequest', 'DeletePITResponse', false],
  ['SearchService/ServerStreamSearch', 'SearchRequest', 'SearchResponse', true],
  ['MLService/PredictModelStream', 'MlPredictModelStreamRequest', 'PredictResponse', true],
  ['MLService/ExecuteAgentStream', 'MlExecuteAgentStreamRequest', 'PredictResponse', true],
].map(
  ([path, input, output, isStream]): Call => [
    `/org.opensearch.protobufs.services.${path}`,
    `org.opensearch.protobufs.${input}`,
    `org.opensearch.protobufs.${output}`,
    isStream as boolean,
  ],
);

const SYSTEMS: readonly (Recorded & { readonly name: string; readonly messages: number; readonly fields: number })[] = [
  {
    name: 'Prometheus remote write 1',
    set: 'prometheus-rw1.binpb',
    roots: ['prometheus.WriteRequest'],
    messages: 8,
    fields: 35,
  },
  {
    name: 'Prometheus remote write 2',
    set: 'prometheus-rw2.binpb',
    roots: ['io.prometheus.write.v2.Request'],
    messages: 7,
    fields: 35,
  },
  {
    name: 'Vitess ExecuteBatch',
    set: 'vitess-queryservice.binpb',
    roots: ['query.ExecuteBatchRequest', 'query.ExecuteBatchResponse'],
    messages: 12,
    fields: 49,
  },
  { name: 'Elastic APM', set: 'apm-modelpb.binpb', roots: ['elastic.apm.v1.APMEvent'], messages: 76, fields: 350 },
  {
    name: 'OpenTelemetry',
    set: 'otlp-collector.binpb',
    roots: [
      ...typesOf(OTLP_CALLS),
      'opentelemetry.proto.trace.v1.TracesData',
      'opentelemetry.proto.metrics.v1.MetricsData',
      'opentelemetry.proto.logs.v1.LogsData',
    ],
    messages: 43,
    fields: 163,
  },
  {
    name: 'OpenTelemetry profiles',
    set: 'otlp-profiles.binpb',
    roots: [...typesOf([OTLP_PROFILES]), 'opentelemetry.proto.profiles.v1development.ProfilesData'],
    messages: 24,
    fields: 84,
  },
  {
    name: "gRPC's own services",
    set: 'grpc.binpb',
    roots: [...typesOf(GRPC_CALLS), ...SOCKET_OPTIONS],
    messages: 77,
    fields: 229,
  },
  { name: 'pprof', set: 'pprof.binpb', roots: ['perftools.profiles.Profile'], messages: 8, fields: 47 },
  {
    name: 'OpenSearch, typed',
    set: 'opensearch.binpb',
    roots: ['wirecost.typed.Fetch'],
    ...openSearch('org.opensearch.proto.search'),
    messages: 16,
    fields: 68,
  },
  {
    name: "OpenSearch's API",
    set: 'opensearch-api.binpb',
    roots: typesOf(API_CALLS),
    messages: 203,
    fields: 1021,
  },
  {
    name: 'OpenSearch, serde',
    set: 'opensearch.binpb',
    roots: ['wirecost.serde.Hits'],
    ...openSearch('org.opensearch.serde.proto'),
    messages: 11,
    fields: 44,
  },
];

describe('the bundled schemas', () => {
  test('compile without a diagnostic', () => {
    expect(bundled.diagnostics).toEqual([]);
  });

  test.each(SYSTEMS)('$name: every message and field is as recorded', (system) => {
    const recorded = declaredBy(system);
    const roots = system.roots.map(system.rename ?? ((type) => type));
    const declared = declaredIn(bundled.registry, roots);
    // The one enum that the recorded sets do not have; its field is among the corrections.
    declared.delete('org.opensearch.proto.search.SortTypeProto');

    expect(Object.fromEntries([...declared].sort())).toEqual(Object.fromEntries([...recorded].sort()));
    const messages = [...recorded].filter(([name]) => bundled.registry.messages.has(name));
    expect(messages).toHaveLength(system.messages);
    expect(messages.flatMap(([, fields]) => fields)).toHaveLength(system.fields);
  });

  test.each([
    [
      '/queryservice.Query/ExecuteBatch',
      'query.ExecuteBatchRequest',
      'query.ExecuteBatchResponse',
      false,
    ] satisfies Call,
    ...API_CALLS,
    ...OTLP_CALLS,
    OTLP_PROFILES,
    ...GRPC_CALLS,
  ])('name the types of %s', (path, input, output, isStream) => {
    const [service, name] = path.slice(1).split('/');
    const method = bundled.registry.services.get(service!)!.methods.find((m) => m.name === name)!;
    expect([method.input.fullName, method.output.fullName]).toEqual([input, output]);
    expect([method.clientStreaming, method.serverStreaming]).toEqual([/\.(reflection|lb)\./.test(path), isStream]);
  });
});

const laidOut = NATIVE_PROFILES.find(({ id }) => id === 'laid-out')!;
function toNative(payload: Uint8Array, type: MessageDescriptor): Uint8Array {
  const layoutOf = deriveLayouts(laidOut);
  const { table } = annotate(payload, type);
  return writeNative(payload, table, layoutOf(type), layoutOf).bytes;
}

describe('search hits, laid out by the options', () => {
  const hits = bundled.registry.messages.get('org.opensearch.proto.search.SearchHitsProto')!;

  test.each([
    ['ten hits', 'public/samples/opensearch-search-hits.binpb', 'hits-10'],
    ['one hit with 25 bytes of source', 'fixtures/bundled/hits-1.typed.bin', 'hits-1'],
    ['no source', 'fixtures/bundled/hits-10-no-source.typed.bin', 'hits-10-no-source'],
    ['four sorted hits', 'fixtures/bundled/hits-10-sorted.typed.bin', 'hits-10-sorted'],
    ['30 generic values', 'public/samples/opensearch-document-fields.binpb', 'hits-10-fields'],
    ['ten highlights', 'fixtures/bundled/hits-10-highlight.typed.bin', 'hits-10-highlight'],
    ['120 explanations', 'fixtures/bundled/hits-10-explain-seqno.typed.bin', 'hits-10-explain-seqno'],
  ])('%s: exactly the bytes that OpenSearch wrote', (_name, typed, native) => {
    const written = toNative(bytesOf(typed), hits);
    expect(Buffer.from(written).toString('hex')).toBe(
      Buffer.from(bytesOf(`fixtures/bundled/${native}.native.bin`)).toString('hex'),
    );
  });
});

interface Sample {
  readonly id: string;
  readonly file: string;
  readonly bytes: number;
  readonly framing: string;
  readonly schemas: readonly string[];
  readonly type: string;
  readonly nativeProfile: string;
}
const { captures, samples } = JSON.parse(textOf('public/samples/index.json')) as {
  readonly captures: readonly Pick<Sample, 'id' | 'file' | 'bytes'>[];
  readonly samples: readonly Sample[];
};

describe('the samples', () => {
  test('are the files of their folder', () => {
    const files = readdirSync(new URL('public/samples/', ROOT));
    // The home page shows one of them before anything is opened.
    const shown = 'otlp-traces.binpb.profile.json';
    expect(['index.json', shown, ...[...captures, ...samples].map(({ file }) => file)].sort()).toEqual(files.sort());
  });

  test.each(samples)('$id: every byte is explained by the schemas listed', async (sample) => {
    const bytes = bytesOf(`public/samples/${sample.file}`);
    expect(bytes.length).toBe(sample.bytes);
    expect(NATIVE_PROFILES.map(({ id }) => id)).toContain(sample.nativeProfile);

    const { registry, diagnostics } = compile(sample.schemas);
    expect(diagnostics).toEqual([]);
    const type = registry.messages.get(sample.type)!;
    const unexplained = Flag.UNKNOWN | Flag.MISMATCH | Flag.MALFORMED | Flag.GUESS;
    let messages = 0;
    const facts = await readPayloads(bytesSource(sample.file, bytes), {}, (_message, payload) => {
      const { table, diagnostics: findings } = annotate(payload, type);
      expect(findings).toEqual([]);
      expect(columnsOf(table).flags.filter((flags) => (flags & unexplained) !== 0)).toEqual([]);
      messages++;
    });
    expect(facts.framing.id).toBe(sample.framing);
    expect(facts.unattributedBytes).toBe(0);
    expect(messages).toBe(sample.framing === 'single' ? 1 : 9);

    // The first file and what it imports, however far, nothing else.
    const imports = new Map(registry.files.map((file) => [file.path, file.imports]));
    const needed = new Set(sample.schemas.slice(0, 1));
    for (const path of needed) for (const next of imports.get(path) ?? []) needed.add(next.path);
    expect([...needed].filter((path) => !path.startsWith('google/')).sort()).toEqual([...sample.schemas].sort());
  });

  test.each([...captures, ...samples])('$id: equals the file that the documentation names', ({ file, bytes }) => {
    expect(bytesOf(`public/samples/${file}`).length).toBe(bytes);
    const sha256 = createHash('sha256')
      .update(bytesOf(`public/samples/${file}`))
      .digest('hex');
    expect(textOf('docs/samples.md')).toContain(`| \`${file}\` | \`${sha256}\` |`);
  });
});

describe('a message that is cut has its own type first, and no other is asserted', () => {
  test.each([
    ['public/samples/prometheus-remote-write-1.binpb', 'prometheus.WriteRequest'],
    ['public/samples/prometheus-remote-write-2.binpb', 'io.prometheus.write.v2.Request'],
    ['public/samples/opensearch-search-hits.binpb', 'org.opensearch.proto.search.SearchHitsProto'],
    ['public/samples/otlp-traces.binpb', 'opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest'],
    ['public/samples/vitess-execute-batch.binpb', 'query.ExecuteBatchRequest'],
    [
      'fixtures/otlp-json/profiles.binpb',
      'opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest',
    ],
    ['fixtures/pprof/heap.pb.gz', 'perftools.profiles.Profile'],
  ])('%s', (file, type) => {
    const bytes = file.endsWith('.gz') ? new Uint8Array(gunzipSync(bytesOf(file))) : bytesOf(file);
    for (const share of [0.1, 0.35, 0.6, 0.85, 0.999]) {
      const cut = bytes.slice(0, Math.floor(bytes.length * share));
      const found = classifyType([bundledSource(bundled.registry)], [cut]);
      expect(found.ranking[0]?.type.fullName).toBe(type);
      expect(found.type === undefined || found.type.fullName === type).toBe(true);
    }
  });
});
