import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { sumCells } from '#engine/cost/profile.ts';
import type { ProfileJson } from '#engine/cost/profile-json.ts';
import { keepingFiles } from './kept-files.testing.ts';
import { numbers } from './made-messages.testing.ts';
import { run, runPrinting } from './run.ts';

/** Relative, so that the goldens contain no absolute folders. */
const INPUT = join(relative('', join(import.meta.dirname, '../../fixtures/input')));
const golden = (name: string): string => join(import.meta.dirname, '../../fixtures/input/golden', name);
const at = (name: string): string => join(INPUT, name);
const RW1 = ['--schema', at('prometheus-rw1.fds.binpb')];
const RW2 = ['--schema', at('prometheus-rw2.fds.binpb')];

const { folder, write } = keepingFiles();

const ledgers = ({ types }: { types: readonly ProfileJson[] }) =>
  types[0]!.fields
    .filter((field) => field.occurrences > 0)
    .map(({ path, number, occurrences, protobuf: p }) => [path, number, occurrences, p.tag, p.length, p.value]);

const json = async (...args: readonly string[]) => {
  const { code, out, err } = await run([...args, '--json']);
  expect(code, err).toBe(0);
  return JSON.parse(out);
};

describe('goldens of the printed text', () => {
  test.each([
    [
      'analyze-remote-write-2.txt',
      [
        'analyze',
        at('codecfixture.rw2.binpb'),
        ...RW2,
        '--type',
        'io.prometheus.write.v2.Request',
        '--native',
        'opensearch',
      ],
    ],
    [
      'analyze-remote-write-2-alone.txt',
      ['analyze', at('codecfixture.rw2.binpb'), ...RW2, '--type', 'io.prometheus.write.v2.Request'],
    ],
    ['analyze-without-schema.txt', ['analyze', at('apm-metricsets.delim.binpb'), '--by-number']],
    [
      'analyze-compressed.txt',
      ['analyze', at('codecfixture.rw1.binpb'), ...RW1, '--type', 'prometheus.WriteRequest', '--compressed'],
    ],
    [
      'annotate-remote-write-1.txt',
      ['annotate', at('codecfixture.rw1.binpb'), ...RW1, '--type', 'prometheus.WriteRequest'],
    ],
    ['annotate-without-schema.txt', ['annotate', at('apm-metricsets.delim.binpb'), '--message', '3', '--by-number']],
  ])('%s', async (name, args) => {
    const { code, out, err } = await run(args);
    expect([code, err]).toEqual([0, '']);
    await expect(out).toMatchFileSnapshot(golden(name));
  });
});

describe('annotate --json', () => {
  type Row = Readonly<Record<string, unknown>> & { readonly bytes: Readonly<Record<string, number>> };
  const proto = write('annotated.proto', 'syntax = "proto3"; message M { string name = 1; repeated int32 n = 2; }');
  const sum = (rows: readonly Row[]): number =>
    rows.flatMap(({ bytes }) => Object.values(bytes)).reduce((all, bytes) => all + bytes, 0);

  test('rows of protobuf, whose own bytes sum to the message, with findings', async () => {
    const input = write('annotated.bin', Uint8Array.of(10, 2, 97, 98, 18, 2, 5, 6, 24, 7, 10, 9));
    const read = await json('annotate', input, '-s', proto, '-t', 'M', '--framing', 'single');
    const { rows, diagnostics, ...head } = read;
    expect(head).toEqual({ version: 1, input, message: 0, bytes: 12, encoding: 'protobuf', type: 'M', next: null });
    expect(sum(rows)).toBe(12);
    expect(rows.slice(1, 4)).toEqual([
      {
        ...{ row: 1, parent: 0, field: 'name', number: 1, wireType: 'LEN', start: 0, payloadStart: 2, end: 4 },
        ...{ bytes: { tag: 1, length: 1, value: 2 }, flags: [], value: '"ab"' },
      },
      expect.objectContaining({ field: 'n', number: 2, flags: ['packed'] }),
      expect.objectContaining({ field: null, number: 3, wireType: 'VARINT', flags: ['unknown'], value: '7' }),
    ]);
    expect(diagnostics).toMatchObject([
      { severity: 'info', offset: 8, end: 9, input: 0, ordinal: 0 },
      { severity: 'error', code: 'wire/length-past-end', offset: 11, end: 12, input: 0 },
    ]);
    const part = await json('annotate', input, '-s', proto, '-t', 'M', '--framing', 'single', '--rows', '2');
    expect([part.rows, part.next]).toEqual([rows.slice(0, 2), 4]);
    const rest = await json('annotate', input, '-s', proto, '-t', 'M', '--framing', 'single', '--from', '4');
    expect(rest.rows).toEqual(rows.slice(2));
  });

  test('rows of JSON are its tokens', async () => {
    const input = write('annotated.json', '{"name":"ab","more":[1]}');
    const { rows, encoding, type } = await json('annotate', input, '-s', proto, '-t', 'M');
    expect([encoding, type, sum(rows)]).toEqual(['json', 'M', 24]);
    expect(rows.filter(({ field }: Row) => field !== null)).toMatchObject([
      { field: 'name', number: 1, flags: [] },
      { field: 'more', number: null, flags: ['unknown'] },
    ]);
  });

  test('rows of a native message, and of its header', async () => {
    const capture = fileURLToPath(new URL('../../public/samples/opensearch-search.pcap', import.meta.url));
    const { rows, bytes, ...read } = await json('annotate', capture);
    expect([read.encoding, sum(rows)]).toEqual(['native', bytes]);
    expect(read).toMatchObject({
      header: { encoding: 'native', type: expect.stringMatching(/Header$/) },
      contents: [],
    });
  });
});

