import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { keepingFiles } from './kept-files.testing.ts';
import { nested, wide } from './made-messages.testing.ts';
import { printMatrix } from './output/matrix-text.ts';
import { run } from './run.ts';

const { at: kept, write } = keepingFiles();

const at = (path: string) => new URL(`../../${path}`, import.meta.url).pathname;
const RW2 = at('public/samples/prometheus-remote-write-2.binpb');
const SEARCH = at('fixtures/capture/opensearch-plain.pcap');
const ARGS = ['matrix', RW2, '--schema', at('schemas/prometheus'), '--type', 'io.prometheus.write.v2.Request'];

test('as JSON: sizes of every encoding, before and after every compressor, by field', async () => {
  const { code, out } = await run([...ARGS, '--json']);
  expect(code).toBe(0);
  const matrix = JSON.parse(out);
  expect(Object.keys(matrix)).toEqual([
    'type',
    'messages',
    'captured',
    'per',
    'capturedWith',
    'compressors',
    'encodings',
  ]);
  expect([matrix.messages, matrix.captured, matrix.per]).toEqual([1, 'protobuf', 'joined']);
  expect(Object.keys(matrix.compressors)).toEqual(['gzip', 'snappy', 'lz4-block', 'lz4-frame', 'zstd', 'brotli']);
  expect(Object.keys(matrix.compressors.gzip)).toEqual(['library', 'version', 'parameters']);
  const rows = new Map<string, (typeof matrix.encodings)[number]>(
    matrix.encodings.map((row: { id: string }) => [row.id, row]),
  );
  // Sizes by Go's protojson, msgpack, thrift and the native compressors.
  expect(rows.get('protobuf')).toMatchObject({
    bytes: statSync(RW2).size,
    compressed: { gzip: 4223, snappy: 5338, 'lz4-block': 5611, 'lz4-frame': 5896, zstd: 3557, brotli: 3311 },
  });
  expect([...rows.keys()]).toEqual(expect.arrayContaining(['json', 'msgpack-numbered', 'cbor-named', 'avro', 'xdr']));
  expect(rows.has('json-otlp')).toBe(false);
  for (const { id, bytes, fields } of rows.values()) {
    const sum = fields.flatMap(({ path: _, ...parts }: { path: string }) => Object.values(parts));
    expect(
      sum.reduce((a: number, b: number) => a + b, 0),
      id,
    ).toBe(bytes);
  }
});

test('as JSON: the bytes of messages in an Any', async () => {
  const proto =
    'syntax = "proto3"; import "google/protobuf/any.proto"; message Box { google.protobuf.Any any = 1; } message Held { string text = 1; }';
  // any { type_url: "x/Held" value { text: "a" } }
  const box = Buffer.concat([
    Buffer.from([0x0a, 13, 0x0a, 6]),
    Buffer.from('x/Held'),
    Buffer.from([0x12, 3, 0x0a, 1, 0x61]),
  ]);
  const input = [write('box.binpb', box), '-s', write('box.proto', proto), '-t', 'Box'];
  const { code, out, err } = await run(['matrix', ...input, '--json']);
  expect(code, err).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ type: 'Box', inAny: 3 });
});

test('JSON of a deep message is at most 64 times as large, beside 512 KiB; a last row has the sums of other fields', async () => {
  const deep = nested(300, [16, 1]);
  const schema = write('wide.proto', wide(150, 'a_field_with_a_long_name'));
  const input = [write('deep.binpb', deep), '-s', schema, '-t', 'M'];
  const { code, out, err } = await run(['matrix', ...input, '--json']);
  expect(code, err).toBe(0);
  expect(Buffer.byteLength(out)).toBeLessThanOrEqual(512 * 1024 + 2048 + 64 * deep.length);
  const { encodings } = JSON.parse(out) as {
    encodings: readonly { bytes: number | null; fields: readonly { path: string; folded?: number }[] }[];
  };
  expect(encodings.some(({ fields }) => fields.at(-1)?.folded !== undefined)).toBe(true);
  for (const { bytes, fields } of encodings) {
    const sizes = fields.flatMap(({ path: _, folded: __, ...parts }) => Object.values<number>(parts));
    expect(sizes.reduce((a, b) => a + b, 0)).toBe(bytes ?? 0);
  }
});

test('as a table and as Markdown: the smallest first, with the values that an encoding loses', async () => {
  const { out } = await run(ARGS);
  expect(out).toMatch(/^io\.prometheus\.write\.v2\.Request: 1 message\./);
  expect(out).toMatch(/^Protobuf \(captured\) +11,749 +1\.00 +█+\S* +4,223 +1\.00/m);
  expect(out).toContain('gzip level 6: zlib 1.3.1, level 6');
  const { out: markdown } = await run([...ARGS, '--markdown']);
  expect(markdown).toContain('| Protobuf (captured) | 11,749 | 1.00 |');
  expect(markdown).toContain('\n- gzip level 6: zlib 1.3.1, level 6');
});

