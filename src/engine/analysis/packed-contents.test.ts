/** Compressed contents of native messages, written by the libraries of Kafka and OpenSearch. */
import { readFileSync } from 'node:fs';
import { brotliDecompressSync, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readSchemaFiles } from '../../cli/inputs/schema-files.ts';
import { endAt, fieldAt, payloadStartAt } from '../model/annotation.ts';
import { readNative } from '../native/read.ts';
import { toWire } from '../native/to-wire.ts';
import { nativeValueAt } from '../native/value.ts';
import { compileSchema } from '../schema/compile.ts';
import { contentTotals, type PackedContent, packedContents } from './packed-contents.ts';
import { NativeLayouts, type NativeReading } from './plan/native-reading.ts';

const FIXTURES = new URL('../../../fixtures/native/', import.meta.url);
const linesOf = (name: string): string[][] =>
  brotliDecompressSync(readFileSync(new URL(name, FIXTURES)))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));

const { registry } = compileSchema(await readSchemaFiles([new URL('../../../schemas', import.meta.url).pathname]));
const layouts = new NativeLayouts(registry);

/** Reads a message by its type alone, without its transport. */
const readAs = (name: string, version: string, bytes: Uint8Array): NativeReading =>
  layouts.readAs([registry.messages.get(name)!], version, bytes)!;

const decoder = new TextDecoder();
const textsOf = ({ read }: NativeReading, bytes: Uint8Array, names: readonly string[]): string[] =>
  Array.from({ length: read.table.length }, (_, row) => row).flatMap((row) => {
    const value = names.includes(read.table.fields[fieldAt(read.table, row)]?.name ?? '')
      ? nativeValueAt(read, bytes, row)
      : undefined;
    return value instanceof Uint8Array ? [decoder.decode(value)] : [];
  });

const RECORDS = Array.from({ length: 40 }, (_, n) => [`key ${n}`, `value ${n}, `.repeat(n)]).flat();

const KAFKA = linesOf('kafka-records.tsv.br');

describe.each(KAFKA)('records of Kafka, format %s, %s', (format, compression, hex) => {
  const bytes = new Uint8Array(Buffer.from(hex!, 'hex'));
  const read = (): NativeReading => readAs('org.apache.kafka.RecordSet', '12', bytes);

  test('every record is read, and the captured bytes stay as they are', () => {
    const outer = read();
    expect(outer.read.diagnostics).toEqual([]);
    const { contents, diagnostics } = packedContents(bytes, outer);
    expect(diagnostics).toEqual([]);
    expect(contents).toHaveLength(compression === 'none' ? 0 : 1);
    const inside = contents.flatMap((content) => {
      expect(content.reading.read.diagnostics).toEqual([]);
      expect(content.bytes.length).toBeGreaterThan(content.end - content.start);
      return textsOf(content.reading, content.bytes, ['key', 'value']);
    });
    expect(compression === 'none' ? textsOf(outer, bytes, ['key', 'value']) : inside).toEqual(RECORDS);
    expect(`magic ${format}`).toBe(`magic ${bytes[16]}`);
  });
});

test.each(KAFKA.filter(([, compression]) => compression !== 'none'))(
  'records of Kafka, format %s, %s: contents are added up as captured, unpacked and in protobuf',
  (_, __, hex) => {
    const bytes = new Uint8Array(Buffer.from(hex!, 'hex'));
    const { contents } = packedContents(bytes, readAs('org.apache.kafka.RecordSet', '12', bytes));
    const [{ field, start, end, bytes: inside, reading }] = contents as [PackedContent];
    const once = {
      ...{ field: field.fullName, type: reading.type.fullName, count: 1 },
      ...{ packed: end - start, native: inside.length, protobuf: toWire(inside, reading.read).bytes.length },
    };
    expect(contentTotals(contents)).toEqual([once]);
    const twice = { count: 2, packed: 2 * once.packed, native: 2 * once.native, protobuf: 2 * once.protobuf };
    expect(contentTotals([...contents, ...contents])).toEqual([{ ...once, ...twice }]);
    // Contents that are not read whole are in no sum.
    const cut = readNative(inside.subarray(0, -1), reading.layoutOf(reading.type), reading.layoutOf);
    expect(contentTotals([{ ...contents[0]!, reading: { ...reading, read: cut } }])).toEqual([]);
  },
);

test.each(KAFKA.filter(([, compression]) => compression !== 'none'))(
  'records of Kafka, format %s, %s: damage is reported at the place of the compressed bytes',
  (_, __, hex) => {
    const bytes = new Uint8Array(Buffer.from(hex!, 'hex'));
    const [content] = packedContents(bytes, readAs('org.apache.kafka.RecordSet', '12', bytes)).contents;
    const damaged = bytes.slice();
    // After the name of the format: its data.
    damaged.fill(0xff, content!.start + 20, content!.end);
    const found = packedContents(damaged, readAs('org.apache.kafka.RecordSet', '12', damaged));
    expect(found.contents).toEqual([]);
    expect(found.diagnostics).toMatchObject([{ code: 'native/packed', start: content!.start, end: content!.end }]);
  },
);

test('a published cluster state is read inside its message', () => {
  const states = linesOf('truth/2.19.7.tsv.br').filter(
    ([kind, category, name]) => kind === 'instance' && category === 'part' && name === 'ClusterState',
  );
  expect(states.length).toBeGreaterThan(0);
  for (const [, , , , version, hex] of states) {
    const state = Buffer.from(`01${hex}`, 'hex');
    const packed = Buffer.concat([Buffer.from('DFL\0'), deflateRawSync(state)]);
    const size = packed.length < 128 ? [packed.length] : [(packed.length & 127) | 128, packed.length >> 7];
    const payload = new Uint8Array(Buffer.concat([Buffer.from([0, ...size]), packed]));
    const { contents, diagnostics } = packedContents(
      payload,
      readAs('org.opensearch.stream.PublishRequest', version!, payload),
    );
    expect(diagnostics).toEqual([]);
    const [content] = contents;
    expect([content!.start, content!.end]).toEqual([1 + size.length, payload.length]);
    expect(Buffer.from(content!.bytes).equals(state)).toBe(true);
    const { table, diagnostics: found } = content!.reading.read;
    expect(found).toEqual([]);
    expect(content!.reading.type.name).toBe('PublishedState');
    expect([payloadStartAt(table, 0), endAt(table, 0)]).toEqual([0, state.length]);
  }
});