describe('hostile messages', () => {
  const proto = write('hostile.proto', 'syntax = "proto3"; message M { int32 a = 1; repeated M list = 2; }');
  const typed = ['--schema', proto, '--type', 'M'];

  test('a message with many rows is printed in parts, and each part names the next', async () => {
    const input = write(
      'many.bin',
      Uint8Array.from({ length: 60_000 }, (_, at) => (at % 2 === 0 ? 0x12 : 0)),
    );
    const first = await run(['annotate', input, ...typed, '--framing', 'single']);
    expect(first.out.split('\n').filter((line) => line.includes(' list LEN'))).toHaveLength(9999);
    expect(first.out).toContain('… and 20,001 rows more: --from 19998, or --rows 30001 for all');
    const next = await run(['annotate', input, ...typed, '--framing', 'single', '--from', '59996']);
    expect(next.out.split('\n').slice(-4)).toEqual([
      expect.stringMatching(/offset/),
      expect.stringMatching(/^ *59996/),
      expect.stringMatching(/^ *59998/),
      '',
    ]);
  });

  test('unread bytes under a type have their line in the report', async () => {
    const { code, out } = await run(['analyze', write('cut.bin', Uint8Array.of(8, 1, 0x12, 200, 1, 1)), ...typed]);
    expect(code).toBe(0);
    expect(out).toMatch(/\nunattributed +1\n/);
  });
});

test('messages are compared with a native encoding if it is asked for, or captured', async () => {
  const capture = (name: string) => fileURLToPath(new URL(`../../fixtures/capture/${name}`, import.meta.url));
  const grpc = capture('vitess-gzip.pcapng');
  const [alone, asked] = [await run(['analyze', grpc]), await run(['analyze', grpc, '--native', 'opensearch'])];
  expect([alone.code, asked.code]).toEqual([0, 0]);
  expect(alone.out).not.toMatch(/native/i);
  expect(asked.out).toMatch(/native/i);
  expect((await run(['analyze', capture('opensearch-deflate.pcap')])).out).toMatch(/native/i);
});

describe('JSON', () => {
  test('figures sum to the bytes on both sides', async () => {
    const report = await json(
      'analyze',
      at('codecfixture.rw2.binpb'),
      ...RW2,
      '--type',
      'Request',
      '--native',
      'opensearch',
    );
    const [profile] = report.types as [ProfileJson];
    const protobuf = profile.fields.reduce((sum, { protobuf: p }) => sum + sumCells(p), 0);
    const native = profile.fields.reduce((sum, { native: n }) => sum + sumCells(n), 0);
    expect(report.version).toBe(2);
    expect(protobuf + profile.unattributed).toBe(profile.bytes.protobuf);
    expect(profile.bytes.protobuf).toBe(761);
    expect(native).toBe(profile.bytes.native);
  });

  test('a faulty message is reported with its offset, and its readable part is shown', async () => {
    const schema = write(
      'm.proto',
      'syntax = "proto3"; message M { string a = 1; B b = 2; map<string, int32> c = 3; } message B { string a = 1; }',
    );
    // a: "x", b: {a: "y"}, c: {"k": 5}, unknown 9, then a further a of 32 bytes, of which one is there
    const input = write('m.hex', '0a0178 12030a0179 1a050a016b1005 4807 0a2061');
    const report = await json('analyze', input, '--schema', schema, '--type', 'M', '--framing', 'single');
    expect(ledgers(report)).toEqual([
      ['a', 1, 2, 2, 2, 1],
      ['b', 2, 1, 1, 1, 0],
      ['b.a', 1, 1, 1, 1, 1],
      ['c', 3, 1, 1, 1, 0],
      ['c.key', 1, 1, 1, 1, 1],
      ['c.value', 2, 1, 1, 0, 1],
      ['?9', 9, 1, 1, 0, 1],
    ]);
    expect(report.types[0]).toMatchObject({ unattributed: 1, bytes: { protobuf: 20 } });
    expect(report.inputs[0]).toMatchObject({
      size: 44,
      bytes: 20,
      textEncoding: { id: 'hex' },
      dress: { id: 'hex' },
      framing: { id: 'single' },
    });
    const fault = report.diagnostics.find(({ severity }: { severity: string }) => severity === 'error');
    expect(fault).toMatchObject({ code: 'wire/length-past-end', offset: 18, space: 'message', input: 0, ordinal: 0 });
  });

  test('the profile of two inputs is the merge of both profiles', async () => {
    const args = [...RW1, '--type', 'prometheus.WriteRequest'];
    const one = await json('analyze', at('codecfixture.rw1.binpb'), ...args);
    const two = await json('analyze', at('codecfixture.rw1.binpb'), at('codecfixture.rw1.binpb'), ...args);
    expect(two.inputs).toHaveLength(2);
    expect(ledgers(two)).toEqual(
      ledgers(one).map(([path, number, ...counts]) => [path, number, ...counts.map((n) => 2 * Number(n))]),
    );
  });

  test('without a schema, fields are listed by number', async () => {
    const report = await json('analyze', write('plain.bin', Uint8Array.of(8, 150, 1)));
    expect(report.types[0]).toMatchObject({ type: '', nativeProfile: null, bytes: { protobuf: 3, native: 0 } });
    expect(ledgers(report)).toEqual([['?1', 1, 1, 1, 0, 2]]);
  });

  test('the native profile is chosen', async () => {
    const args = ['analyze', at('codecfixture.rw2.binpb'), ...RW2, '--type', 'Request', '--native'];
    const [usual, tuned] = [await json(...args, 'opensearch'), await json(...args, 'opensearch-tuned')];
    expect(tuned.types[0].nativeProfile).toBe('opensearch-tuned');
    expect(tuned.types[0].bytes.native).toBeLessThan(usual.types[0].bytes.native);
    expect(ledgers(tuned)).toEqual(ledgers(usual));
  });
});

