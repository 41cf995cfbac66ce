/** Profiles merge exactly: however the inputs are cut, and in any order, the sum is the single run's. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { numbers } from './made-messages.testing.ts';
import { run } from './run.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sample = (name: string): string => `${root}public/samples/${name}`;
const HITS = ['-s', `${root}schemas/opensearch`, '-t', 'org.opensearch.proto.search.SearchHitsProto'];
const EVENTS = sample('apm-events.delim.binpb');

let folder: string;
/** The events, one a file. */
let shards: readonly string[];

const out = async (...args: string[]): Promise<string> => {
  const { code, out: text, err } = await run(args);
  expect([code, code === 0 ? '' : err]).toEqual([0, '']);
  return text;
};
const keep = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'wirecost-merge-')));
  const bytes = readFileSync(EVENTS);
  const files: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    let size = 0;
    let shift = 0;
    const start = at;
    for (;;) {
      const byte = bytes[at++]!;
      size += (byte & 0x7f) << shift;
      shift += 7;
      if (byte < 0x80) break;
    }
    at += size;
    files.push(join(folder, `${files.length}.delim.binpb`));
    writeFileSync(files.at(-1)!, bytes.subarray(start, at));
  }
  shards = files;
});
afterAll(() => rmSync(folder, { recursive: true }));

const APM = ['-s', `${root}schemas/elastic`, '--framing', 'varint'];

test('shards in any order and in any groups give the profile of the whole', async () => {
  const options = [...APM, '-t', 'elastic.apm.v1.APMEvent'];
  const whole = JSON.parse(await out('analyze', EVENTS, ...options, '--json')) as { types: unknown };
  const parts: string[] = [];
  for (const [n, shard] of shards.entries()) parts.push(keep(`${n}.ndjson`, await out('map', shard, ...options)));
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(parts, { minLength: parts.length }),
      fc.nat(parts.length),
      async (order, cut) => {
        const halves = [order.slice(0, cut), order.slice(cut)].filter((half) => half.length > 0);
        const sums: string[] = [];
        for (const [n, half] of halves.entries())
          sums.push(keep(`half-${n}`, await out('merge', ...half, '--partial')));
        const merged = JSON.parse(await out('merge', ...sums, '--json')) as { keys: readonly { types: unknown }[] };
        expect(merged.keys.map(({ types }) => types)).toEqual([whole.types]);
      },
    ),
    { numRuns: 10 },
  );
});

test('a list of inputs with a user’s key, and with a key for each file', async () => {
  const list = keep('list', `${shards[0]}\n\n${shards[1]}\n`);
  const keyed = (await out('map', '--files', list, ...APM, '--by-number', '--key', 'tenant 7')).trim().split('\n');
  expect(keyed.map((line) => (JSON.parse(line) as { key: string }).key)).toEqual(['tenant 7']);
  const byFile = (await out('map', '--files', list, ...APM, '--by-number', '--by', 'file')).trim().split('\n');
  expect(byFile.map((line) => (JSON.parse(line) as { key: string }).key)).toEqual(shards.slice(0, 2));
});

test('the hours of a capture sum to the capture', async () => {
  const capture = sample('opensearch-search.pcap');
  const whole = JSON.parse(await out('analyze', capture, '--json')) as { types: readonly { messages: number }[] };
  const hours = (await out('map', capture, '--by', 'hour')).trim().split('\n');
  const lines = hours.map((line) => JSON.parse(line) as { key: string; profile: { messages: number } });
  expect(new Set(lines.map(({ key }) => /^\d{4}-\d\d-\d\dT\d\d$/.test(key)))).toEqual(new Set([true]));
  const sum = (all: readonly { messages: number }[]) => all.reduce((total, { messages }) => total + messages, 0);
  expect(sum(lines.map(({ profile }) => profile))).toBe(sum(whole.types));
});

test('a payload has no hour, which a note says', async () => {
  const { out: lines, err } = await run(['map', EVENTS, ...APM, '--by', 'hour']);
  expect(JSON.parse(lines)).toMatchObject({ key: '' });
  expect(err).toContain(`no time is known in ${EVENTS}; the key is empty`);
});

test('the sum does not depend on which captures are in the same run', async () => {
  const captures = ['opensearch-plain.pcap', 'otlp-http-gzip.pcapng'].map((name) => `${root}fixtures/capture/${name}`);
  const whole = keep('whole', (await run(['map', ...captures])).out);
  const parts: string[] = [];
  for (const [n, capture] of captures.entries()) parts.push(keep(`part-${n}`, (await run(['map', capture])).out));
  const merged = await out('merge', ...parts, '--json');
  expect(merged).toBe(await out('merge', whole, '--json'));
  const { keys } = JSON.parse(merged) as { keys: readonly { types: readonly { nativeProfile: string | null }[] }[] };
  expect(new Set(keys[0]!.types.map(({ nativeProfile }) => nativeProfile))).toEqual(new Set(['laid-out', null]));
});

