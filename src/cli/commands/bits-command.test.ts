import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync, inflateRawSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { keepingFiles } from '../kept-files.testing.ts';
import { run } from '../run.ts';

const { write } = keepingFiles();

const file = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const SCHEMAS = ['--schema', file('schemas'), '--type', 'prometheus.WriteRequest'];
const STREAM = file('fixtures/bits/remote-write.zstd-sum.zst');

interface Parts {
  readonly tag: number;
  readonly length: number;
  readonly value: number;
}
interface Json {
  readonly format: string;
  readonly plainBytes: number;
  readonly compressedBytes: number;
  readonly container: Readonly<Record<string, number>>;
  readonly fields: readonly (Parts & { readonly path: string; readonly shared: Parts })[];
}

function sums({ container, fields }: Json): readonly [paid: number, shared: number] {
  const outside = Object.values(container).reduce((sum, bits) => sum + bits, 0);
  const inside = (parts: readonly Parts[]) =>
    parts.reduce((sum, { tag, length, value }) => sum + tag + length + value, 0);
  return [outside + inside(fields), outside + inside(fields.map(({ shared }) => shared))];
}

describe('a compressed stream', () => {
  test('as JSON: every bit belongs to a field or to the container', async () => {
    const { code, out, err } = await run(['bits', STREAM, ...SCHEMAS, '--json']);
    expect([code, err]).toEqual([0, 'wirecost: read as zstd; --format chooses another\n']);
    const json = JSON.parse(out) as Json;
    expect(Object.keys(json)).toEqual(['format', 'plainBytes', 'compressedBytes', 'container', 'fields']);
    expect(json).toMatchObject({ format: 'zstd', plainBytes: 14338, compressedBytes: 1286 });
    for (const sum of sums(json)) expect(sum).toBeCloseTo(1286 * 8, 6);
    expect(json.fields.map(({ path }) => path).sort()).toEqual(
      ['', '.labels', '.labels.name', '.labels.value', '.samples', '.samples.value'].map((path) => `timeseries${path}`),
    );
  });

  test.each([
    ['remote-write.deflate-1.deflate', 'deflate'],
    ['remote-write.go-s2.snappy', 'snappy'],
    ['remote-write.lz4-block-hc9.lz4b', 'lz4-block'],
    ['remote-write.lz4-legacy.lz4', 'lz4-frame'],
    ['remote-write.zlib-6.zz', 'zlib'],
  ])('%s is detected as %s, and its type among the bundled ones', async (name, format) => {
    const { out, err } = await run(['bits', file(`fixtures/bits/${name}`), '--json']);
    const { fields, ...stream } = JSON.parse(out) as Json;
    expect(stream).toMatchObject({ format, plainBytes: 14338 });
    expect(fields.map(({ path }) => path)).toContain('timeseries.labels.value');
    expect(err).toContain('1 message read as prometheus.WriteRequest');
  });

  test.each([
    ['text', 'Some words of a log, none of them a message.', 'no message is in the plain bytes; they are one field'],
    ['a message of no known type', Buffer.from('f80601f00602e80603f80601', 'hex'), '; all plain bytes are one field'],
  ])('%s is one field, and the note names the reason', async (name, plain, note) => {
    const { out, err } = await run(['bits', write(`${name}.gz`, gzipSync(plain)), '--json']);
    expect((JSON.parse(out) as Json).fields.map(({ path }) => path)).toEqual(['(message)']);
    expect(err).toContain(note);
  });

  test('as tables: the largest field first, the container, and the shares before and after', async () => {
    const { out } = await run(['bits', STREAM, ...SCHEMAS]);
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toMatch(/prometheus\.WriteRequest, 1 message\. zstd, 14,338 plain bytes in 1,286 bytes\.$/);
    expect(lines[2]).toMatch(/^field .* tag +length +value +paid bytes/);
    expect(lines[4]).toMatch(/^timeseries\.samples\.value +594 +4\.14 % +4 .* 39\.6 % +1 /);
    expect(lines).toContainEqual(expect.stringMatching(/^huffman tables/));
    expect(lines.at(-1)).toMatch(/tags are 11\.9 % of the plain bytes and \d\.\d+ % after zstd$/);
  });

  test.each([
    ['text', '{"title": "one"}\n{"title": "two"}\n', 'message M { string title = 1; }'],
    ['bytes without a type', Buffer.from('no message'), undefined],
  ])('%s has no tags and lengths, and no words on them', async (_, plain, type) => {
    const path = write('plain.gz', gzipSync(plain));
    const schema = type === undefined ? [] : ['-s', write('m.proto', `syntax = "proto3"; ${type}`), '-t', 'M'];
    const { code, out } = await run(['bits', path, ...schema]);
    expect([code, out]).toEqual([0, expect.stringMatching(/^field +plain bytes +share +rank +paid bytes/m)]);
    expect(out).toMatch(/^total .*\n$/m);
    expect(out).not.toMatch(/lengths are|size prefix|unattributed/);
  });

  test('a stream of nothing has the container alone, and says that no type is known', async () => {
    const schema = write('m.proto', 'syntax = "proto3"; message M { string title = 1; }');
    const { code, out } = await run(['bits', write('nothing.gz', gzipSync('')), '-s', schema]);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/: Without a type\. gzip, 0 plain bytes in 20 bytes\.\n\ncontainer /),
    ]);
  });

  test('as Markdown', async () => {
    const { out } = await run(['bits', STREAM, ...SCHEMAS, '--markdown']);
    expect(out).toContain('| field | plain bytes | share |');
    expect(out).toContain('| --- | --: |');
  });

  test.each([
    ['what is not compressed', ['package.json'], /is not compressed in a way that is known/],
    ['another format', ['fixtures/bits/remote-write.zlib-6.zz', '--format', 'zstd'], /cannot be read as zstd.*byte/],
    ['an unknown format', ['fixtures/bits/remote-write.zlib-6.zz', '--format', 'zip'], /No format zip/],
    [
      'a type that is not in the bundled schemas',
      ['fixtures/bits/remote-write.zlib-6.zz', '--type', 'X'],
      /No message type X in the bundled schemas/,
    ],
  ])('%s is refused', async (_name, [path, ...more], message) => {
    const { code, err } = await run(['bits', file(path!), ...more]);
    expect(code).toBe(1);
    expect(err).toMatch(message);
  });
});