describe('the type', () => {
  test.each([
    ['analyze', ['analyze', at('codecfixture.rw1.binpb')]],
    ['annotate', ['annotate', at('codecfixture.rw1.binpb')]],
    ['bits', ['bits', 'fixtures/bits/remote-write.zlib-6.zz']],
  ])('is found by its name in the bundled schemas: %s', async (_, args) => {
    const { code, out, err } = await run([...args, '--type', 'prometheus.TimeSeries']);
    expect([code, out.includes('prometheus.TimeSeries')], err).toEqual([0, true]);
    expect(err).toContain('read with the bundled schemas; --schema gives others');
  });

  test('is chosen if one type explains the messages best, and the choice is printed', async () => {
    const { code, err } = await run(['analyze', at('codecfixture.rw2.binpb'), ...RW2]);
    expect(code).toBe(0);
    expect(err).toContain('read as io.prometheus.write.v2.Request (a field for every byte)');
  });

  test('is bundled if no type of the schema fits: the note names it', async () => {
    const other = write('other.proto', 'syntax = "proto3"; message Order { string id = 1; int64 cents = 3; }');
    const { code, err } = await run(['analyze', at('codecfixture.rw2.binpb'), '--schema', other]);
    expect(code).toBe(0);
    expect(err).toMatch(
      /read as io\.prometheus\.write\.v2\.Request \(.*; bundled, because no type of the schema fits as well\)/,
    );
    const { err: json } = await run(['analyze', at('otlp-traces-json.zstd.be32'), '--schema', other]);
    expect(json).toContain('; bundled, because no type of the schema fits as well)');
    const { err: alone } = await run(['analyze', at('codecfixture.rw2.binpb')]);
    expect(alone).not.toContain('bundled');
  });

  test('if two types fit equally, the one that no message contains is chosen', async () => {
    const { code, err } = await run(['analyze', at('codecfixture.rw1.binpb'), ...RW1]);
    expect(code).toBe(0);
    expect(err).toContain('read as prometheus.WriteRequest (a field for every byte; prometheus.QueryResult reads');
  });

  test('is not chosen if two types fit equally: fields are listed by number', async () => {
    const equal =
      'message A { string name = 1; repeated double d = 2; } message B { string name = 1; repeated double d = 2; }';
    const schema = write('equal.proto', `syntax = "proto3"; ${equal}`);
    const { code, out, err } = await run([
      'analyze',
      write('ab.hex', '0a03666f6f 12080000000000000840'),
      '--schema',
      schema,
    ]);
    expect([code, out.includes('Without a type, 1 message')]).toEqual([0, true]);
    expect(err).toContain(
      '2 types read 1 message equally well; fields are read by number, --type chooses a type (1 message compared):',
    );
    expect(err).toMatch(/ {2}A explains 100 %: a field for every byte\n {2}B explains/);
  });
});

test.each([
  ['analyze', write('numbers.bin', numbers(5000)), '--json'],
  [
    'messages',
    write(
      'messages.bin',
      new Uint8Array(9000).fill(0).map((_, at) => [2, 8, 1][at % 3]!),
    ),
    '--json',
  ],
  ['matrix', at('codecfixture.rw2.binpb'), ...RW2, '--json'],
])('a slow reader of %s gets each part after the part before it', async (...args) => {
  let parts = 0;
  let waiting = 0;
  let most = 0;
  const { code, err } = await runPrinting(args, async () => {
    parts++;
    most = Math.max(most, ++waiting);
    await new Promise(setImmediate);
    waiting--;
  });
  expect(code, err).toBe(0);
  expect(parts).toBeGreaterThan(1);
  expect(most).toBe(1);
});

test('--explain prints how an input is read, and why', async () => {
  const { code, out } = await run(['analyze', at('codecfixture.rw1.binpb'), ...RW1, '--explain']);
  expect(code).toBe(0);
  expect(out).toMatch(/one message[\s\S]*Read as prometheus.WriteRequest. The messages fit this type./);
  expect(out).toMatch(/Compared: [\d,]+ types on 1 message\.\nCandidates:\n {2}prometheus.WriteRequest explains 100/);
  const plan = JSON.parse(
    (await run(['analyze', at('codecfixture.rw1.binpb'), '--explain', '--json', '--by-number'])).out,
  );
  expect(plan).toMatchObject({ native: null, reading: { type: null, why: 'by number' } });
});

test.each([
  ['a payload', () => write('cut.varint', Uint8Array.of(2, 8, 1, 9, 8, 2)), ['--framing', 'varint'], '3 bytes of'],
  [
    'a capture',
    () => fileURLToPath(new URL('../../fixtures/capture/opensearch-cut-by-snaplen.pcapng', import.meta.url)),
    ['--schema', 'schemas/opensearch', '--schema', 'schemas/native'],
    'packets are cut',
  ],
])('a note beside figures names what is in no message: %s that is cut', async (_, input, options, words) => {
  const { code, err } = await run(['diff', input(), input(), ...options]);
  expect(code, err).toBe(0);
  expect(err.split('\n').filter((line) => line.includes(words))).toHaveLength(1);
});

test('diff compares two inputs by field and by cause', async () => {
  const args = ['diff', at('codecfixture.rw1.binpb'), at('codecfixture.rw2.binpb')];
  const { code, out } = await run(args);
  expect(code).toBe(0);
  expect(out).toContain(
    'prometheus.WriteRequest → io.prometheus.write.v2.Request. A 430 bytes in 1 message, B 761 bytes',
  );
  expect(out).toContain('+331 bytes');
  const { diffs } = JSON.parse((await run([...args, '--json'])).out);
  const [{ a, b, rows, causes }] = diffs;
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  expect(sum(causes.map(({ bytes }: { bytes: number }) => bytes))).toBe(b.bytes - a.bytes);
  expect(sum(rows.map(({ bytes }: { bytes: { a: number; b: number } }) => bytes.b - bytes.a))).toBe(b.bytes - a.bytes);
});

test('diff --compressor: size prefixes, which are compressed too, are counted in the text and in the JSON', async () => {
  const message = Buffer.of(10, 4, 97, 98, 99, 100);
  const schema = write('prefixed.proto', 'syntax = "proto3"; message M { string name = 1; }');
  const single = write('single.binpb', message);
  const prefixed = write('prefixed.delim.binpb', Buffer.concat(Array(3).fill(Buffer.of(6, ...message))));
  const args = ['diff', single, prefixed, '-s', schema, '-t', 'M', '--compressor', 'snappy,zstd'];
  expect((await json(...args)).diffs[0]).toMatchObject({
    ...{ a: { bytes: 6 }, b: { bytes: 18 } },
    compressed: { snappy: { framing: { a: 0, b: 3 } }, zstd: { framing: { a: 0, b: 3 } } },
  });
  const around = 'The messages are compressed with the bytes around them (0 bytes in A, 3 in B)';
  expect((await run(args)).out.replaceAll('\u00a0', ' ')).toContain(around);
  const alone = await run(['diff', single, single, ...args.slice(3), '--encodings', 'protobuf,msgpack-named']);
  expect(alone.out).toMatch(/zstd level 3: .*\n$/);
  expect(alone.out).not.toContain('around them');
});

