/** The output of the command line for documents, and its report when they are stale. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import MarkdownIt from 'markdown-it';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readFile } from '#permalink/file.ts';
import { decodeFragment } from '#permalink/fragment.ts';
import { withoutPacket } from '#testing/without-packet.ts';
import type { Budget } from './measure/budget.ts';
import { run } from './run.ts';

const root = relative('', join(import.meta.dirname, '../..'));
const HITS = [
  join(root, 'public/samples/opensearch-search-hits.binpb'),
  ...['--schema', join(root, 'schemas/opensearch'), '--schema', join(root, 'schemas/native')],
  ...['--type', 'org.opensearch.proto.search.SearchHitsProto', '--native', 'laid-out'],
];
const RW2 = [
  join(root, 'fixtures/input/codecfixture.rw2.binpb'),
  ...['--schema', join(root, 'fixtures/input/prometheus-rw2.fds.binpb')],
  ...['--type', 'io.prometheus.write.v2.Request'],
];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirecost-documents-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);
const read = (name: string): string => readFileSync(at(name), 'utf8');

describe('report', () => {
  test('a page, every figure in both themes, tables and profiles; the link carries the figures', async () => {
    const { code, err } = await run(['report', ...HITS, '--out', folder, '--app', 'https://wirecost.example/']);
    expect(code, err).toBe(0);
    expect(readdirSync(folder).sort()).toEqual([
      'break-even-dark.svg',
      'break-even.svg',
      'fields-dark.svg',
      'fields.csv',
      'fields.svg',
      'firefox-profile.json',
      'icicle-dark.svg',
      'icicle.svg',
      'profile.wirecost.json',
      'report.md',
      'speedscope.json',
      'waterfall-dark.svg',
      'waterfall.svg',
      'widths-dark.svg',
      'widths.svg',
    ]);
    expect(read('waterfall.svg')).toContain('protobuf costs +0.72');
    const page = read('report.md');
    const [, fragment] = /https:\/\/wirecost\.example\/#(w\d+-[\w-]+)\)/.exec(page)!;
    const opened = await decodeFragment(fragment!);
    expect(opened.ok && opened.value.data).toMatchObject({
      kind: 'profile',
      profile: { ledgers: { protobuf: { bytes: 9191 }, 'laid-out': { bytes: 9125 } } },
    });
    const file = readFile(read('profile.wirecost.json'));
    expect(file).toEqual(opened);
    const pictures = [...page.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, name]) => name);
    expect(readdirSync(folder).map((name) => `./${name}`)).toEqual(expect.arrayContaining(pictures));
  });

  test('a link of messages that name their fields shows that the names may be data', async () => {
    writeFileSync(at('m.json'), '{"users":{"a@b.example":1}}');
    expect(await run(['report', at('m.json'), '--out', at('report'), '--app', 'https://a.example/'])).toMatchObject({
      code: 0,
    });
    expect(read('report/report.md')).toMatch(
      /no payload; names of fields are those in the messages, and may be data\)/,
    );
  });

  test('the link has the bytes of the messages, plain and as they were captured, and not those of the file', async () => {
    const input = join(root, 'fixtures/capture/vitess-gzip.pcapng');
    const { code, err } = await run(['report', input, '--out', at('report')]);
    expect(code, err).toBe(0);
    const { source, data } = JSON.parse(read('report/profile.wirecost.json'));
    expect(source.size).toBe(data.profile.ledgers.protobuf.bytes);
    expect(source.captured).toBeLessThan(source.size);
  });

  test.each([
    ['action lines', ['{"index":{}}\n{"a":1}\n'], ['bulk', 14, 0]],
    ['action lines of one file, and texts of another', ['{"index":{}}\n{"a":1}\n', '{"a":2}\n{"a":3}\n'], null],
  ])('the bytes of a file beside its messages are in the shared figures: %s', async (_, texts, beside) => {
    const inputs = texts.map((_text, index) => at(`${index}.ndjson`));
    for (const [index, path] of inputs.entries()) writeFileSync(path, texts[index]!);
    const { code, err } = await run(['report', ...inputs, '--out', at('report')]);
    expect(code, err).toBe(0);
    const { source } = JSON.parse(read('report/profile.wirecost.json'));
    const expected = beside && { framing: beside[0], framingBytes: beside[1], unattributedBytes: beside[2] };
    expect(source.notes).toEqual(expected === null ? undefined : { beside: expected });
  });

  test('an error of the schema is noted beside the shared figures of its type', async () => {
    writeFileSync(at('half.proto'), 'syntax = "proto3"; message N { int32 a = 1; Missing m = 2; }');
    writeFileSync(at('n.bin'), Uint8Array.of(8, 1));
    const { code, err } = await run(['report', at('n.bin'), '-s', at('half.proto'), '-t', 'N', '--out', at('report')]);
    expect(code, err).toBe(0);
    expect(JSON.parse(read('report/profile.wirecost.json')).source.notes).toEqual({ isTouched: true });
  });

  test('the page of a report has the notes that change the meaning of its figures', async () => {
    writeFileSync(at('half.proto'), 'syntax = "proto3"; message N { int32 a = 1; Missing m = 2; }');
    writeFileSync(at('cut.varint'), Uint8Array.of(2, 8, 1, 9, 8, 2));
    const reading = ['-s', at('half.proto'), '-t', 'N', '--framing', 'varint'];
    const { code, err } = await run(['report', at('cut.varint'), ...reading, '--out', at('report')]);
    expect(code, err).toBe(0);
    const page = read('report/report.md').replaceAll('\\', '');
    for (const note of [
      /^- .*touches N: its messages may be read wrongly\.$/m,
      /^- 3 bytes of .*cut\.varint are in no message$/m,
    ])
      expect(page).toMatch(note);
  });

  test('figures of a capture with a gap name no connection of it', async () => {
    const capture = readFileSync(join(root, 'public/samples/opensearch-search.pcap'));
    writeFileSync(at('gap.pcap'), withoutPacket(Uint8Array.from(capture), 4));
    const { code, err } = await run(['report', at('gap.pcap'), '--out', at('report')]);
    expect(code, err).toBe(0);
    const file = read('report/profile.wirecost.json');
    expect(JSON.parse(file)).toMatchObject({ source: { losses: [{ missing: { gaps: 1, bytes: 25, flow: '' } }] } });
    expect(file).not.toContain('127.0.0.1');
  });

  test('nothing is compared that was not asked for', async () => {
    const { code, err } = await run([
      'report',
      ...RW2,
      '--out',
      folder,
      '--bytes',
      '--app',
      'https://wirecost.example/',
    ]);
    expect(code, err).toBe(0);
    const page = read('report.md');
    expect(page).not.toContain('native');
    expect(page).toMatch(/^1 request takes 761\sbytes\. [\d.]+\s% is tags and lengths\.$/m);
    expect(readdirSync(folder)).toContain('icicle.svg');
    expect(readdirSync(folder)).not.toContain('waterfall.svg');
    const [, fragment] = /https:\/\/wirecost\.example\/#(w\d+-[\w-]+)\)/.exec(page)!;
    const opened = await decodeFragment(fragment!);
    expect(opened.ok && opened.value.data).toMatchObject({ profile: { pair: ['protobuf', null] } });
  });

  test('the page and the link have the sizes after compression', async () => {
    const asked = ['report', ...HITS, '--out', folder, '--compressed', '--app', 'https://wirecost.example/'];
    const home = join(import.meta.dirname, '../..');
    const { scripts } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
    const [, ...words] = scripts.wirecost.split(' ');
    const command = [join(home, 'node_modules/tsx/dist/cli.mjs'), ...words, ...asked];
    const out = execFileSync(process.execPath, command, { cwd: home, encoding: 'utf8' });
    expect(out).toContain('report.md is the page');
    const page = read('report.md');
    expect(readdirSync(folder)).toContain('compressed.svg');
    const sides = JSON.parse(read('speedscope.json')).profiles.map(({ name }: { readonly name: string }) => name);
    expect(sides).toEqual(
      ['protobuf', 'native', 'after zstd level 3'].map((side) => `${side}, opensearch-search-hits.binpb`),
    );
    expect(page).toMatch(/After gzip level 6: protobuf [\d,]+\sbytes, native [\d,]+: /);
    expect(page).toContain('After zstd level 3: ');
    expect(page).not.toContain('..');
    const [, fragment] = /https:\/\/wirecost\.example\/#(w\d+-[\w-]+)\)/.exec(page)!;
    const opened = await decodeFragment(fragment!);
    expect(opened.ok && opened.value.data).toMatchObject({
      compressed: {
        codecs: [{ codec: 'gzip level 6' }, { codec: 'snappy' }, { codec: 'zstd level 3' }],
        protobuf: 9191,
      },
    });
  });

  test('with --bytes the page has two hex views of the requested field and message, and names their contents', async () => {
    const asked = ['--bytes', '--field', 'hits.seq_no', '--message', '0', '--app', 'https://wirecost.example/'];
    const { code, err } = await run(['report', ...HITS, '--out', folder, ...asked]);
    expect(code, err).toBe(0);
    expect(read('bytes.svg')).toMatch(/hits\.seq_no in message 0: 11.bytes as protobuf, 1 as native/);
    expect(read('break-even.svg')).toContain('hits.seq_no: bytes by presence');
    const page = read('report.md');
    expect(page).toMatch(
      /characters, 112\sbytes of message 0 as they are, around hits\.seq_no: 64 of protobuf, 48 of native\)/,
    );
    const [, fragment] = /https:\/\/wirecost\.example\/#(w\d+-[\w-]+)\)/.exec(page)!;
    const opened = await decodeFragment(fragment!);
    expect(opened.ok && opened.value.data).toMatchObject({ excerpt: { path: 'hits.seq_no', ordinal: 0 } });
  });

  test.each([
    ['a field that is not there', ['--field', 'hits.nope'], /has no field hits\.nope/],
    ['a message that is not there', ['--bytes', '--message', '7'], /no message 7 of type/],
    ['a message of which nothing is shown', ['--message', '0'], /^wirecost: --message chooses the bytes that --bytes/],
  ])('%s', async (_, asked, words) => {
    expect((await run(['report', ...HITS, '--out', folder, ...asked])).err).toMatch(words);
  });

  test('without --out it is refused', async () => {
    expect(await run(['report', ...HITS])).toMatchObject({ code: 1, err: expect.stringContaining('--out DIR') });
  });
});

test('the figures of docs/compression.md are as measured', async () => {
  const { code, out, err } = await run(['figures', join(root, 'docs/compression.md')]);
  expect({ code, err }, out).toEqual({ code: 0, err: '' });
});

describe('check', () => {
  const changed = (change: (budget: Budget) => void): void => {
    const budget = JSON.parse(read('budget.json'));
    change(budget);
    writeFileSync(at('budget.json'), JSON.stringify(budget));
  };

  beforeEach(async () => {
    const { code, err } = await run(['check', ...RW2, '--budget', at('budget.json'), '--write']);
    expect(code, err).toBe(0);
  });

  test('a budget that was just written is kept', async () => {
    const { code, out, err } = await run(['check', ...RW2, '--budget', at('budget.json')]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/within the budget/);
    changed((budget) => {
      budget.message = 1234.5;
    });
    expect((await run(['check', ...RW2, '--budget', at('budget.json')])).out).toMatch(
      /within the budget of 1,234\.5$/m,
    );
  });

  test('fields have any names, and a fault is placed by them', async () => {
    writeFileSync(
      at('m.proto'),
      'syntax = "proto3"; message M { int32 constructor = 1; int32 prototype = 2; int32 __proto__ = 3; }',
    );
    writeFileSync(at('m.binpb'), Uint8Array.of(8, 1, 16, 1, 24, 1));
    const read = [at('m.binpb'), '--schema', at('m.proto'), '--type', 'M', '--framing', 'single'];
    const check = ['check', ...read, '--budget', at('m.json')];
    expect(await run([...check, '--write'])).toMatchObject({ code: 0 });
    expect(await run(check)).toMatchObject({ code: 0, out: 'M: 6 bytes a message, within the budget of 6\n' });
    const text = readFileSync(at('m.json'), 'utf8');
    writeFileSync(at('m.json'), text.replace(/("__proto__".*)"tag": 1/, '$1"tag": -1'));
    expect((await run(check)).err).toMatch(
      /m\.json:\d+: fields\.__proto__\.tag: Invalid value.*\n.*m\.json is not a budget\n$/,
    );
  });

  test('a budget on compressed bytes, by a named compressor', async () => {
    const write = ['check', ...RW2, '--budget', at('budget.json'), '--write', '--compressor', 'zstd'];
    expect(await run(write)).toMatchObject({ code: 0 });
    expect(JSON.parse(read('budget.json')).compressed).toEqual({ compressor: 'zstd', message: expect.any(Number) });
    expect(await run(['check', ...RW2, '--budget', at('budget.json')])).toMatchObject({ code: 0 });
    changed((budget) => {
      budget.compressed!.message /= 2;
    });
    const { code, out } = await run(['check', ...RW2, '--budget', at('budget.json')]);
    expect([code, out]).toEqual([1, expect.stringMatching(/^after zstd +[\d,.]+ +[\d,.]+ +\+/m)]);
    expect(await run([...write.slice(0, -1), 'zip'])).toMatchObject({ code: 1, err: expect.stringContaining('zip') });
  });

  test('growth is reported with its reasons, which sum to it', async () => {
    changed((budget) => {
      budget.message -= 40;
      const samples = budget.fields['timeseries.samples.value']!;
      for (const part of ['occurrences', 'tag', 'length', 'value'] as const) samples[part] /= 2;
      budget.fields['timeseries.labels_refs']!.value -= 3;
      delete budget.fields['symbols'];
    });
    const { code, out, err } = await run(['check', ...RW2, '--budget', at('budget.json')]);
    expect(code).toBe(1);
    expect(err).toMatch(/costs more than its budget allows/);
    expect(out.split('\n').map((line) => line.split(/\s{2,}/)[0])).toEqual(
      expect.arrayContaining(['all', 'symbols', 'timeseries.labels_refs', 'timeseries.samples.value']),
    );
    expect(out).toMatch(/symbols .* new \(\+/);
    expect(out).toMatch(/samples\.value .* a message, was /);
    const figure = (text = ''): number => Number(text.replaceAll(',', ''));
    for (const line of out.split('\n').filter((row) => row.includes('('))) {
      const grown = figure(/\+([\d,.]+)/.exec(line)![1]);
      const reasons = [...line.matchAll(/\(([+−])([\d,.]+)\)/g)].map(
        ([, sign, n]) => (sign === '−' ? -1 : 1) * figure(n),
      );
      expect(reasons.reduce((sum, bytes) => sum + bytes, 0)).toBeCloseTo(grown, 2);
    }
  });

  test('a budget that is written again keeps its tolerance and its compressor', async () => {
    const write = ['check', ...RW2, '--budget', at('budget.json'), '--write'];
    expect(await run([...write, '--compressor', 'snappy'])).toMatchObject({ code: 0 });
    changed((budget) => {
      budget.tolerance = 0.25;
      budget.compressed!.message = 1;
    });
    expect(await run(write)).toMatchObject({ code: 0 });
    const { tolerance, compressed } = JSON.parse(read('budget.json')) as Budget;
    expect([tolerance, compressed]).toEqual([0.25, { compressor: 'snappy', message: expect.any(Number) }]);
    expect(compressed!.message).toBeGreaterThan(1);
  });

  test.each([
    [
      'a budget with a conflict',
      () => read('budget.json').replace('{', '<<<<<<< ours\n{'),
      /is not JSON.*replaces budgets alone/,
    ],
    ['other JSON', () => '{"name":"x"}', /is not a budget\. --write replaces budgets alone/],
    ['a schema', () => 'syntax = "proto3";', /is not JSON.*replaces budgets alone/],
    [
      'a budget for another type',
      () => read('budget.json').replace('write.v2.Request', 'write.v2.Other'),
      /is the budget for io\.prometheus\.write\.v2\.Other; measured was io\.prometheus\.write\.v2\.Request/,
    ],
  ])('--write keeps %s', async (_, text, words) => {
    const there = text();
    writeFileSync(at('budget.json'), there);
    const { code, err } = await run(['check', ...RW2, '--budget', at('budget.json'), '--write']);
    expect([code, err]).toEqual([1, expect.stringMatching(words)]);
    expect(read('budget.json')).toBe(there);
  });

  test('--write keeps an input, by any of its names, and fills an empty file', async () => {
    writeFileSync(at('m.proto'), 'syntax = "proto3"; message M {}');
    writeFileSync(at('m.binpb'), '');
    symlinkSync('m.binpb', at('link.json'));
    const empty = ['check', at('m.binpb'), '--schema', at('m.proto'), '--type', 'M', '--framing', 'single', '--write'];
    const { code, err } = await run([...empty, '--budget', at('link.json')]);
    expect([code, err]).toEqual([1, expect.stringContaining('link.json is read here, so it is not written over')]);
    expect(read('m.binpb')).toBe('');
    writeFileSync(at('new.json'), '\n');
    expect(await run([...empty, '--budget', at('new.json')])).toMatchObject({ code: 0 });
    expect(JSON.parse(read('new.json'))).toMatchObject({ type: 'M' });
  });

  test('where fields alone grew, the message is not said to cost more', async () => {
    changed((budget) => {
      delete budget.fields['symbols'];
    });
    const { err } = await run(['check', ...RW2, '--budget', at('budget.json')]);
    expect(err).toBe(
      'wirecost: 1 field of io.prometheus.write.v2.Request costs more than the budget allows; the message as a whole does not\n',
    );
  });

  test('reasons are free of the rounding of the budget', async () => {
    writeFileSync(at('m.proto'), 'syntax = "proto3"; message M { repeated bytes b = 1; }');
    /** Messages of 13 bytes a record, and one record of another size. */
    const check = (name: string, counts: readonly number[], last: readonly number[], ...options: string[]) => {
      const messages = counts.map((count) =>
        Array(count)
          .fill([10, 11, ...Array(11).fill(0)])
          .flat(),
      );
      messages.at(-1)!.push(...last);
      writeFileSync(at(name), Buffer.from(messages.flatMap((bytes) => [bytes.length, ...bytes])));
      const input = [at(name), '--schema', at('m.proto'), '--type', 'M', '--framing', 'varint'];
      return run(['check', ...input, '--budget', at('m.json'), ...options]);
    };
    expect(await check('before', [3, 3, 4], [], '--write')).toMatchObject({ code: 0 });
    const more = await check('more', [4, 3, 4], []);
    expect(more.out).toMatch(/^b +43\.333 +47\.667 +\+4\.334 +3\.67 a message, was 3\.33 \(\+4\.334\)$/m);
    expect(await check('small', [0, 0, 0], [10, 1, 0, 10, 3, 0, 0, 0], '--write')).toMatchObject({ code: 0 });
    expect((await check('smaller', [0, 0, 0], Array(3).fill([10, 1, 0]).flat())).out).toMatch(
      /1 a message, was 0\.67 \(\+1\.332\); value 1 byte each, was 2 \(−0\.999\)/,
    );
  });

  test('messages of the type in several formats are refused, because --type does not choose among them', async () => {
    writeFileSync(at('m.proto'), 'syntax = "proto3"; message M { string name = 1; }');
    writeFileSync(at('m.binpb'), Uint8Array.of(10, 2, 97, 98));
    writeFileSync(at('m.json'), '{"name":"ab"}');
    const options = ['--schema', at('m.proto'), '--type', 'M', '--budget', at('formats.json')];
    const both = ['check', at('m.binpb'), at('m.json'), ...options];
    const words = 'A budget is of one format; messages of M are here in protobuf, JSON: give the inputs of one';
    expect(await run([...both, '--write'])).toMatchObject({ code: 1, err: expect.stringContaining(words) });
    expect(await run(['check', at('m.json'), ...options, '--write'])).toMatchObject({ code: 0 });
    expect(await run(both)).toMatchObject({ code: 1, err: expect.stringContaining(words) });
  });

  test('messages of another type, or without one, are said to be it', async () => {
    const junk = join(root, 'package.json');
    const { code, err } = await run(['check', junk, '--framing', 'single', '--budget', at('budget.json')]);
    expect(code).toBe(1);
    expect(err).toMatch(/read by number[\s\S]*is the budget for .*; measured were messages without a type\n$/);
  });

  test('growth within the tolerance passes', async () => {
    changed((budget) => {
      budget.message *= 0.96;
      for (const field of Object.values(budget.fields)) field.value *= 0.96;
      budget.tolerance = 0.05;
    });
    expect(await run(['check', ...RW2, '--budget', at('budget.json')])).toMatchObject({ code: 0 });
  });

  test('every fault of a budget is reported with its line', async () => {
    const faulty = read('budget.json')
      .replace('"tolerance": 0.01', '"tolerance": -1')
      .replace(/("symbols": .*)"tag": [\d.]+/, '$1"tag": "none"')
      .replace('"fields"', '"more": 1,\n  "fields"');
    writeFileSync(at('budget.json'), faulty);
    const lineOf = (text: string): number => faulty.slice(0, faulty.indexOf(text)).split('\n').length;
    const { code, out, err } = await run(['check', ...RW2, '--budget', at('budget.json')]);
    const lines = err.trimEnd().replaceAll(`${folder}/`, '').split('\n');
    expect([code, out, lines.slice(0, -1)]).toEqual([
      1,
      '',
      [
        expect.stringContaining(`budget.json:${lineOf('"tolerance"')}: tolerance: Invalid value`),
        `wirecost: budget.json:${lineOf('"more"')}: more: a budget has no such key`,
        expect.stringContaining(`budget.json:${lineOf('"symbols"')}: fields.symbols.tag: Invalid type`),
      ],
    ]);
    expect(lines.at(-1)).toBe('wirecost: budget.json is not a budget');
  });

  test('several budgets are compared, also as JSON; one that is not kept or cannot be read does not hide the others', async () => {
    mkdirSync(at('budgets'));
    const kept = JSON.parse(read('budget.json'));
    const add = (name: string, budget: object) => writeFileSync(at(`budgets/${name}.json`), JSON.stringify(budget));
    add('a-kept', kept);
    add('b-grown', { ...kept, message: 700, fields: { ...kept.fields, symbols: undefined } });
    add('c-other', { ...kept, type: 'acme.Other' });
    add('d-faulty', { ...kept, version: 2 });
    const { code, out, err } = await run(['check', ...RW2, '--budget', at('budgets/*.json')]);
    expect([code, out.replaceAll(`${folder}/`, '')]).toEqual([
      1,
      expect.stringMatching(
        /^\S+Request: 761 bytes a message, within .*\nbudgets\/b-grown\.json, \S+Request:\n\nbytes a message/,
      ),
    ]);
    expect(err.replaceAll(`${folder}/`, '').trimEnd().split('\n')).toEqual([
      'wirecost: budgets/d-faulty.json:1: version: this wirecost reads version 1',
      'wirecost: budgets/d-faulty.json is not a budget',
      expect.stringMatching(/^wirecost: budgets\/c-other\.json is the budget for acme\.Other; measured were io\./),
      'wirecost: io.prometheus.write.v2.Request costs more than its budget allows',
    ]);
    const json = await run([
      'check',
      ...RW2,
      '--json',
      ...['a-kept', 'b-grown'].flatMap((name) => ['--budget', at(`budgets/${name}.json`)]),
    ]);
    const common = { type: kept.type, messages: 1 };
    expect([json.code, JSON.parse(json.out)]).toEqual([
      1,
      {
        version: 1,
        budgets: [
          {
            file: at('budgets/a-kept.json'),
            ...common,
            isKept: true,
            message: { budget: 761, measured: 761, isGrown: false },
            fields: [],
          },
          {
            ...{ file: at('budgets/b-grown.json'), ...common, isKept: false },
            message: { budget: 700, measured: 761, isGrown: true },
            fields: [
              {
                path: 'symbols',
                budget: 0,
                measured: expect.any(Number),
                reasons: [{ why: 'new', bytes: expect.any(Number) }],
              },
            ],
          },
        ],
      },
    ]);
    expect(await run(['check', ...RW2, '--json', '--write', '--budget', at('budget.json')])).toMatchObject({ code: 1 });
    expect((await run(['check', ...RW2, '--write', '--budget', 'a', '--budget', 'b'])).err).toContain(
      'takes one --budget',
    );
  });

  test.each([
    ['not JSON', '{', /budget\.json is not JSON, line 1: The text ends where a name in quotes should follow\.\n$/],
    ['another version', '{"version": 2}', /:1: version: this wirecost reads version 1/],
    ['a missing name', '{"version":1}', /:1: type: it is missing/],
    [
      'an unknown name',
      '{"version":1,"type":"","tolerance":0,"message":1,"fields":{},"more":1}',
      /:1: more: a budget has no such key/,
    ],
  ])('%s is refused', async (_, text, words) => {
    writeFileSync(at('budget.json'), text);
    const { code, err } = await run(['check', ...RW2, '--budget', at('budget.json')]);
    expect(code).toBe(1);
    expect(err).toMatch(words);
  });
});