test('Brotli has totals only', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'wirecost-')), 'a.br');
  const plain = readFileSync(file('fixtures/bits/truth.json'));
  writeFileSync(path, brotliCompressSync(plain));
  const { out } = await run(['bits', path, '--json']);
  const { compressedBytes } = JSON.parse(out) as Json;
  expect(JSON.parse(out)).toMatchObject({ format: 'brotli', plainBytes: plain.length, fields: [] });
  expect(JSON.parse(out)).toHaveProperty('container', { not_attributed: 8 * compressedBytes });
  expect((await run(['bits', path])).out).toContain('not known by field');
  writeFileSync(path, readFileSync(path).subarray(0, 100));
  expect((await run(['bits', path])).err).toContain('the Brotli stream does not end (byte 100)');
});

describe('a compressed file is read as its contents', () => {
  const plain = inflateRawSync(readFileSync(file('fixtures/bits/remote-write.deflate-1.deflate')));
  const folder = mkdtempSync(join(tmpdir(), 'wirecost-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const written = (name: string, bytes: Uint8Array): string => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };

  test.each([
    ['zstd', () => STREAM],
    ['lz4-frame', () => file('fixtures/bits/remote-write.lz4-frame.lz4')],
    ['snappy-framed', () => file('fixtures/bits/remote-write.go-snappy-framed.sz')],
    ['gzip', () => file('fixtures/bits/remote-write.fflate-gzip.gz')],
    ['brotli', () => written('a.br', brotliCompressSync(plain))],
    ['gzip', () => written('a.txt', Buffer.from(gzipSync(plain).toString('base64')))],
  ])('%s', async (codec, path) => {
    const { out } = await run(['analyze', path(), ...SCHEMAS, '--json']);
    const { inputs, types } = JSON.parse(out);
    expect(inputs[0]).toMatchObject({ bytes: 14338, compression: codec });
    expect(types[0].bytes.protobuf).toBe(14338);
  });

  test('a damaged body is refused with the fault and its position', async () => {
    const cut = written('cut.zst', readFileSync(STREAM).subarray(0, 1000));
    const { code, err } = await run(['analyze', cut, ...SCHEMAS, '--json']);
    expect(code).toBe(1);
    expect(err).toMatch(/error compression\/truncated, byte 0: .*ends within a block[\s\S]*no message is read from it/);
  });
});

describe('a capture', () => {
  test('gives a line for each compressed body', async () => {
    const { code, out } = await run(['bits', file('fixtures/capture/vitess-gzip.pcapng')]);
    expect(code).toBe(0);
    const [, , ...lines] = out.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/(request|response) query\.\w+ +gzip +[\d,]+ bytes/);
  });

  test.each([
    [[STREAM, '--message', '3'], '--message is for captures; the whole table is given of one stream'],
    [[STREAM, '--method', 'x'], '--method is for captures; payloads have no methods'],
    [[STREAM, '--compressor', 'zstd'], '--compressor is for --saved; other bits are those of the input'],
    [[STREAM, '--saved', 'all', '--message', '3'], '--saved is of all messages; it takes no --message'],
    [[STREAM, '--saved', 'all', '--format', 'gzip'], '--saved takes no --format; --compressor names the format'],
  ])('%j is refused', async (args, words) => {
    const { code, err } = await run(['bits', ...args]);
    expect([code, err]).toEqual([1, expect.stringContaining(words)]);
  });

  test('bodies of nothing have no field that pays most', async () => {
    const { out } = await run(['bits', file('fixtures/capture/opensearch-deflate.pcap')]);
    expect(out).toMatch(/ 0 bytes .* 100 %$/m);
  });

  test.each([
    [['opensearch-deflate.pcap', '--message', '999'], /deflate\.pcap: message 999 is in no compressed body\n$/],
    [['opensearch-deflate.pcap', '--method', 'nope'], /holds no compressed body of the selected messages\n$/],
    [['opensearch-plain.pcap'], /holds no compressed body\n$/],
    [['websocket-takeover.pcapng'], /holds no compressed body whose bits are read, but message-deflate\n$/],
  ])('%j: why there is no line', async ([name, ...options], words) => {
    const { code, err } = await run(['bits', file(`fixtures/capture/${name}`), ...options]);
    expect([code, err]).toEqual([1, expect.stringMatching(words)]);
  });

  test.each([
    ['vitess-gzip.pcapng', 'gzip'],
    ['remote-write-1-and-2.pcapng', 'snappy'],
    ['otlp-http-gzip.pcapng', 'gzip'],
    ['opensearch-deflate.pcap', 'dfl'],
  ])('%s as JSON: an object a line, and each adds up', async (name, format) => {
    const { out } = await run(['bits', file(`fixtures/capture/${name}`), '--json']);
    const bodies = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
    expect(bodies.length).toBeGreaterThan(0);
    for (const body of bodies) {
      expect(body.format).toBe(format);
      for (const sum of sums(body)) expect(sum).toBeCloseTo(body.compressedBytes * 8, 6);
    }
  });

  test('gives one complete body', async () => {
    const { out } = await run(['bits', file('fixtures/capture/opensearch-deflate.pcap'), '--json']);
    const bodies = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { ordinal: number; type: string | null });
    const typed = bodies.find(({ type }) => type?.includes('FetchSearchResult'))!;
    const args = ['bits', file('fixtures/capture/opensearch-deflate.pcap'), '--message', String(typed.ordinal)];
    expect((await run(args)).out).toMatch(/hits\.hits\.source[\s\S]*lengths are .* after DEFLATE\n$/);
  });
});