test('diff --compressor: rows after each compressor sum to its bytes, in text, Markdown and JSON', async () => {
  const args = ['diff', at('codecfixture.rw1.binpb'), at('codecfixture.rw2.binpb'), '--compressor', 'snappy,zstd'];
  const { diffs } = JSON.parse((await run([...args, '--json'])).out);
  for (const id of ['snappy', 'zstd']) {
    const { a, b, rows } = diffs[0].compressed[id];
    const sum = (side: 'a' | 'b') =>
      rows.reduce(
        (all: number, { bytes }: { bytes: { a: number; b: number } | null }) => all + (bytes?.[side] ?? 0),
        0,
      );
    expect([sum('a'), sum('b')]).toEqual([expect.closeTo(a, 6), expect.closeTo(b, 6)]);
    expect(rows.at(-1)).toMatchObject({ a: null, b: null });
  }
  expect((await run(args)).out).toMatch(/^all +430 +761 +\+77\.0 % +\d/m);
  const short = (await run([...args, '--markdown', '--most', '2'])).out;
  expect(short).toMatch(/^\| field \| plain A \| .* zstd level 3 change \|\n(.*\n){4}\| \d+ others \|.*\n\nBytes;/);
  expect(await run([...args.slice(0, -1), 'zip'])).toMatchObject({ code: 1, err: expect.stringContaining('zip') });
});

test('diff --compressor brotli: totals alone, because Brotli’s bits are not known by field', async () => {
  const args = ['diff', at('codecfixture.rw1.binpb'), at('codecfixture.rw2.binpb'), '--compressor', 'brotli'];
  const { a, b, rows } = (await json(...args)).diffs[0].compressed.brotli;
  expect([a > 0 && b > 0, rows]).toEqual([true, []]);
  const { out } = await run([...args.slice(0, -1), 'brotli,snappy', '--markdown', '--most', '2']);
  const lines = out.split('\n').map((line) => line.split(' | ').slice(4, 10));
  expect(lines[2]!.map((cell) => cell !== '')).toEqual(Array(6).fill(true));
  expect(lines[3]).toEqual(['', '', '', ...Array(3).fill(expect.stringMatching(/\d\.\d/))]);
  expect(out).toContain('the bits that it pays. Brotli’s bits are not known by field, only its totals');
  expect((await run(args)).out).toMatch(/\nBytes\. Brotli’s bits/);
});

test.each([['--markdown'], ['--most', '2']])('diff %s without --compressor is refused', async (...options) => {
  const args = ['diff', at('codecfixture.rw1.binpb'), at('codecfixture.rw2.binpb'), ...options];
  expect(await run(args)).toMatchObject({ code: 1, out: '', err: expect.stringContaining('take --compressor') });
});

describe('schemas', () => {
  const main = 'syntax = "proto3"; package p; import "q/other.proto"; message M { q.N n = 1; }';
  const other = 'syntax = "proto3"; package q; message N { int32 i = 1; }';
  const input = () => write('n.bin', Uint8Array.of(10, 2, 8, 1));

  test.each([
    ['a folder', 'folder', ''],
    ['a file with its imports', 'file', 'p/main.proto'],
    ['a folder below the root of its imports', 'below', 'p'],
  ])('%s', async (_, root, path) => {
    write(`${root}/p/main.proto`, main);
    write(`${root}/q/other.proto`, other);
    const report = await json('analyze', input(), '--schema', join(folder, root, path), '--type', 'p.M');
    expect(ledgers(report)).toEqual([
      ['n', 1, 1, 1, 1, 0],
      ['n.i', 1, 1, 1, 0, 1],
    ]);
  });
});

describe('a key log beside a capture decrypts it, as --keys does', () => {
  const [capture, keys] = ['pcap', 'keys'].map((end) => at(`../tls/go-tls13-h2.${end}`)) as [string, string];
  const beside = mkdtempSync(join(folder, 'tls-'));
  copyFileSync(capture, join(beside, 'a.pcap'));
  copyFileSync(keys, join(beside, 'keys.txt'));
  const packedKeys = write('k.txt.gz', gzipSync(readFileSync(keys)));
  const packed = { 'a.pcap': new Uint8Array(readFileSync(capture)), 'keys.txt': new Uint8Array(readFileSync(keys)) };

  test.each([
    ['named with it', () => [capture, keys], /go-tls13-h2\.keys is a key log: TLS is read with its secrets/],
    ['in its folder', () => [beside], /keys\.txt is a key log: TLS is read with its secrets/],
    ['named with it, compressed', () => [capture, packedKeys], /k\.txt\.gz is a key log: TLS is read with its secrets/],
    ['given compressed', () => [capture, '--keys', packedKeys], /^(?!.*k\.txt)/s],
    ['in its archive', () => [write('a.zip', Buffer.from(zipSync(packed)))], /^(?!.*keys\.txt)/s],
  ])('%s', async (_, inputs, note) => {
    const { types } = await json('analyze', capture, '--keys', keys);
    const found = await run(['analyze', ...inputs(), '--json']);
    expect(JSON.parse(found.out).types).toEqual(types);
    expect(types).toHaveLength(2);
    expect(found.err).toMatch(note);
    // A hex view reads the message once more.
    const group = ['--method', '/write', '--direction', 'request'];
    const report = ['report', ...inputs(), ...group, '--bytes', '--out', mkdtempSync(join(folder, 'report-'))];
    expect(await run(report)).toMatchObject({ code: 0 });
  });

  test.each(['messages', 'annotate'])('in a folder of one capture, where %s takes one', async (command) => {
    const found = await run([command, beside]);
    expect(found.out).not.toBe('');
    expect({ ...found, err: '' }).toEqual({
      ...(await run([command, join(beside, 'a.pcap'), '--keys', keys])),
      err: '',
    });
  });

  test('the archive is named with it', async () => {
    const { out } = await run(['layers', write('a.zip', Buffer.from(zipSync(packed)))]);
    expect(out).toMatch(/a\.zip: [\d,]+ bytes, zip of a\.pcap with 1 key log, decoded/);
  });

  test('alone in an archive it is text', async () => {
    const { err } = await run(['analyze', write('k.zip', Buffer.from(zipSync({ k: packed['keys.txt'] })))]);
    expect(err).toContain('is text; it contains no message');
  });
});

