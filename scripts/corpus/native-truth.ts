/**
 * Random instances of OpenSearch's classes, as the library itself wrote them (scripts/opensearch-truth), against the
 * layouts: a cell of ours begins and ends with each of its calls and holds the value that the call wrote.
 */
import { join } from 'node:path';
import { deriveLayouts } from '#engine/native/derive.ts';
import type { LayoutOf } from '#engine/native/layout.ts';
import { decodeCesu8 } from '#engine/native/native-values.ts';
import { SCHEMA_LAYOUT_PROFILE } from '#engine/native/profiles.ts';
import { readNative } from '#engine/native/read.ts';
import { toWire } from '#engine/native/to-wire.ts';
import { parseVersion } from '#engine/native/version.ts';
import { writeNative } from '#engine/native/write.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import type { MessageDescriptor, Registry } from '#engine/schema/descriptor.ts';
import { annotate } from '#engine/wire/annotate.ts';
import { readSchemaFiles } from '../../src/cli/inputs/schema-files.ts';
import { PROJECT } from './check.ts';
import { type Cell, cellsOf } from './native-cells.ts';

/** One object of a class, as the library wrote it. */
export interface Instance {
  /** The registry's category of a named writeable; `message` for a transport message, `part` for a part of one. */
  readonly category: string;
  readonly name: string;
  readonly className: string;
  /** Version of the wire format. */
  readonly version: string;
  readonly bytes: Uint8Array;
  /** A letter and a length each; docs/native-layouts.md. */
  readonly calls: string;
}

/** Our message for a category of the registry, whose oneof has a member for each name. */
const CATEGORIES: Readonly<Record<string, string>> = {
  QueryBuilder: 'Query',
  AggregationBuilder: 'AggregationBuilder',
  PipelineAggregationBuilder: 'PipelineAggregationBuilder',
  InternalAggregation: 'InternalAggregation',
  DocValueFormat: 'DocValueFormat',
  SignificanceHeuristic: 'SignificanceHeuristic',
  MovAvgModel: 'MovingAvgModel',
  SortBuilder: 'Sort',
  ScoreFunctionBuilder: 'ScoreFunction',
  ScriptScoreFunctionBuilder: 'ScoreFunction',
  IntervalsSourceProvider: 'Interval',
  SuggestionBuilder: 'Suggester',
  Suggest$Suggestion: 'Suggestion',
  SmoothingModel: 'SmoothingModel',
  RescorerBuilder: 'Rescorer',
  SearchExtBuilder: 'SearchExtension',
  SortValue: 'SortValue',
  Metadata$Custom: 'MetadataCustom',
  NamedDiff: 'CustomDiff',
  ClusterState$Custom: 'ClusterStateCustom',
  Task$Status: 'TaskStatus',
  AllocationCommand: 'AllocationCommand',
  Condition: 'RolloverCondition',
  PersistentTaskParams: 'PersistentTaskParams',
  PersistentTaskState: 'PersistentTaskState',
  EvaluationMetric: 'EvaluationMetric',
  MetricDetail: 'MetricDetail',
};

const STREAM = 'org.opensearch.stream.';