test('compressed JSON: its type is chosen on evidence, and bits are listed by field name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wirecost-'));
  const path = join(folder, 'events.ndjson.gz');
  writeFileSync(path, gzipSync(readFileSync(file('fixtures/input/apm-events.ndjson'))));
  const { code, out, err } = await run(['bits', path, '--schema', file('schemas/elastic'), '--json']);
  rmSync(folder, { recursive: true });
  expect(code, err).toBe(0);
  const { container, fields, compressedBytes } = JSON.parse(out);
  const paid = fields.map(({ tag, length, value }: Record<string, number>) => tag! + length! + value!);
  const all = [...paid, ...(Object.values(container) as number[])].reduce((sum, bits) => sum + bits, 0);
  expect(all).toBeCloseTo(8 * compressedBytes, 6);
  expect(fields.map(({ path: of }: { path: string }) => of)).toEqual(expect.arrayContaining(['timestamp', 'trace.id']));
});

test('saved if removed: measured with its noise range, by a named compressor', async () => {
  const args = ['bits', file('public/samples/prometheus-remote-write-1.binpb'), '--schema', file('schemas/prometheus')];
  const of = [...args, '--type', 'prometheus.WriteRequest', '--saved'];
  const { code, out } = await run([...of, 'timeseries.samples.value', '--json']);
  expect(code).toBe(0);
  const saved = JSON.parse(out);
  const { fields } = JSON.parse((await run([...of, 'all', '--json'])).out);
  expect(fields.find(({ path }: { path: string }) => path === saved.path)).toEqual({
    ...{ path: saved.path, bytes: saved.bytes, low: saved.low, high: saved.high, isMeasurable: true },
  });
  expect((await run([...of, 'all'])).out).toMatch(
    /^timeseries +[\d,]+ .*\n[\s\S]*\nprometheus\.WriteRequest: each field .* 1 message, and it is compressed again\. Savings do not add up\.\nzstd level 3/m,
  );
  expect(saved).toMatchObject({ path: 'timeseries.samples.value', compressor: { id: 'zstd' }, isMeasurable: true });
  expect([saved.low > 2000, saved.low <= saved.bytes, saved.bytes <= saved.high]).toEqual([true, true, true]);
  expect((await run([...of, 'timeseries.no_such'])).err).toContain('has no field timeseries.no_such');
});