describe('refusals', () => {
  const some = at('codecfixture.rw1.binpb');
  test.each([
    ['no command', [], 'usage: wirecost'],
    ['an unknown command', ['weigh'], 'Unknown command weigh\n'],
    ['a mistyped command', ['anaylse'], 'Unknown command anaylse. Is analyze meant?'],
    ['no input', ['analyze'], 'at least one INPUT'],
    ['two inputs to annotate', ['annotate', 'a', 'b'], 'takes one INPUT'],
    ['an unknown option', ['analyze', some, '--loud'], 'Unknown option --loud'],
    ['a mistyped option', ['analyze', some, '--shema', 'a.proto'], 'Unknown option --shema. Is --schema meant?'],
    ['an option without its value', ['annotate', some, '-t'], '--type takes a value\n'],
    ['a value that begins with a dash', ['annotate', some, '--rows', '-1'], 'given as --rows=VALUE\n'],
    ['a value of an option that has none', ['annotate', some, '--json=1'], '--json takes no value\n'],
    ['an option with one dash', ['analyze', some, '-x'], 'Unknown option -x\n'],
    ['a long option with one dash', ['analyze', some, '-type', 'M'], 'Unknown option -type. Is --type meant?'],
    [
      'a long option with one dash and a value',
      ['check', some, '-budget=b.json'],
      'option -budget. Is --budget meant?',
    ],
    ['a mistyped limit of advise', ['advise', some, '--limt', '3'], 'Unknown option --limt. Is --limit meant?'],
    ['an option of another command', ['annotate', some, '--waste'], 'Unknown option --waste'],
    ['an option without its value', ['analyze', some, '--type'], 'type'],
    [
      'a type that is not in the bundled schemas',
      ['analyze', some, '--type', 'acme.M'],
      'No message type acme.M in the bundled schemas; --schema gives others\n',
    ],
    [
      'a mistyped type',
      ['analyze', some, '--type', 'prometheus.WriteRequset'],
      'bundled schemas; --schema gives others. Is prometheus.WriteRequest meant?',
    ],
    [
      'a payload among a capture and its key log',
      ['analyze', some, 'fixtures/tls/go-tls13-h2.pcap', 'fixtures/tls/go-tls13-h2.keys'],
      'Captures and payloads are analysed apart; the captures are fixtures/tls/go-tls13-h2.pcap\n',
    ],
    ['a missing input', ['analyze', 'nowhere.bin'], 'No such file: nowhere.bin'],
    ['a missing input of the page', ['open', '--print', 'nowhere.bin'], 'No such file: nowhere.bin'],
    ['a folder without files', ['analyze', mkdtempSync(join(folder, 'none-'))], 'is a folder without files'],
    ['a missing document', ['figures', 'nowhere.md'], 'No such file: nowhere.md'],
    ['a missing budget', ['check', some, '--budget', 'nowhere.json'], 'No such file: nowhere.json'],
    [
      'a compressor of a check that writes no budget',
      ['check', some, '--budget', 'b.json', '--compressor', 'gzip'],
      '--compressor of check takes --write',
    ],
    ['the standard input twice', ['analyze', '-', '-'], '- is the standard input, which is read once'],
    ['the standard input as schema, too', ['analyze', '-', '-s', '-'], '- is the standard input, which is read once'],
    ['the standard input as list, too', ['map', '-', '--files', '-'], '- is the standard input, which is read once'],
    [
      'the standard input as budget, too',
      ['check', '-', '--budget', '-'],
      '- is the standard input, which is read once',
    ],
    ['a patch on the standard output', ['advise', some, '--apply', '1', '--patch', '-'], '--patch takes a path'],
    ['a report on the standard output', ['report', some, '--out', '-'], '--out takes a path'],
    ['a document that cannot be written', ['figures', '-', '--write'], '--write takes the path of a document'],
    ['a folder of messages for the page', ['open', 'public/samples'], 'messages are opened as files'],
    [
      'a budget in no folder',
      ['check', some, '--write', '--budget', 'nowhere/b.json'],
      'nowhere/b.json cannot be written: its folder does not exist',
    ],
    [
      'a budget for messages without a type',
      ['check', some, '--by-number', '--write', '--budget', join(folder, 'untyped.json')],
      'A budget is for a type, and none is known; --schema and --type name it',
    ],
    ['a report into a file', ['report', some, '--out', some], 'cannot be written: there is a file of that name'],
    [
      'a link of another scheme',
      ['report', some, '--out', folder, '--app', 'javascript:alert(1)'],
      'begins with https',
    ],
    ['a link without a scheme', ['report', some, '--out', folder, '--app', 'foo'], 'begins with https://'],
    ['a report into no folder', ['report', some, '--out', ''], '--out takes a path; it is empty'],
    [
      'a report into a folder that takes none',
      ['report', some, '--out', '/proc/none/report'],
      '/proc/none cannot be written: ',
    ],
    ['a budget of no name', ['check', some, '--write', '--budget', ''], '--budget takes a path; it is empty'],
    ['a missing schema', ['analyze', some, '--schema', 'nowhere.proto'], 'No such file: nowhere.proto'],
    ['an empty schema folder', ['analyze', some, '--schema', mkdtempSync(join(folder, 'empty-'))], 'No .proto file'],
    ['a file that is not a schema', ['analyze', some, '--schema', some], 'The schema has errors'],
    ['an unknown type', ['analyze', some, ...RW1, '--type', 'Wrong'], 'No message type Wrong in the schema: '],
    ['an unknown native profile', ['analyze', some, '--native', 'cobol'], 'there are opensearch'],
    ['an unknown framing', ['analyze', some, '--framing', 'picture'], 'There are single, grpc'],
    [
      'a framing that is not described right',
      ['analyze', some, '--framing', 'u8 mesage message'],
      'mesage is not a field',
    ],
    ['an unknown text encoding', ['analyze', some, '--text-encoding', 'evening'], 'there are binary, curl-trace'],
    ['a message beyond the last', ['annotate', some, '--message', '7'], 'holds 1 message'],
    ['a message that is not a number', ['annotate', some, '--message', 'x'], '--message takes a number'],
    ['an empty message', ['annotate', some, '--message', ''], '--message takes a number'],
    ['an empty from', ['annotate', some, '--from', ''], '--from takes a number'],
    ['an empty rows', ['annotate', some, '--rows', ''], '--rows takes a number'],
    ['an empty port', ['open', some, '--port', ''], '--port takes a number'],
  ])('%s', async (_, args, words) => {
    const { code, out, err } = await run(args);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(words);
  });

  test.each([
    ['annotate', 'INPUT'],
    ['messages', 'CAPTURE'],
  ])('a folder of two files, before they are read: %s', async (command, one) => {
    const two = mkdtempSync(join(folder, 'two-'));
    writeFileSync(join(two, 'a.binpb'), Buffer.of(8, 1));
    // Opened, a capture beside a payload is refused for another reason.
    copyFileSync(at('../capture/kafka.pcap'), join(two, 'b.pcap'));
    const { code, out, err } = await run([command, two]);
    expect([code, out, err]).toEqual([1, '', expect.stringContaining(`takes one ${one}; ${two} has 2 files`)]);
  });

  test('an empty file, with an option that the command takes', async () => {
    const empty = write('empty.bin', Buffer.of());
    for (const command of ['messages', 'annotate', 'analyze']) {
      const { err } = await run([command, empty]);
      expect(err).toContain('--framing single reads it as one message anyway.');
      expect(err.match(/one message/g)).toHaveLength(1);
      expect(await run([command, empty, '--framing', 'single'])).toMatchObject({ code: 0 });
    }
  });

  test('an unknown native profile: each known one is named once', async () => {
    const { err } = await run(['analyze', some, '--native', 'cobol']);
    const names = /there are (.*)/.exec(err)![1]!.split(', ');
    expect(names).toEqual([...new Set(names)]);
    expect(names).toEqual(expect.arrayContaining(['laid-out', 'avro', 'json']));
  });

  test.each([
    [['analyze'], 'wirecost analyze --help shows what it takes'],
    [['annotate', 'a', '--waste'], 'wirecost annotate --help shows what it takes'],
    [['weigh'], 'wirecost --help lists the commands'],
  ])('arguments that cannot be followed take two lines, the error first: %j', async (args, next) => {
    const lines = (await run(args)).err.split('\n');
    expect(lines).toEqual([expect.stringMatching(/^wirecost: /), next, '']);
  });

  test.each([
    ['nothing', '', 'is empty: it has 0 bytes. Save or capture it again.'],
    ['a log', '2026-11-22 10:31:07 INFO served\n'.repeat(9), 'is a text log; it contains no message. Open the capture'],
    [
      'JSON without objects',
      '[null, true, "xyz"]',
      'is JSON; it contains no message. Wirecost measures the bytes that are sent',
    ],
    [
      'gzip cut short',
      gzipSync(Buffer.alloc(9000, 'wirecost ')).subarray(0, 40),
      'is gzip; no message is read from it. Decompress it, and open what comes out. If it is damaged, save it again.',
    ],
    [
      'a picture',
      new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82]),
      'is a PNG picture; it contains no message.',
    ],
  ])('%s has no figures: the output names its kind and the next step', async (name, content, says) => {
    const input = write(`${name.replaceAll(' ', '-')}.bin`, content);
    for (const command of ['analyze', 'messages', 'annotate', 'matrix']) {
      const { code, out, err } = await run([command, input]);
      expect([code, out], command).toEqual([1, '']);
      expect(err, command).toContain(`${input} ${says}`);
    }
  });

  test('JSON that fits no type is shown by its own names, without a comparison', async () => {
    const { code, out } = await run(['analyze', write('a.json', '{"a": [1, 2], "x.y": null}')]);
    expect(code).toBe(0);
    expect(out).toContain('Without a type, 1 message. JSON 26 bytes, by its own names: no type fits it.');
    expect(out).toMatch(/^"x\.y" .* 13$/m);
    expect(out).not.toMatch(/protobuf|delta/);
  });

  test('JSON of a type is measured as captured, and protobuf is computed', async () => {
    const proto = 'syntax = "proto3"; message M { string long_name = 1; int64 count = 2; repeated M more = 3; }';
    const text = '{"longName":"a","count":"5","more":[{"long_name":"b"}]}\n{"longName": "c", "count": 1}\n';
    const [schema, input] = [write('m.proto', proto), write('m.ndjson', text)];
    const report = await json('analyze', input, '--schema', schema);
    const [profile] = report.types as [ProfileJson];
    expect(profile).toMatchObject({
      type: 'M',
      messages: 2,
      nativeProfile: 'captured-json',
      other: { label: 'JSON', isCaptured: true, isAlone: false },
      bytes: { protobuf: 15, native: 84 },
    });
    const { out, err } = await run(['analyze', input, '--schema', schema]);
    expect(out).toContain('Protobuf 15 bytes, JSON 84 as captured: protobuf saves 82.1 %');
    expect(err).toContain('2 messages read as M (a field for every name)');
    const other = write('other.json', '{"longName": "c", "other": 1}');
    const { out: told } = await run(['analyze', other, '--schema', schema, '--type', 'M']);
    expect(told).toContain('warning json/unknown-key, message 0, byte 18: M has no field "other".');
    const matrix = JSON.parse((await run(['matrix', input, '--schema', schema, '--json'])).out);
    expect(matrix.captured).toBe('captured-json');
    expect((await run(['annotate', input, '--schema', schema])).out).toMatch(/^ +1 +· +long_name$/m);
    expect((await run(['advise', input, '--schema', schema])).code).toBe(0);
  });

  test('any encoding takes the place of the native profile', async () => {
    const { out } = await run([
      'analyze',
      at('codecfixture.rw2.binpb'),
      ...RW2,
      '--type',
      'Request',
      '--native',
      'cbor-named',
    ]);
    expect(out).toContain('Protobuf 761 bytes, CBOR by name');
    const { code, err } = await run(['analyze', at('codecfixture.rw2.binpb'), ...RW2, '--native', 'yaml']);
    expect([code, err]).toEqual([1, expect.stringContaining('No native profile or encoding yaml')]);
  });

  test('many inputs are listed in part, and the others added up', async () => {
    for (let at = 10; at < 40; at++) write(`many/${at}.binpb`, Uint8Array.of(8, at));
    write('many/10.binpb', '');
    const lines = (await run(['analyze', join(folder, 'many')])).out.split('\n');
    expect(lines[0]).toMatch(/10\.binpb: 0 bytes, no message \(it is empty\)$/);
    expect(lines[19]).toMatch(/29\.binpb: 2 bytes, one message \(/);
    expect(lines[20]).toBe('and 10 inputs more: 20 bytes, 10 messages');
    expect(lines[21]).toBe('');
  });

  test('inputs without a message are named beside the figures of the others', async () => {
    const { code, out, err } = await run(['analyze', write('empty.bin', ''), at('codecfixture.rw1.binpb')]);
    expect(code).toBe(0);
    expect(out).toContain('prometheus.WriteRequest, 1 message.');
    expect(err).toContain('empty.bin is empty: it has 0 bytes.');
  });

  test('errors of a schema are reported with their position', async () => {
    const schema = write('broken.proto', 'syntax = "proto3";\nmessage M {\n  strin a = 1;\n}\n');
    const { code, err } = await run(['analyze', some, '--schema', schema, '--type', 'M']);
    expect(code).toBe(0);
    expect(err).toMatch(/^error schema\/\S+, broken\.proto:3:3: .*strin/m);
  });

  const half = () =>
    write(
      'half.proto',
      `syntax = "proto3";
       message Good { string name = 1; Sub sub = 2; }
       message Sub { int64 n = 1; }
       message Bad { Missing m = 1; }
       message Uses { Bad bad = 1; }`,
    );

  test('an error elsewhere in the schema is reported, and does not stop a type that it does not touch', async () => {
    const { code, out, err } = await run(['analyze', some, '--schema', half(), '--type', 'Good']);
    expect([code, out.includes('Good, 1 message')]).toEqual([0, true]);
    expect(err).toContain('error schema/unresolved-type, half.proto:4:');
    expect(out).not.toContain('schema/touched-type');
    expect(err).toContain('types that they touch are not detected, but --type can choose one');
  });

  test('types that an error touches are not compared with the messages, and are named', async () => {
    const { err } = await run(['analyze', some, '--schema', half()]);
    expect(err).toContain('2 types were not compared, because errors of your schema touch them: Bad and Uses.');
  });

  test('a type with an error at any depth is read if it is chosen, with one finding for all inputs', async () => {
    const { code, out } = await run(['analyze', some, some, '--schema', half(), '--type', 'Uses']);
    expect([code, out.includes('Uses, 2 messages')]).toEqual([0, true]);
    const found =
      'warning schema/touched-type, half.proto:4:22: An error of your schema touches Uses: its messages may';
    expect(out.split(found)).toHaveLength(2);
  });

  test.each([
    ['diff', (input: string) => ['diff', input, input]],
    ['report', (input: string) => ['report', input, '--out', join(folder, 'report')]],
    ['check', (input: string) => ['check', input, '--budget', join(folder, 'touched.json'), '--write']],
    ['matrix', (input: string) => ['matrix', input]],
    ['map', (input: string) => ['map', input]],
    ['advise', (input: string) => ['advise', input, '--waste']],
    ['bits', (input: string) => ['bits', `${input}.gz`]],
  ])('%s names a chosen type that an error touches, once', async (_, args) => {
    const input = write('uses.bin', Uint8Array.of(0x0a, 2, 8, 1));
    write('uses.bin.gz', gzipSync(Uint8Array.of(0x0a, 2, 8, 1)));
    const { code, err } = await run([...args(input), '--schema', half(), '--type', 'Uses']);
    expect([code, err.split('An error of your schema touches Uses').length]).toEqual([0, 2]);
  });

  test('--type chooses a bundled type beside a schema that does not have it', async () => {
    const chosen = ['--schema', half(), '--type', 'prometheus.WriteRequest'];
    const { code, out } = await run(['analyze', some, ...chosen]);
    expect([code, out.includes('prometheus.WriteRequest, 1 message')]).toEqual([0, true]);
    expect((await run(['annotate', some, ...chosen])).out).toContain('message 0, prometheus.WriteRequest');
  });
});