/** Transport messages whose layout has another name than their class, which two packages may have. */
const RENAMED: Readonly<Record<string, string>> = {
  'org.opensearch.action.admin.indices.recovery.RecoveryResponse': `${STREAM}IndicesRecoveryResponse`,
  'org.opensearch.extensions.UpdateSettingsRequest': `${STREAM}ExtensionUpdateSettingsRequest`,
  TransportNodesReloadSecureSettingsAction$NodeRequest: `${STREAM}NodeReloadSecureSettingsRequest`,
  TransportVerifyShardIndexBlockAction$ShardRequest: `${STREAM}VerifyShardBlockRequest`,
  SearchHits: 'org.opensearch.proto.search.SearchHitsProto',
  FetchSearchResult: 'org.opensearch.proto.search.FetchSearchResultProto',
  TransportRequest$Empty: `${STREAM}EmptyRequest`,
  TransportService$HandshakeRequest: `${STREAM}EmptyRequest`,
  BasicReplicationRequest: `${STREAM}ReplicationRequest`,
  GlobalCheckpointSyncAction$Request: `${STREAM}ReplicationRequest`,
  RetentionLeaseActions$AddRequest: `${STREAM}AddOrRenewLeaseRequest`,
  RetentionLeaseActions$RenewRequest: `${STREAM}AddOrRenewLeaseRequest`,
  RetentionLeaseActions$RemoveRequest: `${STREAM}RemoveLeaseRequest`,
  RetentionLeaseActions$Response: `${STREAM}Empty`,
  RetentionLeaseBackgroundSyncAction$Request: `${STREAM}BackgroundLeasesRequest`,
  RetentionLeaseSyncAction$Request: `${STREAM}LeasesRequest`,
  RetentionLeaseSyncAction$Response: `${STREAM}ReplicationResponse`,
  TransportNodesStatsAction$NodeStatsRequest: `${STREAM}NodeStatsRequest`,
  TransportNodesInfoAction$NodeInfoRequest: `${STREAM}NodeInfoRequest`,
  TransportClusterStatsAction$ClusterStatsNodeRequest: `${STREAM}ClusterStatsNodeRequest`,
  TransportNodesHotThreadsAction$NodeRequest: `${STREAM}NodeHotThreadsRequest`,
  TransportNodesUsageAction$NodeUsageRequest: `${STREAM}NodeUsageRequest`,
  BaseTasksRequest: `${STREAM}TasksRequest`,
  BaseTasksResponse: `${STREAM}TasksResponse`,
  DeleteResponse: `${STREAM}IndexResponse`,
  TransportVerifyShardBeforeCloseAction$ShardRequest: `${STREAM}VerifyShardBeforeCloseRequest`,
  TransportNodesListGatewayStartedShards$NodeRequest: `${STREAM}StartedShardsRequest`,
  TransportNodesListShardStoreMetadata$NodeRequest: `${STREAM}StartedShardsRequest`,
  TransportNodesListGatewayStartedShardsBatch$NodeRequest: `${STREAM}ShardsBatchRequest`,
  TransportNodesListShardStoreMetadataBatch$NodeRequest: `${STREAM}ShardsBatchRequest`,
  TransportNodesListGatewayMetaState$NodeRequest: `${STREAM}EmptyRequest`,
  VerifyNodeRepositoryAction$VerifyNodeRepositoryRequest: `${STREAM}VerifyNodeRepositoryRequest`,
  TaskCancellationService$BanParentTaskRequest: `${STREAM}BanParentTaskRequest`,
  GetTermVersionRequest: `${STREAM}ClusterManagerReadRequest`,
  MasterFaultDetection$MasterPingResponseResponse: `${STREAM}Empty`,
  NodesFaultDetection$PingResponse: `${STREAM}Empty`,
  RecoveryFileChunkRequest: `${STREAM}FileChunkRequest`,
  RecoveryRequest: `${STREAM}IndicesRecoveryRequest`,
};

export async function bundledRegistry(): Promise<Registry> {
  return compileSchema(await readSchemaFiles([join(PROJECT, 'schemas')])).registry;
}

/** The layout of an instance's class; undefined: it has none. */
export function typeOf(
  registry: Registry,
  { category, name, className }: Pick<Instance, 'category' | 'name' | 'className'>,
): MessageDescriptor | undefined {
  if (category === 'message') {
    const plain = name.slice(name.lastIndexOf('$') + 1);
    const renamed = RENAMED[className] ?? RENAMED[name];
    if (renamed !== undefined) return registry.messages.get(renamed);
    const candidates = [`org.opensearch.stream.${name.replaceAll('$', '')}`, `org.opensearch.stream.${plain}`];
    return candidates.map((full) => registry.messages.get(full ?? '')).find((type) => type !== undefined);
  }
  if (category === 'part') return registry.messages.get(`org.opensearch.stream.${name}`);
  const of = registry.messages.get(`org.opensearch.stream.${CATEGORIES[category] ?? ''}`);
  return of?.oneofs[0]?.fields.find((field) => field.options['wirecost.native.name'] === name)?.message;
}

export function* readInstances(text: string): Generator<Instance> {
  for (const line of text.split('\n')) {
    const [kind, category, name, className, version, hex, calls] = line.split('\t');
    if (kind !== 'instance') continue;
    const bytes = new Uint8Array(Buffer.from(hex!, 'hex'));
    yield { category: category!, name: name!, className: className!, version: version!, bytes, calls: calls ?? '' };
  }
}

const derived = new Map<string, LayoutOf>();

/** Differences in words; empty: every call agrees. `stopped`: a part follows that the layouts leave undescribed. */
export function compareInstance(
  type: MessageDescriptor,
  { bytes, version, calls }: Instance,
): 'stopped' | (string & {}) | undefined {
  let layoutOf = derived.get(version);
  if (layoutOf === undefined) {
    layoutOf = deriveLayouts(SCHEMA_LAYOUT_PROFILE, {}, { version: parseVersion(version)! });
    derived.set(version, layoutOf);
  }
  const read = readNative(bytes, layoutOf(type), layoutOf);
  const [stop] = read.diagnostics;
  if (stop?.code === 'native/unknown-end') return 'stopped';
  if (stop !== undefined) return `${stop.message} (at ${stop.start})`;
  const cells = cellsOf(bytes, read);
  return cells.at(-1)?.isRest === true ? 'stopped' : compareCalls(bytes, cells, calls);
}