test('saved if removed, and advice, without a chosen compressor: by that of the file, as it says', async () => {
  const plain = readFileSync(file('public/samples/prometheus-remote-write-1.binpb'));
  const input = [
    write('rw.binpb.gz', gzipSync(plain)),
    '-s',
    file('schemas/prometheus'),
    '-t',
    'prometheus.WriteRequest',
  ];
  const saved = ['bits', ...input, '--saved', 'metadata'];
  const { out, err } = await run([...saved, '--json']);
  expect(err).toBe('');
  expect(JSON.parse(out)).toMatchObject({ compressor: { id: 'gzip' }, capturedWith: { gzip: plain.length } });
  expect((await run(saved)).out).toMatch(/after gzip level 6[\s\S]*\nCaptured with gzip\.\n$/);
  const chosen = JSON.parse((await run([...saved, '--compressor', 'zstd', '--json'])).out);
  expect(chosen).toMatchObject({ compressor: { id: 'zstd' }, capturedWith: { gzip: plain.length } });
  expect((await run(['matrix', ...input])).out).toMatch(
    /^prometheus\.WriteRequest: 1 message\. Captured with gzip\. ×/,
  );
  expect((await run(['advise', ...input])).out).toMatch(/\d by gzip.*\nCaptured with gzip\.\n/);
  const report = write('report', '');
  rmSync(report);
  expect(await run(['report', ...input, '--compressed', '--out', report])).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(`${report}/profile.wirecost.json`, 'utf8')).data).toMatchObject({
    ...{ matrix: { by: 'gzip', sizes: { capturedWith: { gzip: plain.length } } } },
    bits: { by: { label: 'gzip level 6' } },
  });
});

test('saved if removed of captured JSON: it is written in JSON, with and without the field', async () => {
  const schema = write('named.proto', 'syntax = "proto3"; message M { string a_long_name = 1; int32 n = 2; }');
  const input = write('one.json', '{"aLongName":"a","n":12345}');
  const args = ['bits', input, '-s', schema, '-t', 'M', '--compressor', 'snappy', '--saved', 'a_long_name'];
  const { code, out, err } = await run([...args, '--json']);
  expect(code, err).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ encoding: 'json', bytes: '"aLongName":"a",'.length });
  expect((await run(args)).out).toContain('1 message, written in JSON, after snappy');
  const among = await run([...args.slice(0, 1), write('m.binpb', Buffer.from([10, 1, 97])), ...args.slice(1)]);
  expect(among.err).toContain('messages of M that were captured in another format are left out');
  // A field that does not occur saves nothing, and has no row.
  const half = write('half.json', '{"aLongName":"a"}');
  const all = ['bits', half, '-s', schema, '-t', 'M', '--saved', 'all', '--json'];
  expect(JSON.parse((await run(all)).out)).toMatchObject({ fields: [{ path: 'a_long_name' }] });
});

test('saved if removed of native messages: they are written in protobuf, which the sentence names', async () => {
  const type = ['-t', 'org.opensearch.proto.search.FetchSearchResultProto'];
  const args = ['bits', file('fixtures/capture/opensearch-plain.pcap'), ...type, '--saved', 'hits.hits.id'];
  const { code, out, err } = await run([...args, '--json']);
  expect(code, err).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ encoding: 'protobuf', messages: 1, outOf: 1 });
  expect((await run(args)).out).toContain('1 message, written in protobuf, after zstd level 3');
});