describe('inputs of different types', () => {
  const sample = (name: string): string => join(import.meta.dirname, '../../public/samples', name);
  const writes = sample('prometheus-remote-write-1.binpb');
  const traces = sample('otlp-traces.binpb');

  test.each([
    ['read by field numbers', [writes, traces]],
    ['that one outweighs', [...Array.from({ length: 20 }, () => writes), traces]],
  ])('%s are refused, with the type that each fits', async (_, inputs) => {
    const { code, out, err } = await run(['analyze', ...inputs]);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(`wirecost: prometheus.WriteRequest is the type of ${writes}`);
    const more = inputs.length === 2 ? '' : ', of which one in 2 was compared alone';
    expect(err).toContain(
      `wirecost: opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest is the type of ${traces}\nwirecost: The files are of different types${more}. Give those of one type, or read all as one with --type, or with --by-number\n`,
    );
  });

  test('files of an archive are, too', async () => {
    const [a, b] = [writes, traces].map((path) => new Uint8Array(readFileSync(path)));
    const { code, out, err } = await run(['analyze', write('both.zip', zipSync({ 'a.bin': a!, 'b.bin': b! }))]);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(
      'wirecost: prometheus.WriteRequest is the type of a.bin\nwirecost: opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest is the type of b.bin\nwirecost: The files are of different types. ',
    );
  });

  test.each([
    ['the same fields', 'optional string name = 1;'],
    ['all fields of the other', 'optional string name = 1; optional string node = 2;'],
  ])('types that envelopes of Kubernetes name are kept apart if one has %s', async (_, fields) => {
    const one = 'message Node { optional string name = 1; }';
    const schema = write(
      'core.proto',
      `syntax = "proto2"; package k8s.io.api.core.v1; ${one} message Pod { ${fields} }`,
    );
    const lengthPrefixed = (tag: number, bytes: string): string => String.fromCharCode(tag, bytes.length) + bytes;
    const [node, pod] = ['Node', 'Pod'].map((kind) => {
      const object =
        lengthPrefixed(10, kind) + (kind === 'Pod' && fields.includes('node') ? lengthPrefixed(18, 'b') : '');
      const envelope =
        lengthPrefixed(10, lengthPrefixed(10, 'v1') + lengthPrefixed(18, kind)) + lengthPrefixed(18, object);
      return write(`${kind}.k8s`, Buffer.from(`k8s\0${envelope}`, 'latin1'));
    });
    const { code, err } = await run(['analyze', node!, pod!, '--schema', schema]);
    expect(code).toBe(1);
    expect(err).toContain(
      `wirecost: k8s.io.api.core.v1.Node is the type of ${node}\nwirecost: k8s.io.api.core.v1.Pod is the type of ${pod}\n`,
    );
  });

  test.each([
    ['inputs of one type', [writes, writes]],
    ['inputs of a chosen type', [writes, traces, '--type', 'prometheus.WriteRequest']],
    ['inputs by number', [writes, traces, '--by-number']],
    ['an input without messages', [traces, write('empty.bin', new Uint8Array())]],
  ])('%s are not', async (_, args) => {
    const { code, err } = await run(['analyze', ...args]);
    expect([code, err]).toEqual([0, expect.not.stringContaining('different types')]);
  });
});