/** Whether protobuf and back gives the same bytes; an instance with values that only the stream has may come back too. */
export function comesBack(type: MessageDescriptor, { bytes, version }: Instance): boolean {
  const layoutOf = derived.get(version)!;
  const wire = toWire(bytes, readNative(bytes, layoutOf(type), layoutOf)).bytes;
  const again = writeNative(wire, annotate(wire, type).table, layoutOf(type), layoutOf);
  return Buffer.compare(again.bytes, bytes) === 0;
}

function compareCalls(bytes: Uint8Array, cells: readonly Cell[], calls: string): string | undefined {
  let at = 0;
  let cell = 0;
  for (const call of calls.split(' ')) {
    if (call === '') continue;
    const letter = call[0]!;
    const length = call.length === 1 ? 1 : Number(call.slice(1));
    const end = at + length;
    const own: Cell[] = [];
    // Bytes that were written one by one may be one value.
    const first = cells[cell];
    // So may what nothing describes, up to the end.
    const isInside = first !== undefined && first.start <= at && first.end > end;
    if (isInside && (letter === 'b' || first.end === bytes.length)) {
      at = end;
      continue;
    }
    while (
      cell < cells.length &&
      cells[cell]!.end <= end &&
      (cells[cell]!.start < end || own.length > 0 || length === 0)
    ) {
      own.push(cells[cell++]!);
    }
    const isPart = letter === 'b' && own.length === 1 && own[0]!.start < at;
    if (!isPart && length > 0 && (own[0]?.start !== at || own.at(-1)?.end !== end)) {
      return `${letter} of ${length} at ${at}: no value of ours begins and ends with it`;
    }
    if (!isPart && length > 0) {
      const ours = writtenIn(own, letter);
      // A message in a blob: its values are cells of their own.
      if ('AO'.includes(letter) && (own.length > 2 || (own.length === 2 && typeof own[1]!.value !== 'string'))) {
        at = end;
        continue;
      }
      const theirs = decode(bytes.subarray(at, end), letter);
      if (ours !== theirs) return `${letter} at ${at}: ${ours} is read, ${theirs} was written`;
    }
    at = end;
  }
  if (cell < cells.length) return `values of ours from ${cells[cell]!.start} on that no call wrote`;
  return at === bytes.length ? undefined : `calls end at ${at} of ${bytes.length}`;
}

const SIZED = 'sAOt';

function writtenIn(own: readonly Cell[], letter: string): string {
  const { value } = own.findLast(({ start, end }) => end > start || SIZED.includes(letter))!;
  if (SIZED.includes(letter)) return own.length === 1 ? '' : String(value);
  // An absent text has an empty value behind its flag.
  const written = own.filter(({ start, end }) => end > start);
  if (written.length !== 1) return `${written.length} values`;
  // A short is written as its two bytes.
  if (letter === 'B' && typeof value === 'number') return (value & 0xffff).toString(16).padStart(4, '0');
  if (letter === 'f') return String(Math.fround(Number(value)));
  return letter === 'b' ? String(Number(value) & 255) : String(value);
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The value of a call, decoded by the call's own rules, independent of the layout. */
function decode(bytes: Uint8Array, letter: string): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  switch (letter) {
    case 'b':
    case 'o':
    case 'p':
      return String(bytes[0]);
    case 'i':
      return String(view.getInt32(0));
    case 'l':
      return String(view.getBigInt64(0));
    case 'f':
      return String(view.getFloat32(0));
    case 'd':
      return String(view.getFloat64(0));
    case 'v':
      return String(Number(BigInt.asIntN(32, varint(bytes))));
    case 'V':
      return String(BigInt.asIntN(64, varint(bytes)));
    case 'z': {
      const value = varint(bytes);
      return String(BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n)));
    }
    case 's':
      return decodeCesu8(bytes.subarray(varintSize(bytes))).text;
    case 't':
      return new TextDecoder().decode(bytes.subarray(4));
    case 'A':
    case 'O':
      return hex(bytes.subarray(varintSize(bytes)));
    default:
      return hex(bytes);
  }
}

const varintSize = (bytes: Uint8Array): number => bytes.findIndex((byte) => byte < 128) + 1;

function varint(bytes: Uint8Array): bigint {
  let value = 0n;
  for (let i = 0; i < varintSize(bytes); i++) value |= BigInt(bytes[i]! & 127) << BigInt(7 * i);
  return value;
}