test('each message alone, if requested', async () => {
  const { out } = await run([...ARGS, '--per', 'message', '--json']);
  expect(JSON.parse(out).per).toBe('message');
  const { code, err } = await run([...ARGS, '--per', 'field']);
  expect([code, err]).toEqual([1, expect.stringContaining('--per takes message, request or joined, not field')]);
});

test('another level of a compressor', async () => {
  const { compressors, encodings } = JSON.parse((await run([...ARGS, '--level', 'zstd=19', '--json'])).out);
  expect(compressors.zstd.parameters).toMatch(/^level 19,/);
  expect(encodings[0].compressed.zstd).toBeLessThan(3557);
  const { code, err } = await run([...ARGS, '--level', 'zstd=4']);
  expect([code, err]).toEqual([1, expect.stringContaining('not zstd=4: gzip=1|6|9, zstd=1|3|9|19')]);
});

test('a native message that no layout explains is counted neither here nor by advise', async () => {
  const bytes = readFileSync(SEARCH);
  // The last byte of a QuerySearchResult of 316 bytes.
  bytes[18098]! ^= 0xff;
  const args = [write('unexplained.pcap', bytes), '-t', 'org.opensearch.stream.QuerySearchResult', '--json'];
  for (const command of ['matrix', 'advise']) {
    const { messages, capturedWith } = JSON.parse((await run([command, ...args])).out);
    expect([messages, capturedWith], command).toEqual([3, { none: 315 + 316 + 318 }]);
  }
});

test('native messages: the bytes of the transport are the captured row', async () => {
  const matrix = JSON.parse((await run(['matrix', SEARCH, '--json'])).out);
  const captured = matrix.encodings.find(({ id }: { id: string }) => id === matrix.captured);
  expect([matrix.type, matrix.captured, matrix.per]).toEqual([
    'org.opensearch.proto.search.FetchSearchResultProto',
    'captured-native',
    'request',
  ]);
  // The frame's body without its header. Written with a native profile it would be larger.
  expect(captured.bytes).toBe(9156);
});

test('any number of small payloads is compressed as one stream', async () => {
  const path = write('small.delim', Buffer.alloc(3 * 120_000, Uint8Array.of(2, 16, 1)));
  const input = [path, '--framing', 'varint', '-s', write('few.proto', wide(2, 'name')), '-t', 'M'];
  const budget = kept('budget.json');
  const { code, err } = await run(['check', ...input, '--budget', budget, '--write', '--compressor', 'gzip']);
  expect(code, err).toBe(0);
  expect(JSON.parse(readFileSync(budget, 'utf8')).compressed.message).toBeLessThan(0.1);
});

test('each input is joined by its own framing, in any order', async () => {
  const one = Buffer.from('0a03616263', 'hex');
  const prefixed = Buffer.concat(
    [...'defghi'].map((letter) => Buffer.from(`050a03${letter.charCodeAt(0).toString(16).repeat(3)}`, 'hex')),
  );
  const inputs = [write('prefixed.binpb', prefixed), write('one.binpb', one)];
  const schema = ['-s', write('name.proto', 'syntax = "proto3"; message M { string name = 1; }'), '-t', 'M'];
  for (const order of [inputs, inputs.toReversed()]) {
    const { code, out, err } = await run(['matrix', ...order, ...schema, '--json']);
    expect(code, err).toBe(0);
    const { encodings } = JSON.parse(out) as { encodings: readonly { id: string; bytes: number }[] };
    expect(encodings.find(({ id }) => id === 'protobuf')?.bytes).toBe(one.length + prefixed.length);
  }
});

test('values that a closed enum does not list are counted apart from unknown fields, which are those of the advice', async () => {
  const proto = 'syntax = "proto2"; message M { repeated E e = 1; map<string, E> m = 2; } enum E { A = 0; }';
  // e: 0, 7, 8; m: {"k": 7}; unknown 5
  const message = Buffer.from('080008070808' + '12050a016b1007' + '2801', 'hex');
  const args = [write('listed.binpb', message), '-s', write('listed.proto', proto), '-t', 'M', '--framing', 'single'];
  const { code, out, err } = await run(['matrix', ...args]);
  expect(code, err).toBe(0);
  expect(out).toContain('JSON: values that a closed enum does not list are dropped: 3. First in message 0, byte 2.\n');
  expect(out).toContain('JSON: unknown fields are dropped: 1. First in message 0, byte 13.\n');
  expect((await run(['advise', ...args, '--waste'])).out).toMatch(/Fields that the schema does not know +1 /);
});