test.each([[['--help']], [['analyze', '--help']], [['annotate', '-h']]])('%j', async (args) => {
  const { code, out, err } = await run(args);
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('usage: wirecost');
});

describe('unknown facts and bytes', () => {
  test.each([
    [1, '1 field that costs nothing is left out.'],
    [2, '2 fields that cost nothing are left out.'],
  ])('%i absent fields are counted in words', async (count, words) => {
    const absent = Array.from({ length: count }, (_, at) => `int32 n${at} = ${at + 2};`).join(' ');
    const schema = write(`absent-${count}.proto`, `syntax = "proto3"; message M { string name = 1; ${absent} }`);
    const input = write('name.binpb', Uint8Array.of(10, 2, 97, 98));
    expect((await run(['analyze', input, '-s', schema, '-t', 'M'])).out).toContain(words);
  });

  test('JSON that fits no type has no bytes of protobuf in tables and files of a report', async () => {
    const input = write('orders.json', '{"orders":[{"id":1},{"id":2,"note":"n"}]}');
    expect(await run(['report', input, '--out', join(folder, 'alone')])).toMatchObject({ code: 0 });
    const file = (name: string): string => readFileSync(join(folder, 'alone', name), 'utf8');
    expect(file('report.md')).toMatch(/^\| field \(self, in bytes\) \| present \| value .* \| JSON \|$/m);
    expect(file('report.md')).toMatch(/^\| \*\*all\*\* \|.*\| \*\*41\*\* \|$/m);
    expect(file('fields.csv')).not.toContain('protobuf');
    const { profiles } = JSON.parse(file('speedscope.json'));
    expect(profiles).toMatchObject([{ name: 'JSON, orders.json', endValue: 41 }]);
  });

  test('fields of JSON without a schema have no number, count or presence', async () => {
    const { out } = await run(['analyze', write('orders.json', '{"orders":[{"id":1},{"id":2,"note":"n"}]}')]);
    const row = (name: string) => out.split('\n').find((line) => line.trim().startsWith(`${name} `))!;
    expect(row('note')).toMatch(/^ +note {20,}/);
    expect(row('note')).not.toContain('%');
  });

  test.each([
    ['protobuf', [], 'protobuf saves 69.2 %, 9 bytes.', /Not in protobuf +−20$/m],
    [
      'another encoding',
      ['--native', 'msgpack-named'],
      'JSON costs +44.4 %, +4 bytes.',
      /No place in the other encoding +\+20$/m,
    ],
  ])('what no field of the type holds of captured JSON is not a saving of %s', async (_, native, verdict, cause) => {
    const schema = write('named.proto', 'syntax = "proto3"; message M { string name = 1; }');
    const input = write('more.json', '{"name":"ab","more":{"text":"c"}}');
    const { out } = await run(['analyze', input, '-s', schema, '-t', 'M', ...native]);
    expect(out).toContain(`Without the 20\u00a0bytes that only JSON has: ${verdict}`);
    expect(out).toContain('20 of 33 bytes are in no field of M, so no other encoding has them.');
    expect(out).toMatch(cause);
  });

  test.each([
    ['names', '{"name":"ab","other":"cde"}', 14, 1],
    ['a value that its field cannot hold', '{"name":"ab","n":"cdefgh"}', 6, 1],
    ['text after the message', '{"name":"ab"} }cdef', 5, 2],
    ['several of them', '{"name":"ab","other":"cde","n":"fgh"}\n{"name":"ab","other":"cde","n":"fgh"}', 34, 2],
  ])('%s of a captured text that no field has are left out of the verdict', async (_, text, bytes, messages) => {
    const schema = write('part.proto', 'syntax = "proto3"; message M { string name = 1; int32 n = 2; }');
    const { out } = await run(['analyze', write('part.json', text), '-s', schema, '-t', 'M', '--framing', 'json']);
    expect(out).toContain(`${messages} message`);
    expect(out).toContain(`Without the ${bytes}\u00a0bytes that only JSON has: protobuf saves`);
    expect(out).toMatch(new RegExp(`^${bytes} of \\d+ bytes are in no field of M`, 'm'));
  });

  test.each(['msgpack-array', 'flatbuffers', 'capnp', 'avro'])(
    'an extension that %s has no place for is not a saving of it',
    async (native) => {
      const schema = write(
        'more.proto',
        `syntax = "proto2"; message M { optional int32 n = 1; extensions 100 to 199; }
         message S { optional string t = 1; } extend M { optional S more = 100; }`,
      );
      const input = write('more.bin', Uint8Array.of(8, 1, 0xa2, 6, 4, 10, 2, 97, 98));
      const { out } = await run(['analyze', input, '-s', schema, '-t', 'M', '--native', native]);
      expect(out).toMatch(/Without the 7\sbytes that only protobuf has: (protobuf saves|both cost the same)/);
      expect(out).toMatch(/No place in the other encoding +\+7$/m);
    },
  );

  test('a type that was forced upon other messages is contradicted at the top', async () => {
    const { out } = await run(['analyze', at('codecfixture.rw2.binpb'), ...RW1, '--type', 'prometheus.WriteRequest']);
    expect(out.split('\n').slice(0, 6).join('\n')).toMatch(
      /\d of [\d,]+ bytes are in no field of prometheus\.WriteRequest\./,
    );
    const right = await run([
      'analyze',
      at('codecfixture.rw2.binpb'),
      ...RW2,
      '--type',
      'io.prometheus.write.v2.Request',
    ]);
    expect(right.out).not.toContain('are in no field');
  });
});

test('the result may be that no byte belongs to a field; the code is 0', async () => {
  const noise = join(folder, 'noise.bin');
  writeFileSync(noise, Buffer.alloc(40, 0xff));
  const { code, out } = await run([
    'analyze',
    noise,
    ...RW1,
    '--type',
    'prometheus.WriteRequest',
    '--framing',
    'single',
  ]);
  expect([code, out]).toEqual([
    0,
    expect.stringContaining('40 of 40 bytes are in no field of prometheus.WriteRequest'),
  ]);
});
