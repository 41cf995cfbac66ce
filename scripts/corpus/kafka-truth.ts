/**
 * Random requests and responses of Kafka, as kafka-clients itself wrote them (scripts/kafka-truth), against the
 * layouts: a cell of ours begins and ends with each of its calls and holds the value that the call wrote, and the same
 * bytes come back through protobuf.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { endAt, fieldAt, flagsAt, parentAt, startAt } from '#engine/model/annotation.ts';
import { deriveLayouts } from '#engine/native/derive.ts';
import type { LayoutOf } from '#engine/native/layout.ts';
import { SCHEMA_LAYOUT_PROFILE } from '#engine/native/profiles.ts';
import { type NativeRead, readNative } from '#engine/native/read.ts';
import { toWire } from '#engine/native/to-wire.ts';
import { parseVersion } from '#engine/native/version.ts';
import { writeNative } from '#engine/native/write.ts';
import type { MessageDescriptor, Registry } from '#engine/schema/descriptor.ts';
import { annotate } from '#engine/wire/annotate.ts';
import { PROJECT } from './check.ts';
import { type Cell, cellsOf } from './native-cells.ts';

export interface KafkaInstance {
  readonly name: string;
  readonly version: string;
  readonly bytes: Uint8Array;
  /** A letter and a length each: b h H i l d v z B bytes, R records. */
  readonly calls: string;
}

/** Records, and what the library's own reader finds in them. */
export interface KafkaRecords {
  readonly bytes: Uint8Array;
  readonly values: string;
}

export interface KafkaTruth {
  readonly instances: readonly KafkaInstance[];
  readonly records: readonly KafkaRecords[];
}

const bytesOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

export function readKafkaTruth(text: string): KafkaTruth {
  const lines = text.split('\n').map((line) => line.split('\t'));
  return {
    instances: lines
      .filter(([kind]) => kind === 'instance')
      .map(([, , name, , version, hex, calls]) => ({
        name: name!,
        version: version!,
        bytes: bytesOf(hex!),
        calls: calls!,
      })),
    records: lines
      .filter(([kind]) => kind === 'records')
      .map(([, hex, values]) => ({ bytes: bytesOf(hex!), values: values! })),
  };
}

/** The part of the library's output that is kept. */
export const keptKafkaTruth = (): KafkaTruth =>
  readKafkaTruth(brotliDecompressSync(readFileSync(join(PROJECT, 'fixtures/native/kafka-truth.tsv.br'))).toString());

const layouts = new Map<string, LayoutOf>();

function layoutsOf(version: string): LayoutOf {
  let layoutOf = layouts.get(version);
  if (layoutOf === undefined) {
    layoutOf = deriveLayouts(SCHEMA_LAYOUT_PROFILE, {}, { version: parseVersion(version)! });
    layouts.set(version, layoutOf);
  }
  return layoutOf;
}

const typeIn = (registry: Registry, name: string): MessageDescriptor | undefined =>
  registry.messages.get(`org.apache.kafka.${name}`);

/** The first difference, in words; undefined: all agree. */
export function compareKafka(registry: Registry, { name, version, bytes, calls }: KafkaInstance): string | undefined {
  const type = typeIn(registry, name);
  if (type === undefined) return 'no layout';
  const layoutOf = layoutsOf(version);
  const read = readNative(bytes, layoutOf(type), layoutOf);
  const [stop] = read.diagnostics;
  if (stop !== undefined) return `${stop.message} (at ${stop.start})`;
  const difference = compareCalls(bytes, valuesOf(bytes, read), calls);
  if (difference !== undefined) return difference;
  const wire = toWire(bytes, read);
  const isWhole = !wire.diagnostics.some(({ code }) => code === 'native/native-only');
  const copy = wire.bytes.slice();
  const written = writeNative(copy, annotate(copy, type).table, layoutOf(type), layoutOf);
  if (!isWhole || hexOf(written.bytes) === hexOf(bytes)) return undefined;
  // For protobuf, an empty list and an absent list are the same.
  const again = toWire(written.bytes, readNative(written.bytes, layoutOf(type), layoutOf));
  return hexOf(again.bytes) === hexOf(copy) ? undefined : 'other values come back through protobuf';
}

/** Cells that hold bytes: an empty text is known by its length. */
const valuesOf = (bytes: Uint8Array, read: NativeRead): readonly Cell[] =>
  cellsOf(bytes, read).filter(({ start, end }) => end > start);