test.each([
  ['JSON', 'unheld.json', '{"name":"ab","more":{"text":["c"]},"n":"d"}', 12, 'JSON as captured'],
  ['text format', 'unheld.txtpb', 'name: "ab" more { text: "c" } n: "d"', 10, 'Textproto as captured'],
])(
  'names and values of captured %s that no field holds are lost by all other encodings',
  async (_, name, text, at, own) => {
    const schema = write('unheld.proto', 'syntax = "proto3"; message M { string name = 1; int32 n = 2; }');
    const { code, out, err } = await run(['matrix', write(name, text), '-s', schema, '-t', 'M']);
    expect(code, err).toBe(0);
    for (const label of ['Protobuf', 'JSON', 'Avro binary'])
      expect(out).toContain(
        `\n${label}: names and values that no field holds are dropped: 2. First in message 0, byte ${at}.\n`,
      );
    expect(out).not.toContain(`${own}: names`);
  },
);

test('the place of the first value that an encoding does not carry, among several inputs', async () => {
  const schema = write('m.proto', 'syntax = "proto3"; message M { string name = 1; double size = 2; }');
  const one = write('one.varint', Uint8Array.of(3, 0x0a, 1, 0x61));
  // {name: "a"}, and {name: "b", size: NaN} with other bits than usual.
  const stale = [0x0a, 1, 0x62, 0x11, 2, 0, 0, 0, 0, 0, 0xf0, 0x7f];
  const other = write('other.varint', Uint8Array.from([3, 0x0a, 1, 0x61, stale.length, ...stale]));
  const how = ['--schema', schema, '--type', 'M', '--framing', 'varint'];
  const text = async (...inputs: readonly string[]) => (await run(['matrix', ...inputs, ...how])).out;
  expect(await text(other)).toContain('\nJSON: NaN loses its bits: 1. First in message 1, byte 3.\n');
  expect(await text(other)).toContain(
    '\nBorsh: NaN is refused, and at least one value is NaN. First in message 1, byte 3.\n',
  );
  expect(await text(one, other)).toContain(`\nJSON: NaN loses its bits: 1. First in ${other}, message 1, byte 3.\n`);
  const { encodings } = JSON.parse((await run(['matrix', one, other, ...how, '--json'])).out);
  const first = { input: 1, ordinal: 1, offset: 3, end: 12 };
  const of = (id: string) => encodings.find((row: { id: string }) => row.id === id);
  expect(of('json')).toMatchObject({ findings: ['NaN loses its bits: 1'], first: [first] });
  expect(of('borsh')).toMatchObject({ refused: 'NaN is refused, and at least one value is NaN.', first: [first] });
  expect(of('avro')).not.toHaveProperty('first');
});

test('captured text is measured with any number of spaces, and other encodings are compared with it', async () => {
  const schema = ['-s', write('spaced.proto', 'syntax = "proto3"; message M { string name = 1; }'), '-t', 'M'];
  const spaced = write('spaced.json', `{"name": "a"${' '.repeat(17 << 20)}}`);
  const { code, out, err } = await run(['matrix', spaced, ...schema]);
  expect(code, err).toBe(0);
  expect(out).toMatch(/^JSON as captured +17,825,805 +1\.00 /m);
  expect(out).toMatch(/^Protobuf +3 +<0\.01 /m);
  expect(out).not.toMatch(/NaN|Infinity|refused/);
});

test('protobuf is the reference where some messages have no captured form, and nothing where none can be written', () => {
  const row = (id: string, bytes: number | null) => ({
    ...{ id, label: id, mapping: '', isCommon: true, bytes, compressed: {}, refused: bytes === null ? 'it' : null },
    ...{ losses: [], errors: {}, fields: [] },
  });
  const print = (bytes: number | null): string => {
    const rows = [row('captured-native', null), row('protobuf', bytes), row('json', bytes && 2 * bytes)];
    const facts = { type: 'M', messages: 2, captured: 'captured-native', per: 'joined', sampled: null } as const;
    return printMatrix({ ...facts, capturedWith: {}, compressors: [], rows }, false, undefined, []);
  };
  expect(print(50)).toMatch(
    /^M: 2 messages, joined and compressed at once\. × of protobuf\.\n[\s\S]*\njson +100 +2\.00 /,
  );
  expect(print(null)).toMatch(/^M: 2 messages, joined and compressed at once\.\n/);
});