describe('more inputs than are read at once', () => {
  const many = (content: (at: number) => string | Uint8Array, ending: string): readonly string[] =>
    Array.from({ length: 120 }, (_, at) => keep(`many-${String(at).padStart(3, '0')}${ending}`, content(at)));
  const typesOf = (text: string): unknown => (JSON.parse(text) as { types: unknown }).types;
  const mapped = async (name: string, ...args: string[]): Promise<string> =>
    keep(name, (await run(['map', ...args])).out);
  const merged = async (...lines: string[]): Promise<unknown> =>
    (JSON.parse(await out('merge', ...lines, '--json')) as { keys: readonly { types: unknown }[] }).keys[0]!.types;

  /** Only the last inputs have a field that one of the types lacks. */
  const ITEMS = [
    'message Item { string name = 1; bytes data = 2; }',
    'message Part { string name = 1; int64 size = 3; }',
  ];
  const item = (at: number): Uint8Array => Uint8Array.of(10, 3, 102, 111, 111, ...(at < 100 ? [] : [24, 150, 1]));

  test('payloads have the type and the schema of all', async () => {
    const inputs = many(item, '.binpb');
    const schema = keep('many-z.proto', `syntax = "proto3"; package t; ${ITEMS.join('\n')}`);
    const options = [...inputs, schema, '--framing', 'single'];
    const { err } = await run(['map', ...options]);
    expect(err).toContain('120 messages read as t.Part');
    expect(err).toContain(`read with the schema in ${schema}`);
    expect(await merged(await mapped('all', ...options))).toEqual(typesOf(await out('analyze', ...options, '--json')));
  });

  test.each([
    ['often', 90],
    ['once', 119],
  ])('a nesting that late messages refute %s is in none of the lines', async (_, from) => {
    const inputs = many(
      (at) => (at < from ? Uint8Array.of(10, 2, 8, 1 + (at % 9)) : Uint8Array.of(10, 2, 255, 255)),
      '.bin',
    );
    const options = [...inputs, '--by-number', '--framing', 'single'];
    const byFile = await mapped('by-file', ...options, '--by', 'file');
    const { keys } = JSON.parse(await out('merge', byFile, '--json')) as {
      keys: readonly { types: readonly { fields: readonly { path: string }[] }[] }[];
    };
    const paths = keys.map(({ types }) => types.flatMap(({ fields }) => fields.map(({ path }) => path)).join(' '));
    expect([paths.length, new Set(paths)]).toEqual([120, new Set(['?1'])]);
    expect(await merged(await mapped('all', ...options))).toEqual(typesOf(await out('analyze', ...options, '--json')));
  });

  test('captures have the groups of all', async () => {
    const capture = readFileSync(`${root}fixtures/capture/connect-get.pcapng`);
    const inputs = many(() => capture, '.pcapng');
    const { err } = await run(['map', ...inputs]);
    expect(err.match(/\d.*GET \/lab\.v1\.Lab\/Unary, requests/g)).toEqual([
      `${(120 * 14).toLocaleString('en')} messages of GET /lab.v1.Lab/Unary, requests`,
    ]);
    const halves = [await mapped('one', ...inputs.slice(60)), await mapped('two', ...inputs.slice(0, 60))];
    expect(await merged(await mapped('all', ...inputs))).toEqual(await merged(...halves));
  });

  test('captures and payloads among them are analysed apart', async () => {
    const capture = readFileSync(`${root}fixtures/capture/opensearch-plain.pcap`);
    const inputs = many((at) => (at < 110 ? item(at) : capture), '.bin');
    const { code, err } = await run(['map', ...inputs]);
    expect([code, err]).toEqual([1, expect.stringContaining('Captures and payloads are analysed apart')]);
  });
});

test.each([
  ['no JSON', () => 'x', /Line 1 .* it is not JSON/],
  ['another JSON', () => '{}', /it is not a partial profile/],
  ['a newer version', (line: string) => line.replace(/"version":\d+/, '"version":99'), /it is of version 99/],
  [
    'changed figures',
    (line: string) => line.replace(/"label":"protobuf","bytes":\d+/, '"label":"protobuf","bytes":1'),
    /The figures do not sum to the bytes/,
  ],
])('a line that is %s is refused by its number', async (_, change, message) => {
  const line = await out('map', sample('opensearch-search-hits.binpb'), ...HITS);
  const { code, err } = await run(['merge', keep('bad', change(line))]);
  expect(code).toBe(1);
  expect(err).toMatch(message);
});

test('a profile with as many rows as one can have is merged', async () => {
  const line = await out('map', keep('numbers', numbers(20_000)), '--by-number');
  const merged = JSON.parse(await out('merge', keep('many', line), '--json')) as {
    keys: readonly { types: readonly { fields: readonly object[] }[] }[];
  };
  expect(merged.keys[0]!.types[0]!.fields.length).toBeGreaterThan(16_384);
});

test('partial profiles of the first version are merged', async () => {
  const line = await out('map', sample('opensearch-search-hits.binpb'), ...HITS);
  const old = keep('old', line.replace(/"version":\d+/, '"version":1'));
  const merged = JSON.parse(await out('merge', old, keep('new', line), '--json')) as {
    keys: readonly { types: readonly { messages: number }[] }[];
  };
  expect(merged.keys[0]!.types.map(({ messages }) => messages)).toEqual([2]);
});