describe('figures', () => {
  const away = (path: string): string => relative(folder, path);
  const words = (from = HITS): string => from.map((word) => (word.includes('/') ? away(word) : word)).join(' ');
  const document = (): string => `# Hits

<!-- wirecost waterfall ${words()} --out hits.svg -->
![hits](hits.svg)

<!-- wirecost table ${words()} -->
<!-- /wirecost -->

The end.
`;

  test('the figure “types” marks an encoding in which a message cannot be written', async () => {
    writeFileSync(at('m.proto'), 'syntax = "proto3"; message M { float f = 1; }');
    writeFileSync(at('nan.binpb'), Uint8Array.of(13, 0, 0, 192, 127));
    const input = 'nan.binpb --schema m.proto --type M --framing single';
    const mark = `<!-- wirecost types ${input} --encodings json,borsh --compressor gzip -->`;
    writeFileSync(at('types.md'), `${mark}\n<!-- /wirecost -->\n`);
    expect(await run(['figures', at('types.md'), '--write'])).toMatchObject({ code: 0 });
    const figures = '1 | 100 % | 5 | +120.0 % | refused | 25 | +24.0 % | refused';
    expect(read('types.md').match(/^\| (M|all) .*/gm)).toEqual([`| M | ${figures} |`, `| all | ${figures} |`]);
  });

  test.each([
    ['varint', [3, 0x0a, 1, 0x61, 2, 0x10, 5], 'The captured bytes include 2 bytes of framing.'],
    ['single', [0x0a, 3, 0x61, 0x62, 0x63, 0x10, 5], undefined],
  ])('the figure “types” names the framing in its bytes: %s', async (framing, bytes, words) => {
    writeFileSync(at('m.proto'), 'syntax = "proto3"; message M { string s = 1; uint32 f = 2; }');
    writeFileSync(at('m.bin'), Uint8Array.from(bytes));
    const mark = `<!-- wirecost types m.bin --framing ${framing} --schema m.proto --type M -->`;
    writeFileSync(at('types.md'), `${mark}\n<!-- /wirecost -->\n`);
    expect(await run(['figures', at('types.md'), '--write'])).toMatchObject({ code: 0 });
    expect(read('types.md')).toMatch(/^\| all \| \d \| 100 % \| 7 \|$/m);
    expect(/.*of framing.*/.exec(read('types.md'))?.[0]).toBe(words);
  });

  test('the figure “types” has a row for each message type of a capture, in other encodings, before and after compressors', async () => {
    const capture = away(join(root, 'fixtures/capture/opensearch-plain.pcap'));
    const options = '--encodings protobuf,json --compressor gzip --most 1';
    writeFileSync(at('types.md'), `<!-- wirecost types ${capture} ${options} -->\n<!-- /wirecost -->\n`);
    expect(await run(['figures', at('types.md'), '--write'])).toMatchObject({ code: 0 });
    const [head, , ...rows] = read('types.md')
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) => line.split('|').map((cell) => cell.trim()));
    expect(head!.slice(1, 8)).toEqual([
      ...['type', 'messages', 'share', 'plain: captured', 'plain: Protobuf', 'plain: JSON', 'gzip level 6: captured'],
    ]);
    expect(rows.map(([, type]) => type)).toEqual([
      'FetchSearchResultProto',
      expect.stringMatching(/^\d+ others$/),
      'all',
    ]);
    const count = (cell: string | undefined): number => Number(cell!.replaceAll(',', ''));
    for (const column of [2, 4, 7]) {
      expect(count(rows[0]![column]) + count(rows[1]![column])).toBe(count(rows[2]![column]));
    }
    // One type more than asked for is shown: the row of others would be its own.
    const others = Number.parseInt(rows[1]![1]!, 10);
    writeFileSync(at('types.md'), `<!-- wirecost types ${capture} --most ${others} -->\n<!-- /wirecost -->\n`);
    expect(await run(['figures', at('types.md'), '--write'])).toMatchObject({ code: 0 });
    expect(read('types.md')).not.toContain(' others ');
    writeFileSync(at('types.md'), `<!-- wirecost types ${capture} --encodings nope -->\n<!-- /wirecost -->\n`);
    expect(await run(['figures', at('types.md')])).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no encoding nope'),
    });
  });

  test.each([
    {
      name: 'protobuf in a capture',
      input: 'fixtures/capture/otlp-http-gzip.pcapng',
      shown: /\| ExportTraceServiceRequest \| 1 \|/,
    },
    {
      name: 'a payload',
      input: 'public/samples/prometheus-remote-write-1.binpb',
      shown: /\| WriteRequest \| 1 \| 100 % \| 71,690 \|/,
    },
    { name: 'no message has a type', input: 'package.json', shown: /types\.md:1: .*no message/i },
  ])('types: $name', async ({ input, shown }) => {
    writeFileSync(at('types.md'), `<!-- wirecost types ${away(join(root, input))} -->\n<!-- /wirecost -->\n`);
    const { err } = await run(['figures', at('types.md'), '--write']);
    expect(`${read('types.md')}${err}`).toMatch(shown);
  });

  test('a figure is missing, then written, then current, then stale', async () => {
    writeFileSync(at('doc.md'), document());
    const missing = await run(['figures', at('doc.md')]);
    expect(missing).toMatchObject({ code: 1 });
    expect(missing.out).toMatch(/doc\.md:3: .*hits\.svg is missing\n.*doc\.md:6: the table is stale\n/);

    expect(await run(['figures', at('doc.md'), '--write'])).toMatchObject({ code: 0 });
    expect(read('doc.md')).toMatch(/\| `hits\.version` \|.*\n[\s\S]*<!-- \/wirecost -->\n\nThe end\.\n$/);
    expect(await run(['figures', at('doc.md')])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/2 figures, all/),
    });

    // A different day does not make a figure stale; a different number does.
    writeFileSync(at('hits.svg'), read('hits.svg').replaceAll(/\d{4}-\d{2}-\d{2}/g, '2020-01-01'));
    expect(await run(['figures', at('doc.md')])).toMatchObject({ code: 0 });
    writeFileSync(at('hits.svg'), read('hits.svg').replaceAll('9,191', '9,190'));
    writeFileSync(at('doc.md'), read('doc.md').replace('| 100 %', '| 99.0 %'));
    expect((await run(['figures', at('doc.md')])).out).toMatch(/hits\.svg is stale/);
  });

  test('a table is written with the line ends of the document', async () => {
    writeFileSync(at('doc.md'), document().replaceAll('\n', '\r\n'));
    expect(await run(['figures', at('doc.md'), '--write'])).toMatchObject({ code: 0 });
    expect(read('doc.md')).toMatch(/\| `hits\.version` \|/);
    expect(read('doc.md').replaceAll('\r\n', '')).not.toContain('\n');
    expect(await run(['figures', at('doc.md')])).toMatchObject({ code: 0 });
  });

  test.each([
    ['a quotation', '> ', '> ', '<blockquote><table></table><p></p></blockquote>'],
    ['an item of a list', '- Text.\n\n  ', '  ', '<ul><li><p></p><table></table><p></p></li></ul>'],
    ['the first line of an item', '1. ', '   ', '<ol><li><table></table><p></p></li></ol>'],
    ['a quotation in a list', '- > ', '  > ', '<ul><li><blockquote><table></table><p></p></blockquote></li></ul>'],
    ['a paragraph, indented', 'Text\n    ', '', '<p></p><table></table><p></p>'],
  ])('a table is written within %s', async (_, first, next, shown) => {
    const lines = [
      `${first}<!-- wirecost table ${words()} -->`,
      `${next}<!-- /wirecost -->`,
      next.trimEnd(),
      `${next}After.`,
    ];
    writeFileSync(at('doc.md'), `${lines.join('\n')}\n`);
    expect(await run(['figures', at('doc.md'), '--write'])).toMatchObject({ code: 0 });
    const html = new MarkdownIt({ html: true }).render(read('doc.md'));
    expect(html.match(/<\/?(?:blockquote|ul|ol|li|table|p)>/g)?.join('')).toBe(shown);
    expect(read('doc.md')).not.toMatch(/[ \t]$/m);
    expect(await run(['figures', at('doc.md')])).toMatchObject({ code: 0 });
  });

  test('a document can have two hex views of a field', async () => {
    // The folder of the picture is made, too.
    writeFileSync(at('doc.md'), `<!-- wirecost bytes ${words()} --field hits.version --out hex/bytes.svg -->\n`);
    expect(await run(['figures', at('doc.md'), '--write'])).toMatchObject({ code: 0 });
    expect(read('hex/bytes.svg')).toMatch(/hits\.version in message 0: 11.bytes as protobuf/);
    expect(await run(['figures', at('doc.md')])).toMatchObject({ code: 0 });
  });

  test('the layers of a capture are of all its types, and a path may be absolute', async () => {
    const capture = join(import.meta.dirname, '../../public/samples/opensearch-search.pcap');
    writeFileSync(at('doc.md'), `<!-- wirecost layers "${capture}" --out layers.svg -->\n`);
    expect(await run(['figures', at('doc.md'), '--write'])).toMatchObject({ code: 0 });
    expect(read('layers.svg')).toMatch(/<desc>Measured from opensearch-search\.pcap · [-\d]+, Wirecost [.\d]+<\/desc>/);
    writeFileSync(at('doc.md'), `<!-- wirecost waterfall "${capture}" --out waterfall.svg -->\n`);
    expect((await run(['figures', at('doc.md')])).err).toMatch(/doc\.md:1: a figure is of one type/);
  });

  test('notes that change the meaning of a figure are printed once for its inputs, with its place; others are not', async () => {
    const capture = away(join(root, 'public/samples/opensearch-search.pcap'));
    const broken = 'syntax = "proto3"; message M { int32 i = 1; } message N { Gone gone = 1; }';
    writeFileSync(at('broken.proto'), broken);
    writeFileSync(at('m.bin'), Uint8Array.of(8, 1));
    writeFileSync(at('n.bin'), Uint8Array.of(8, 1));
    writeFileSync(at('whole.bin'), Uint8Array.of(1));
    writeFileSync(at('more.bin'), Uint8Array.of(1, 0xff));
    const layouts = ['opensearch', 'native'].map((name) => `--schema ${away(join(root, 'schemas', name))}`).join(' ');
    const figures = [
      `<!-- wirecost table m.bin --schema broken.proto --type M -->\n<!-- /wirecost -->`,
      `<!-- wirecost waterfall m.bin --schema broken.proto --type M --out a.svg -->`,
      `<!-- wirecost diff m.bin n.bin --schema broken.proto --type M --compressor zstd -->\n<!-- /wirecost -->`,
      `<!-- wirecost table m.bin --schema ${away(join(root, 'schemas/native'))} -->\n<!-- /wirecost -->`,
      `<!-- wirecost table ${capture} --type org.opensearch.stream.QuerySearchResult -->\n<!-- /wirecost -->`,
      `<!-- wirecost layers ${capture} --type org.opensearch.stream.QuerySearchResult --out b.svg -->`,
      `<!-- wirecost table whole.bin more.bin --framing native ${layouts} --type org.opensearch.stream.SearchFreeContextResponse -->\n<!-- /wirecost -->`,
      `<!-- wirecost table n.bin --schema broken.proto --type N -->\n<!-- /wirecost -->`,
    ];
    writeFileSync(at('doc.md'), figures.join('\n'));
    const expected = [
      expect.stringMatching(/^wirecost: .*doc\.md:1: .*Gone/),
      expect.stringMatching(
        /doc\.md:1: the schema has errors; types that they touch are not detected, but --type can choose one$/,
      ),
      expect.stringMatching(/doc\.md:4: .*Gone/),
      expect.stringMatching(
        /doc\.md:4: the schema has errors; types that they touch are not detected, but --type can choose one$/,
      ),
      expect.stringMatching(/doc\.md:8: \d+ messages left out; --method and --type select others$/),
      expect.stringMatching(/doc\.md:11: 1 message left out; --method and --type select others$/),
      expect.stringMatching(/doc\.md:13: error .*Gone/),
      expect.stringMatching(/doc\.md:13: the schema has errors/),
      expect.stringMatching(
        /doc\.md:13: warning schema\/touched-type, .*touches N: its messages may be read wrongly\.$/,
      ),
    ];
    const { code, err } = await run(['figures', at('doc.md'), '--write']);
    expect([code, err.trimEnd().split('\n')]).toEqual([0, expected]);
    const again = await run(['figures', at('doc.md')]);
    expect([again.code, again.err.trimEnd().split('\n')]).toEqual([0, expected.map(() => expect.any(String))]);
  });

  test('a key log is named from the folder of the document', async () => {
    copyFileSync(join(root, 'fixtures/tls/go-tls12-h1.keys'), at('keys.txt'));
    const capture = away(join(root, 'fixtures/tls/go-tls12-h1.pcap'));
    writeFileSync(at('doc.md'), `<!-- wirecost layers ${capture} --keys keys.txt --out a.svg -->\n`);
    expect(await run(['figures', at('doc.md'), '--write'])).toMatchObject({ code: 0 });
    expect(read('a.svg')).toContain('HTTP/1.1');
  });

  test('a figure in code is shown, and not measured', async () => {
    const shown = '<!-- wirecost table gone.bin -->\n<!-- /wirecost -->';
    writeFileSync(
      at('doc.md'),
      `Marks are \`<!-- wirecost … -->\`.\n\n\`\`\`markdown\n${shown}\n\`\`\`\n\n${document()}`,
    );
    const { code, out, err } = await run(['figures', at('doc.md'), '--write']);
    expect([code, out, err]).toEqual([
      0,
      expect.stringMatching(/doc\.md:13: the table was stale\n/),
      expect.anything(),
    ]);
    expect(read('doc.md')).toContain(`markdown\n${shown}\n`);
    expect(await run(['figures', at('doc.md')])).toMatchObject({ code: 0 });
  });

  test('a figure that cannot be measured is reported with its place in the document', async () => {
    writeFileSync(at('doc.md'), 'One.\n<!-- wirecost waterfall gone.bin --out a.svg -->\n');
    expect((await run(['figures', at('doc.md')])).err).toMatch(/doc\.md:2: No such file: .*gone\.bin/);
  });

  test.each([
    ['field', 'widths', '--field nope', /^wirecost: .*doc\.md:2: .*has no field nope/],
    ['message', 'bytes', '--message 7', /^wirecost: .*doc\.md:2: .*no message 7/],
  ])('a %s that is not there is reported with the place of its figure', async (_, figure, option, message) => {
    writeFileSync(at('doc.md'), `One.\n<!-- wirecost ${figure} ${words()} ${option} --out a.svg -->\n`);
    expect((await run(['figures', at('doc.md')])).err).toMatch(message);
  });

  test.each([
    ['an unknown figure', '<!-- wirecost pie x.bin --out a.svg -->', /doc\.md:1: There is no figure pie/],
    [
      'a compressor for a picture of plain sizes',
      '<!-- wirecost waterfall x.bin --compressor zstd --out x.svg -->',
      /doc\.md:1: The figure waterfall takes no --compressor; compressed, pair, diff and types do/,
    ],
    [
      'a field for a picture of all fields',
      '<!-- wirecost icicle x.bin --field a.b --out x.svg -->',
      /doc\.md:1: The figure icicle takes no --field; break-even, widths and bytes do/,
    ],
    [
      'a message for a picture of all messages',
      '<!-- wirecost widths x.bin --message 0 --out x.svg -->',
      /doc\.md:1: The figure widths takes no --message; bytes does/,
    ],
    [
      'a theme for a table',
      '<!-- wirecost table x.bin --theme dark -->',
      /doc\.md:1: The figure table takes no --theme; every picture does/,
    ],
    ['a picture without a name', '<!-- wirecost waterfall x.bin -->', /doc\.md:1: The figure waterfall takes --out/],
    [
      'a picture whose name is not that of one',
      '<!-- wirecost waterfall x.bin --out x.binpb -->',
      /doc\.md:1: --out takes a path that ends in \.svg/,
    ],
    [
      'two pictures of one name',
      '<!-- wirecost waterfall x.bin --out a.svg -->\n<!-- wirecost icicle x.bin --out ./a.svg -->',
      /doc\.md:2: the figure of .*doc\.md:1 has the same --out/,
    ],
    ['an unknown option', '<!-- wirecost waterfall x.bin --nope -->', /doc\.md:1: .*--nope/],
    ['a document without figures', 'Nothing.', /names no figure/],
  ])('%s', async (_, text, message) => {
    writeFileSync(at('doc.md'), text);
    const { code, err } = await run(['figures', at('doc.md')]);
    expect(code).toBe(1);
    expect(err).toMatch(message);
  });

  test.each(['folder/a.svg', 'dangling.svg', 'itself.svg', '../a.svg'])(
    'a picture outside of the folder is not written: %s',
    async (out) => {
      symlinkSync(tmpdir(), at('folder'));
      symlinkSync(join(tmpdir(), 'gone.svg'), at('dangling.svg'));
      symlinkSync('itself.svg', at('itself.svg'));
      writeFileSync(at('doc.md'), `<!-- wirecost waterfall x.bin --out ${out} -->\n`);
      const { code, err } = await run(['figures', at('doc.md'), '--write']);
      expect([code, err]).toEqual([1, expect.stringMatching(/doc\.md:1: .*(stays within|leads to itself)/)]);
    },
  );

  test('a picture in place of what is measured is not written', async () => {
    writeFileSync(at('x.svg'), 'input');
    symlinkSync('x.svg', at('link.svg'));
    const marks = [`<!-- wirecost waterfall ${words()} --out link.svg -->`, '<!-- wirecost table x.svg -->'];
    writeFileSync(at('doc.md'), `${marks.join('\n')}\n<!-- /wirecost -->\n`);
    const { code, err } = await run(['figures', at('doc.md'), '--write']);
    expect([code, err]).toEqual([1, expect.stringMatching(/doc\.md:1: .*link\.svg is read here/)]);
    expect(read('x.svg')).toBe('input');
  });

  test.each([
    ['compressed', RW2],
    ['pair', [RW2[0]!, ...RW2]],
  ])('%s after Brotli is refused: its bits are not known by field', async (figure, inputs) => {
    writeFileSync(at('doc.md'), `<!-- wirecost ${figure} ${words(inputs)} --compressor brotli --out a.svg -->\n`);
    expect((await run(['figures', at('doc.md')])).err).toMatch(
      /doc\.md:1: Brotli’s bits are not known by field.* takes another one/,
    );
  });

  test('every comment that cannot be read is reported with its line, of several documents, and the other figures are checked', async () => {
    mkdirSync(at('docs/more'), { recursive: true });
    writeFileSync(at('docs/m.bin'), Uint8Array.of(8, 1));
    const table = '<!-- wirecost table m.bin --by-number -->\n<!-- /wirecost -->\n';
    writeFileSync(at('docs/a.md'), `<!-- wirecost pie m.bin -->\n${table}<!-- wirecost waterfall m.bin -->\n`);
    writeFileSync(at('docs/b.md'), `<!-- wirecost table gone.bin -->\n<!-- wirecost table m.bin -->\n\n${table}`);
    writeFileSync(at('docs/c.md'), 'No figure.\n');
    writeFileSync(at('docs/c.txt'), '<!-- wirecost pie m.bin -->\n');
    symlinkSync('../a.md', at('docs/more/again.md'));
    const expected = [
      /^wirecost: .*a\.md:1: There is no figure pie/,
      /a\.md:4: The figure waterfall takes --out/,
      /b\.md:1: No such file: .*gone\.bin$/,
      /b\.md:2: the table has no end/,
    ].map((line) => expect.stringMatching(line));
    const left = expect.stringMatching(/^wirecost: 2 figures of 3 documents to be made again; --write does$/);
    for (const inputs of [[at('docs')], [at('docs/*.md')], ['a', 'b', 'c'].map((name) => at(`docs/${name}.md`))]) {
      const { code, out, err } = await run(['figures', ...inputs]);
      expect([code, err.trimEnd().split('\n')]).toEqual([1, [...expected, left]]);
      expect(out).toMatch(/^.*a\.md:2: the table is stale\n.*b\.md:4: the table is stale\n$/);
    }
    const { code, out, err } = await run(['figures', at('docs'), '--write']);
    expect([code, err.trimEnd().split('\n')]).toEqual([1, expected]);
    expect(out).toMatch(/2 figures written\n$/);
    expect(read('docs/b.md')).toMatch(/table m\.bin -->\n\n<!-- wirecost table m\.bin --by-number -->\n\n\|/);
    for (const name of ['a', 'b']) writeFileSync(at(`docs/${name}.md`), table);
    await run(['figures', at('docs'), '--write']);
    const all = await run(['figures', at('docs')]);
    expect([all.code, all.out]).toEqual([
      0,
      expect.stringMatching(/a\.md: 1 figure, all .*\n.*b\.md: 1 figure, all .*\n$/),
    ]);
    expect((await run(['figures', at('docs/*.txt')])).err).toMatch(/There is no Markdown file .* in .*\*\.txt/);
  });

  test('a table without an end', async () => {
    writeFileSync(at('doc.md'), `<!-- wirecost table ${words()} -->\n`);
    expect((await run(['figures', at('doc.md')])).err).toMatch(/doc\.md:1: the table has no end/);
  });
});
