/**
 * The same messages in other encodings, by independent libraries: sizes, bytes, ledgers by field path and compressed
 * sizes, all exactly. Encodings that are not written here count by their recorded bytes, where there are some: these
 * are compressed.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { varintEnd, varintNumber } from '#engine/bytes/varint.ts';
import { COMPRESSORS, type Compressor, loadCompressor } from '#engine/compression/compressors.ts';
import { type Encoded, type EncodingRow, encode } from '#engine/encodings/encoding-row.ts';
import { encodingById, encodingSubject } from '#engine/encodings/encodings.ts';
import { enter, type Ledger } from '#engine/encodings/ledger.ts';
import { addToLedger } from '#engine/encodings/ledger-rows.ts';
import { endAt, fieldAt, parentAt, startAt } from '#engine/model/annotation.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import type { MessageDescriptor, Registry } from '#engine/schema/descriptor.ts';
import { readSchemaFiles } from '../../src/cli/inputs/schema-files.ts';
import { type Check, Differences, type Finding, readBytes } from './check.ts';

interface Row {
  readonly payload: string;
  readonly type: string;
  readonly messages: number;
  readonly encoding: string;
  readonly bytes: number;
  readonly compressed: Readonly<Record<string, number>>;
}

type LedgerTruth = Readonly<Record<string, Readonly<Record<string, readonly [number, number, number, number]>>>>;

const SCHEMAS = [
  'schemas/apm-modelpb.fds.binpb',
  'schemas/otlp-collector.fds.binpb',
  'schemas/prometheus-rw1.fds.binpb',
  'schemas/prometheus-rw2.fds.binpb',
  'schemas/vitess-queryservice.fds.binpb',
  'opensearch/descriptors.binpb',
  'encodings/payloads/alltypes.fds.binpb',
];

export const encodings: Check = {
  id: 'encodings',
  title: 'the same messages in other encodings: sizes, bytes, ledgers, compressed sizes',
  run: compare,
};

async function* compare(folder: string): AsyncGenerator<Finding> {
  const { rows } = JSON.parse(await readFile(join(folder, 'encodings', 'index.json'), 'utf8')) as { rows: Row[] };
  const types = await typesOf(folder);
  const compressors = await Promise.all(COMPRESSORS.map(({ id }) => loadCompressor(id)));
  const unwritten = new Map<string, number>();
  for (const row of rows) {
    const differences = new Differences();
    const name = row.payload.replaceAll('/', '_');
    const encoding = encodingById(row.encoding);
    const recorded = await readBytes(folder, 'encodings', 'bytes', `${name}.${row.encoding}`).catch(() => undefined);
    if (encoding === undefined) {
      unwritten.set(row.encoding, (unwritten.get(row.encoding) ?? 0) + 1);
      if (recorded !== undefined) await expectCompressed(differences, recorded, row, compressors);
    } else {
      const payload = await readBytes(folder, row.payload);
      const { bytes, ledger } = write(encoding, payload, row, types);
      differences.expect('bytes', bytes.length, row.bytes);
      if (recorded !== undefined && Buffer.compare(bytes, recorded) !== 0) {
        const at = bytes.findIndex((byte, index) => byte !== recorded[index]);
        differences.add(`another byte at ${at}`);
      }
      await expectCompressed(differences, bytes, row, compressors);
      const truth = JSON.parse(
        await readFile(join(folder, 'encodings', 'ledgers', `${name}.json`), 'utf8'),
      ) as LedgerTruth;
      if (truth[row.encoding] !== undefined) expectLedger(differences, ledger, truth[row.encoding]!);
    }
    yield { name: `${row.payload} as ${row.encoding}`, differences: differences.list };
  }
  const rest = [...unwritten].map(([id, count]) => `${id} ${count}`).join(', ');
  yield { name: 'not written here, compressed where their bytes are recorded', differences: [], measured: rest };
}

async function typesOf(folder: string): Promise<(name: string) => MessageDescriptor> {
  const registries: Registry[] = [];
  for (const path of SCHEMAS) registries.push(compileSchema(await readSchemaFiles([join(folder, path)])).registry);
  return (name) => registries.flatMap(({ messages }) => messages.get(name) ?? [])[0]!;
}

function write(
  encoding: EncodingRow,
  payload: Uint8Array,
  row: Row,
  typeOf: (name: string) => MessageDescriptor,
): { readonly bytes: Uint8Array; readonly ledger: Ledger } {
  const isDelimited = row.payload.includes('.delim.');
  const ledger: Ledger = new Map();
  const parts: Uint8Array[] = [];
  for (const message of isDelimited ? splitDelimited(payload) : [payload]) {
    const read = encodingSubject(message, typeOf(row.type));
    const encoded = read.ok ? encode(encoding, { ...read.subject, isDelimited }) : read;
    if (!encoded.ok) throw new Error(encoded.reason);
    parts.push(encoding.id === 'flatbuffers' ? withOneNaN(encoded) : encoded.bytes);
    addToLedger(ledger, encoded.table);
    if (isDelimited && encoding.separator !== undefined) {
      parts.push(Uint8Array.of(encoding.separator));
      enter(ledger, '', 'punctuation', 1);
    }
  }
  // Protobuf is the payload itself, with its delimiters.
  return { bytes: encoding.id === 'protobuf' ? payload : new Uint8Array(Buffer.concat(parts)), ledger };
}

/** flatc read the values from JSON, which has one NaN. */
function withOneNaN({ bytes, table }: Encoded): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let row = 0; row < table.length; row++) {
    const [start, size] = [startAt(table, row), endAt(table, row) - startAt(table, row)];
    const { type } = table.fields[fieldAt(table, parentAt(table, row))] ?? {};
    if (type !== 'double' || size !== 8 || !Number.isNaN(view.getFloat64(start, true))) continue;
    view.setFloat64(start, Number.NaN, true);
  }
  return bytes;
}

/** Messages, each after its length. */
function splitDelimited(bytes: Uint8Array): readonly Uint8Array[] {
  const messages: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const start = varintEnd(bytes, at, bytes.length);
    const end = start + varintNumber(bytes, at, start);
    messages.push(bytes.subarray(start, end));
    at = end;
  }
  return messages;
}

async function expectCompressed(
  differences: Differences,
  bytes: Uint8Array,
  { compressed }: Row,
  compressors: readonly Compressor[],
): Promise<void> {
  for (const { id, compress } of compressors) {
    differences.expect(id, (await compress(bytes)).length, compressed[id]);
  }
}

/** Key, structure and value of each path. */
function expectLedger(differences: Differences, ledger: Ledger, truth: LedgerTruth[string]): void {
  const paths = new Set([...ledger.keys(), ...Object.keys(truth).map((path) => (path === '(root)' ? '' : path))]);
  for (const path of paths) {
    const { key = 0, value = 0, quotes = 0, flag = 0, ...structure } = ledger.get(path) ?? {};
    const ours = [key, Object.values(structure).reduce((sum, bytes) => sum + bytes, 0), value + quotes + flag];
    differences.expect(
      path === '' ? '(root)' : path,
      ours,
      (truth[path === '' ? '(root)' : path] ?? [0, 0, 0]).slice(0, 3),
    );
  }
}