function compareCalls(bytes: Uint8Array, cells: readonly Cell[], calls: string): string | undefined {
  let at = 0;
  let next = 0;
  for (const call of calls.split(' ').filter((one) => one !== '')) {
    const letter = call[0]!;
    const length = call.length === 1 ? 1 : Number(call.slice(1));
    const end = at + length;
    const own: Cell[] = [];
    while (next < cells.length && cells[next]!.end <= end) own.push(cells[next++]!);
    const isWhole = own[0]?.start === at && own.at(-1)?.end === end;
    if (length > 0 && !isWhole) return `${letter} of ${length} at ${at}: no value of ours begins and ends with it`;
    const [cell] = own;
    if (length > 0 && letter !== 'R') {
      if (own.length !== 1) return `${letter} at ${at}: ${own.length} values of ours`;
      const theirs = decode(bytes.subarray(at, end), letter);
      const ours =
        letter === 'B' && typeof cell!.value === 'string' && !isHexOf(cell!, bytes)
          ? textHex(cell!)
          : String(cell!.value);
      // A length or count that is written one larger is read as the real value.
      const isMeant = letter === 'v' && ours === String(Number(theirs) - 1);
      if (ours !== theirs && !isMeant) return `${letter} at ${at}: ${ours} is read, ${theirs} was written`;
    }
    at = end;
  }
  if (next < cells.length) return `values of ours from ${cells[next]!.start} on that no call wrote`;
  return at === bytes.length ? undefined : `calls end at ${at} of ${bytes.length}`;
}

const isHexOf = ({ value, start, end }: Cell, bytes: Uint8Array): boolean =>
  value === hexOf(bytes.subarray(start, end));
const textHex = ({ value }: Cell): string => Buffer.from(String(value), 'utf8').toString('hex');

/** The value of a call, decoded by the call's own rules, independent of the layout. */
function decode(bytes: Uint8Array, letter: string): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  switch (letter) {
    case 'b':
      return String(view.getInt8(0));
    case 'h':
      return String(view.getInt16(0));
    case 'H':
      return String(view.getUint16(0));
    case 'i':
      return String(view.getInt32(0));
    case 'l':
      return String(view.getBigInt64(0));
    case 'd':
      return String(view.getFloat64(0));
    case 'v':
      return String(bytes.reduce((sum, byte, index) => sum + (byte & 127) * 2 ** (7 * index), 0));
    default:
      return hexOf(bytes);
  }
}

/** Records by our layout, in the words of `values`; a finding where they are not read whole. */
export function compareRecords(registry: Registry, { bytes, values }: KafkaRecords): string | undefined {
  const type = typeIn(registry, 'RecordSet')!;
  const layoutOf = layoutsOf('12');
  const read = readNative(bytes, layoutOf(type), layoutOf);
  const [stop] = read.diagnostics;
  if (stop !== undefined) return `${stop.message} (at ${stop.start})`;
  const { table, layouts: byField } = read;
  const words: string[] = [];
  const cells = cellsOf(bytes, read);
  let next = 0;
  for (let row = 1; row < table.length; row++) {
    const layout = fieldAt(table, row) < 0 ? undefined : byField[fieldAt(table, row)];
    const name = layout?.field.name ?? '';
    const parent = `${layout?.field.parent.name}.${name}`;
    if (name === 'batches') words.push('batch');
    else if (parent === 'Records.records') words.push('record');
    else if (
      parent === 'Record.headers' &&
      parentAt(table, row) > 0 &&
      table.fields[fieldAt(table, parentAt(table, row))] === layout?.field
    )
      words.push('header');
    while (next < cells.length && cells[next]!.end <= endAt(table, row) && cells[next]!.start < startAt(table, row))
      next++;
    const shown = SHOWN[parent];
    if (shown === undefined) continue;
    const isNull = (flagsAt(table, row) & 0x4000) !== 0;
    const cell = cells.findLast(({ start, end }) => start >= startAt(table, row) && end === endAt(table, row));
    words.push(isNull ? 'null' : shown(cell?.value, bytes.subarray(cell?.start ?? 0, endAt(table, row))));
  }
  const ours = words.join(' ');
  return ours === values ? undefined : `${ours} is read, ${values} was written`;
}

type Show = (value: unknown, bytes: Uint8Array) => string;
const asNumber: Show = (value) => String(value);
const asBytes: Show = (_, bytes) => (bytes.length === 0 ? '-' : hexOf(bytes));

const SHOWN: Readonly<Record<string, Show>> = {
  'RecordBatch.base_offset': asNumber,
  'Records.crc': asNumber,
  'Records.max_timestamp': asNumber,
  'Records.producer_id': asNumber,
  'Records.compressed_records': () => 'compressed',
  'Record.offset_delta': asNumber,
  'Record.key': asBytes,
  'Record.value': asBytes,
  'RecordHeader.key': asBytes,
  'RecordHeader.value': asBytes,
};
