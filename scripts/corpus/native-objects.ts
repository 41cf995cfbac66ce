/**
 * Objects that OpenSearch wrote natively, with the trace of every StreamOutput call that wrote them: the rows that the
 * layout of their class gives begin and end with each call, and hold its value.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { payloadCategoryAt } from '#engine/model/annotation.ts';
import { actionTypes } from '#engine/native/actions.ts';
import { deriveLayouts } from '#engine/native/derive.ts';
import type { LayoutOf } from '#engine/native/layout.ts';
import { SCHEMA_LAYOUT_PROFILE } from '#engine/native/profiles.ts';
import { type NativeRead, readNative } from '#engine/native/read.ts';
import { toWire } from '#engine/native/to-wire.ts';
import { parseVersion } from '#engine/native/version.ts';
import { writeNative } from '#engine/native/write.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import type { MessageDescriptor, Registry } from '#engine/schema/descriptor.ts';
import { annotate } from '#engine/wire/annotate.ts';
import { readSchemaFiles } from '../../src/cli/inputs/schema-files.ts';
import { type Check, Differences, type Finding, PROJECT, readBytes, readLines } from './check.ts';
import { type Cell, cellsOf } from './native-cells.ts';

/** A line of a manifest. */
interface Listed {
  readonly name?: string;
  readonly class: string;
  readonly action?: string;
  readonly kind?: 'request' | 'response' | 'error';
}

/** A call; the first line of a trace is a head without `op`. */
interface Call {
  readonly leaf: boolean;
  readonly op: string;
  readonly offset: number;
  readonly length: number;
  readonly prefix?: number;
  readonly value: unknown;
  readonly site: string;
}

/** One object, and what its trace says against our reading. undefined: its class has no layout. */
export interface ObjectRead {
  readonly name: string;
  readonly className: string;
  readonly differences: readonly string[] | undefined;
}

export const nativeObjects: Check = {
  id: 'native-objects',
  title: 'native objects whose class has a layout: every call of their traces',
  async *run(folder): AsyncGenerator<Finding> {
    for await (const { name, differences } of readObjects(folder)) if (differences) yield { name, differences };
  },
};

export async function* readObjects(folder: string): AsyncGenerator<ObjectRead> {
  const { registry } = compileSchema(await readSchemaFiles([join(PROJECT, 'schemas')]));
  const typesOf = actionTypes(registry);
  for (const below of ['plain/objects', 'primitives/objects']) {
    const path = join(folder, 'opensearch', below);
    for (const listed of await readLines<Listed>(join(path, 'manifest.jsonl'))) {
      const { name, action, kind, class: className } = listed;
      if (name === undefined || !existsSync(join(path, `${name}.trace.jsonl`))) continue;
      const types =
        action === undefined || kind === undefined || kind === 'error'
          ? typesOfClass(registry, className)
          : typesOf(action, kind);
      const bytes = await readBytes(path, `${name}.bin`);
      const [, version = '2.19.2'] = name.split('@');
      const calls = (await readLines<Call>(join(path, `${name}.trace.jsonl`))).slice(1);
      const differences = types.length === 0 ? undefined : compare(bytes, types, layoutsOf(version), calls);
      yield { name, className, differences };
    }
  }
}

const typesOfClass = (registry: Registry, name: string): readonly MessageDescriptor[] => {
  const found = registry.messages.get(`org.opensearch.proto.search.${name}Proto`);
  return found === undefined ? [] : [found];
};

const derived = new Map<string, LayoutOf>();

function layoutsOf(version: string): LayoutOf {
  let layoutOf = derived.get(version);
  if (layoutOf === undefined) {
    layoutOf = deriveLayouts(SCHEMA_LAYOUT_PROFILE, {}, { version: parseVersion(version)! });
    derived.set(version, layoutOf);
  }
  return layoutOf;
}

function compare(
  bytes: Uint8Array,
  types: readonly MessageDescriptor[],
  layoutOf: LayoutOf,
  calls: readonly Call[],
): readonly string[] {
  const reads = types.map((type) => ({ type, read: readNative(bytes, layoutOf(type), layoutOf) }));
  const { type, read } = reads.find((candidate) => candidate.read.diagnostics.length === 0) ?? reads[0]!;
  const differences = new Differences();
  differences.add(...read.diagnostics.map(({ message, start }) => `${message} (at ${start})`));
  const unattributed = Array.from({ length: read.table.length }, (_, row) => row).filter(
    (row) => payloadCategoryAt(read.table, row) === 'unattributed',
  );
  differences.expect('rows unattributed', unattributed.length, 0);
  compareCalls(bytes, read, calls, differences);
  const back = toWire(bytes, read);
  // Values that only the stream has do not come back.
  if (back.diagnostics.length > 0) return differences.list;
  const again = writeNative(back.bytes, annotate(back.bytes, type).table, layoutOf(type), layoutOf);
  if (Buffer.compare(again.bytes, bytes) !== 0) differences.add('through protobuf it comes back as other bytes');
  return differences.list;
}

function compareCalls(bytes: Uint8Array, read: NativeRead, calls: readonly Call[], differences: Differences): void {
  const cells = cellsOf(bytes, read);
  let at = 0;
  for (const { leaf, op, offset, length, prefix, value, site } of calls) {
    if (!leaf) continue;
    const where = `${op} at ${offset} (${site})`;
    const own: Cell[] = [];
    const end = offset + length;
    while (at < cells.length && (cells[at]!.start < end || (cells[at]!.end === end && own.length > 0)))
      own.push(cells[at++]!);
    if (own[0]?.start !== offset || own.at(-1)?.end !== end) {
      differences.add(`${where}: no rows that begin and end with it`);
      continue;
    }
    if (prefix !== undefined && own[0].end !== offset + prefix) differences.add(`${where}: another length prefix`);
    const expected = op.startsWith('writeShort')
      ? Buffer.from(String(valueIn(value)), 'hex').readInt16BE()
      : valueIn(value);
    if (expected === undefined || isEnum(op)) continue;
    const last = own.length === 1 && prefix !== undefined ? '' : own.at(-1)!.value;
    if (own.length > (prefix === undefined ? 1 : 2)) continue;
    differences.expect(where, normal(last, op), expected ?? (prefix === undefined ? null : ''));
  }
  if (at < cells.length) differences.add(`${cells.length - at} spans that no call wrote`);
}

/** The ordinal is written; the trace names it. */
const isEnum = (op: string): boolean => op === 'writeEnum' || op === 'writeVersion';

const normal = (value: unknown, op: string): unknown => {
  if (op === 'writeBoolean') return value === 1;
  if (op === 'writeOptionalBoolean') return value === 2 ? null : value === 1;
  if (op === 'writeLong' || op === 'writeVLong' || op === 'writeZLong') return String(value);
  return value;
};

function valueIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return 'hex' in value ? value.hex : undefined;
}
