/** `advise` and `compare`, as a user calls them. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepingFiles } from './kept-files.testing.ts';
import { run } from './run.ts';

const SAMPLE = join(import.meta.dirname, '../../public/samples/opensearch-search-hits.binpb');
const SCHEMA = join(import.meta.dirname, '../../schemas');
const TYPE = 'org.opensearch.proto.search.SearchHitsProto';
const HIT = 'org.opensearch.proto.search.SearchHitProto';
const ASKED = [SAMPLE, '-s', SCHEMA, '-t', TYPE, '--compressor', 'snappy'];

const { write } = keepingFiles();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'advise-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Row {
  readonly id: number;
  readonly changes: readonly { readonly change: string; readonly field: string; readonly to: string }[];
  readonly saved: { readonly bytes: number; readonly compressed: Readonly<Record<string, number>> };
  readonly compatibility: { readonly binary: string; readonly json: string };
  readonly patch: string;
}

const rowsOf = async (...args: readonly string[]): Promise<readonly Row[]> => {
  const { code, out, err } = await run(['advise', ...ASKED, '--json', ...args]);
  expect([code, err]).toEqual([0, '']);
  return (JSON.parse(out) as { advice: readonly Row[] }).advice;
};

describe('wirecost advise', () => {
  it('finds that sint64 saves 180 bytes of ten hits, and never reuses old numbers', async () => {
    const rows = await rowsOf();
    const row = rows.find(({ changes }) => changes.length === 2 && changes.every(({ to }) => to === 'sint64'))!;
    expect(row.changes.map(({ field }) => field)).toEqual(['version', 'seq_no']);
    expect(row.saved).toEqual({ bytes: 180, compressed: { snappy: 11 } });
    expect(row.compatibility).toMatchObject({ binary: 'unsafe', json: 'safe' });
    expect(row.patch).toContain('+  reserved 2, 3;');
    expect(row.patch).toContain('+  sint64 version = 17 [(wirecost.native.write) = LONG];');
  });

  it('prints the saving of a change per day, and with another compressor', async () => {
    const { out } = await run(['advise', ...ASKED, '--rate', '1000', '--json']);
    const { before, advice } = JSON.parse(out) as {
      readonly before: { readonly compressed: { readonly snappy: number } };
      readonly advice: readonly (Row & { readonly savedADay: Row['saved'] })[];
    };
    const row = advice.find(({ changes }) => changes[0]?.change === 'compressor' && changes[0].to === 'zstd')!;
    expect(row.saved).toEqual({ bytes: 0, compressed: { snappy: before.compressed.snappy - 1695 } });
    expect(row.savedADay.compressed['snappy']).toBe(row.saved.compressed['snappy']! * 86_400_000);
    expect(row.compatibility).toMatchObject({ binary: 'conditional', json: 'safe' });
    const { out: text } = await run(['advise', ...ASKED, '--rate', '1000', '--apply', '1']);
    expect(text).toMatch(/a day +binary, JSON, source/);
  });

  it('reads a capture under TLS with its keys', async () => {
    const at = (name: string): string => join(import.meta.dirname, '../../fixtures/tls', name);
    const schema = write('echo.proto', 'syntax = "proto3"; message Echo { bytes body = 1; int32 n = 2; }');
    const asked = [
      'advise',
      at('go-tls13-h2.pcap'),
      '--schema',
      schema,
      '--type',
      'Echo',
      '--compressor',
      'snappy',
      '--waste',
    ];
    expect((await run(asked)).err).toContain('--keys on the command line');
    expect((await run([...asked, '--keys', at('go-tls13-h2.keys')])).out).toContain('Echo: nothing');
  });

  it('measures the changes listed in a file, and reports why one cannot be applied', async () => {
    const path = join(folder, 'changes.json');
    const change = { change: 'type', message: HIT, field: 'version', from: 'int64', to: 'sint64' };
    await writeFile(path, JSON.stringify([change]));
    const [row] = await rowsOf('--changes', path, '--out', folder);
    expect(row?.saved.bytes).toBe(90);
    expect((await readFile(join(folder, 'after.binpb'))).length).toBe(9191 - 90);
    await writeFile(path, JSON.stringify([{ ...change, to: 'uint32' }]));
    const { code, err } = await run(['advise', ...ASKED, '--changes', path]);
    expect([code, err]).toEqual([1, `wirecost: ${HIT}.version has a value that uint32 cannot hold\n`]);
  });

  it('calls no size of computed messages captured', async () => {
    const schema = write('negative.proto', 'syntax = "proto3"; message M { int32 n = 1; }');
    const asked = [
      'advise',
      write('m.ndjson', '{"n": -1}\n{"n": -2}\n'),
      '-s',
      schema,
      '-t',
      'M',
      '--compressor',
      'snappy',
    ];
    const { computed, captured } = JSON.parse((await run([...asked, '--json'])).out) as {
      readonly computed: number;
      readonly captured: { readonly bytes: number };
    };
    expect([computed, captured.bytes]).toEqual([2, 2 * 12]);
    expect((await run([...asked, '--waste'])).out).toContain('M: 24 bytes, of which the writer wastes 0\n');
  });

  it('names the rows that do not go together', async () => {
    const schema = write('m.proto', 'syntax = "proto3"; message M { int64 n = 1; string s = 2; }');
    // n = −2^55, which takes ten bytes, nine as sint64 and eight as sfixed64.
    const message = Buffer.from([8, ...Array<number>(7).fill(0x80), 0xc0, 0xff, 1, 18, 1, 97]);
    const asked = ['advise', write('m.binpb', message), '-s', schema, '-t', 'M', '--compressor', 'snappy'];
    const { advice } = JSON.parse((await run([...asked, '--json'])).out) as { readonly advice: readonly Row[] };
    const ids = ['sint64', 'sfixed64'].map((to) => advice.find(({ changes }) => changes[0]?.to === to)!.id);
    const { code, err } = await run([...asked, '--apply', ids.join()]);
    expect([code, err]).toEqual([
      1,
      `wirecost: Rows ${ids.join(', ')} do not go together: M.n is sfixed64, not int64\n`,
    ]);
  });

  it('writes the changed messages of a file as the file delimits them', async () => {
    const message = await readFile(SAMPLE);
    const front = Buffer.alloc(4);
    front.writeUInt32BE(message.length);
    const path = write('two.be32', Buffer.concat([front, message, front, message]));
    const changes = write(
      'sint64.json',
      `[{"change":"type","message":"${HIT}","field":"version","from":"int64","to":"sint64"}]`,
    );
    const { code, err } = await run(['advise', path, ...ASKED.slice(1), '--changes', changes, '--out', folder]);
    expect(code, err).toBe(0);
    const after = await readFile(join(folder, 'after.binpb'));
    expect([after.length, after.readUInt32BE(0)]).toEqual([2 * (4 + 9191 - 90), 9191 - 90]);
  });

  it('joins the messages of several files, and measures compressed files one by one', async () => {
    const message = await readFile(SAMPLE);
    const asked = ['-s', SCHEMA, '-t', TYPE, '--compressor', 'zstd', '--json'];
    const measured = async (...inputs: readonly string[]) => {
      const { code, out, err } = await run(['advise', ...inputs, ...asked]);
      expect(code, err).toBe(0);
      const { messages, pieces, captured } = JSON.parse(out) as {
        readonly messages: number;
        readonly pieces: number;
        readonly captured: Row['saved'];
      };
      return { messages, pieces, bytes: captured.bytes, zstd: captured.compressed['zstd']! };
    };
    const plain = ['a.binpb', 'b.binpb'].map((name) => write(name, message));
    const packed = ['a.binpb.gz', 'b.binpb.gz'].map((name) => write(name, gzipSync(message)));
    const [one, joined, apart] = [await measured(SAMPLE), await measured(...plain), await measured(...packed)];
    expect(joined).toMatchObject({ messages: 2, pieces: 1, bytes: 2 * one.bytes });
    expect(joined.zstd).toBeLessThan(1.1 * one.zstd);
    expect(apart).toEqual({ messages: 2, pieces: 2, bytes: 2 * one.bytes, zstd: 2 * one.zstd });
    expect(await measured(...plain, ...packed)).toMatchObject({ messages: 4, pieces: 3 });
    const changes = write('packed.json', '[{"change":"compressor","from":"zstd","to":"gzip"}]');
    const { out } = await run(['advise', ...plain, ...asked.slice(0, -1), '--changes', changes, '--out', folder]);
    expect(out).toContain(' by zstd, 2 messages joined and compressed at once\n');
    // A size in front of each, without which both would be read as one.
    expect((await readFile(join(folder, 'after.binpb'))).length).toBe(2 * (one.bytes + 2));
  });

  it('prints the changes that bring a message below a limit', async () => {
    const { code, out } = await run(['advise', ...ASKED, '--limit', '9000', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ limit: 9000, largest: 9191, changes: { largest: 8971 } });
    const last = await run(['advise', ...ASKED, '--limit', '8KiB', '--limit=20 KB', '--json']);
    expect([last.err, JSON.parse(last.out).limit]).toEqual([expect.not.stringContaining('Unknown'), 20_000]);
  });

  it('prints the records per message, with a dictionary if there are enough messages', async () => {
    const { code, out } = await run(['advise', ...ASKED, '--apply', '1']);
    expect([code, out.includes('1 message has')]).toEqual([0, false]);
    const { out: all } = await run(['advise', ...ASKED]);
    expect(all).toMatch(/1 message has 10 of hits\. Each[\s\S]*\nhits a message +messages +bytes each +snappy each\n/);
  });

  it('lists the rows that it applies together, and names their number in the table', async () => {
    const { out: all } = await run(['advise', ...ASKED]);
    const titles = [1, 2].map((id) => new RegExp(`^ *${id}  (.*?) {2,}`, 'm').exec(all)![1]!);
    const { out } = await run(['advise', ...ASKED, '--apply', '1,2']);
    expect(out.startsWith(`Together:\n   1  ${titles[0]}\n   2  ${titles[1]}\n\n`)).toBe(true);
    expect(out).toMatch(/^1 {2}2 changes together {2}/m);
    const { out: json } = await run(['advise', ...ASKED, '--apply', '1,2', '--json']);
    expect(JSON.parse(json).advice[0].title).toBe(titles.join('; '));
  });

  it('prints the cost of waste', async () => {
    const { out } = await run(['advise', ...ASKED, '--waste', '--json']);
    const { captured, kinds, writer } = JSON.parse(out);
    expect([captured.bytes, writer.bytes]).toEqual([9191, 0]);
    expect(kinds).toMatchObject([{ kind: 'negatives in ten bytes', saved: { bytes: 180 } }]);
  });

  it('judges the largest message as captured', async () => {
    const text = '0a0e6162636465666768696a6b6c6d6e';
    const padded = write('padded.binpb', Buffer.from(`108580808000${text}`, 'hex'));
    const schema = write('few.proto', 'syntax = "proto3"; message M { string name = 1; int32 n = 2; }');
    const limited = (limit: string, ...more: readonly string[]) =>
      run(['advise', padded, '-s', schema, '-t', 'M', '--limit', limit, ...more]);
    const { out } = await limited('20', '--json');
    expect(JSON.parse(out)).toMatchObject({ largest: 22, rewritten: 18, changes: { ids: [], largest: 18 } });
    expect((await limited('20')).out).toBe(
      'The largest message takes 22 bytes; the limit is 20.\nAs captured. Written anew without waste, in the order of the field numbers, the largest takes 18\u00a0bytes.\n',
    );
  });

  it('concludes that a message is within a limit already', async () => {
    const { out } = await run(['advise', ...ASKED, '--limit', '1MB']);
    expect(out).toMatch(
      /^The largest message takes 9,191 bytes; the limit is 1,000,000\.\nIt is within the limit already\.$/m,
    );
  });

  it('refuses a limit that is not a size', async () => {
    const { code, err } = await run(['advise', ...ASKED, '--limit', 'much']);
    expect([code, err.includes('--limit takes a size')]).toEqual([1, true]);
  });
});

describe('wirecost compare', () => {
  it('exits with 1 if wire compatibility breaks, and prints the cost of messages in both versions', async () => {
    const [before, after] = [join(folder, 'before.proto'), join(folder, 'after.proto')];
    const proto = (type: string) => `syntax = "proto3"; package p; message M { ${type} a = 1; string b = 2; }`;
    await writeFile(before, proto('int64'));
    await writeFile(after, proto('sint64'));
    const message = join(folder, 'message.binpb');
    await writeFile(message, Buffer.from(`08${'ff'.repeat(9)}01120178`, 'hex'));
    const args = ['compare', before, after, message, '-t', 'p.M', '--framing', 'single'];
    const { code, out } = await run(args);
    expect(code).toBe(1);
    expect(out).toContain('p.M, 1 message: 14 bytes before, 5 after (−9)');
    await writeFile(after, proto('sint64').replace('string b', 'bool b'));
    expect((await run(args)).out.replaceAll('\u00a0', ' ')).toContain(
      '14 bytes before, 2 after (−9, apart from 3 bytes of lost values)',
    );
    expect((await run(['compare', before, before])).code).toBe(0);
  });

  it('lists first what breaks messages, and counts the types by the kind of change', async () => {
    const before = write('order-1.proto', 'syntax = "proto3"; message A {} message Z { int32 z = 1; } message Gone {}');
    const text = 'syntax = "proto3"; message A {} message New {} message Z { string z = 1; }';
    const { out } = await run(['compare', before, write('order-2.proto', text)]);
    expect(out.split('\n').filter((line) => /^\S+ +\S+ +\S+ +message /.test(line))).toEqual([
      'unsafe       unsafe       unsafe       message Z changed',
      'conditional  conditional  unsafe       message Gone removed',
      'safe         safe         safe         message New added',
    ]);
    expect(out).toContain('JSON: In JSON int32 and string are written differently.');
    expect(out).toMatch(/\nTypes: 1 changed, 1 added, 1 removed, 1 as before\. Messages unsafe: binary unsafe/);
  });

  it.each([
    ['of a package that moved, by its old name', 'two', 'one.M', 'one.M, 1 message: 2 bytes before, 2 after (0)', ''],
    ['of a package that moved, by its new name', 'two', 'two.M', 'one.M, 1 message: 2 bytes before, 2 after (0)', ''],
    ['that is new', 'one', 'one.New', 'message one.New added', 'The first version has no message one.New'],
    ['that is gone', 'one', 'one.Gone', 'message one.Gone removed', 'The second version has no message one.Gone'],
  ])('compares the schemas where messages are given of a type %s', async (_, pack, type, shown, note) => {
    const text = (name: string, rest: string) =>
      `syntax = "proto3"; package ${name}; message M { int32 a = 1; } ${rest}`;
    const versions = [
      write('moved-1.proto', text('one', 'message Gone { int32 a = 1; }')),
      write('moved-2.proto', text(pack, 'message New { int32 a = 1; }')),
    ];
    const message = write('moved.binpb', Buffer.of(8, 1));
    const { code, out, err } = await run(['compare', ...versions, message, '-t', type, '--framing', 'single']);
    expect(code).toBe(0);
    expect(out).toContain(shown);
    expect(err).toContain(note);
  });

  it('notes that a part of very many messages is measured', async () => {
    const schema = write('many.proto', 'syntax = "proto3"; package p; message M { int32 a = 1; }');
    const messages = write('many.binpb', Buffer.alloc(150_000 * 3, Buffer.of(2, 8, 1)));
    const { out, err } = await run(['compare', schema, schema, messages, '-t', 'p.M', '--framing', 'varint']);
    expect(out).toContain('p.M, 75,000 messages: ');
    expect(err).toContain('75,000 of 150,000 messages are measured');
  });

  it('pairs single files of any name with an import, and takes several paths a version', async () => {
    const put = async (name: string, text: string): Promise<string> => {
      const path = join(folder, name);
      await writeFile(path, `syntax = "proto3"; package i; ${text}`);
      return path;
    };
    await put('common.proto', 'message C { int32 c = 1; }');
    const text = 'import "common.proto"; message M { C c = 1; }';
    const [one, two] = [await put('one.proto', text), await put('two.proto', text)];
    const { code, out } = await run(['compare', one, two]);
    expect([code, out.includes('removed'), out.includes('It is called two.proto now')]).toEqual([0, false, true]);
    const other = await put('other.proto', 'message O { int32 o = 1; }');
    const gone = await run(['compare', '--before', one, '--before', other, '--schema', one]);
    expect(gone.out).toContain('message i.O removed');
    const message = join(folder, 'c.binpb');
    await writeFile(message, Buffer.from('0a020801', 'hex'));
    const measured = ['compare', '--before', one, '--schema', two, message, '-t', 'i.M', '--framing', 'single'];
    expect((await run(measured)).out).toContain('i.M, 1 message: 4 bytes before, 4 after (0)');
    expect((await run(['compare', '--before', one, message])).err).toContain('--before and --schema together');
  });

  it('fails where a version has errors, which hide what changed', async () => {
    const versions = ['Nope', 'Nada'].map((type, at) =>
      write(`hidden-${at}.proto`, `syntax = "proto3"; message M { int32 a = 1; ${type} b = ${at + 2}; }`),
    );
    const { code, out, err } = await run(['compare', ...versions]);
    expect(code).toBe(1);
    expect(out).toContain('1 as before');
    expect(err).toMatch(/errors of the first version\n.*"Nope".*\nwirecost: errors of the second version\n.*"Nada"/);
    expect(err).toContain('What the errors touch is not compared');
    expect(err).not.toContain('--type can choose one');
  });

  it('compares native options of single files whose import ships with the tool', async () => {
    const [before, after] = await Promise.all(
      ['VINT', 'INT'].map(async (writer, at) => {
        const path = join(folder, `native-${at}.proto`);
        const option = `(wirecost.native.write) = ${writer}`;
        const action = `option (wirecost.native.action) = "${writer}";`;
        const text = `syntax = "proto3"; package n; import "native/options.proto"; message A { int32 a = 1 [${option}]; } service S { rpc Do(A) returns (A) { ${action} } }`;
        await writeFile(path, text);
        return path;
      }),
    );
    const { code, out } = await run(['compare', before!, after!]);
    expect(code).toBe(1);
    expect(out).toContain('native bytes are misread');
    // A declaration that reads the same in both versions is printed once.
    expect(out).toContain('changed: int32 a = 1\n');
    expect(out).toContain('changed: rpc Do (n.A) returns (n.A)\n');
  });
});
