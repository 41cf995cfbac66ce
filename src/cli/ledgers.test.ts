/** Ledgers by the id of their encoding: asked for, summed, compared. */

import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { diffProfiles } from '#engine/cost/diff-profiles.ts';
import { ledgerOf } from '#engine/cost/encoding-ledger.ts';
import { mergeProfiles } from '#engine/cost/merge-profiles.ts';
import { ledgerIds } from '#engine/cost/profile.ts';
import { profileJson } from '#engine/cost/profile-json.ts';
import { encodingById } from '#engine/encodings/encodings.ts';
import { keepingFiles } from './kept-files.testing.ts';
import { MEASURE_OPTIONS, measure } from './measure/measure.ts';
import { parseOptions } from './options/arguments.ts';
import { ledgersOf } from './options/ledger-choice.ts';
import { run } from './run.ts';

const sample = (name: string): string => fileURLToPath(new URL(`../../public/samples/${name}`, import.meta.url));
const SAMPLES = [
  'opensearch-search-hits.binpb',
  'prometheus-remote-write-1.binpb',
  'otlp-traces.binpb',
  'apm-events.delim.binpb',
];
const IDS = ['json', 'msgpack-named', 'cbor-array', 'avro'];

const { write } = keepingFiles();

const sum = (cells: Iterable<object>): number =>
  [...cells].reduce((total, cell) => total + Object.values(cell).reduce((bytes, count) => bytes + count, 0), 0);
const profilesOf = async (...names: readonly string[]) =>
  (await measure(parseOptions(names.map(sample), MEASURE_OPTIONS), ledgersOf(IDS))).profiles;

describe.each(SAMPLES)('%s', (name) => {
  test('every ledger sums to its bytes, in the profile and as JSON', async () => {
    const [profile] = await profilesOf(name);
    // The options of its schema lay OpenSearch's messages out.
    const native = name.startsWith('opensearch') ? 'laid-out' : 'opensearch';
    expect(ledgerIds(profile!)).toEqual(['protobuf', native, ...IDS.filter((id) => encodingById(id))]);
    const { out } = await run(['analyze', sample(name), '--encodings', ['native', ...IDS].join(), '--json']);
    const [type] = JSON.parse(out).types;
    for (const id of ledgerIds(profile!)) {
      const { bytes, fields, refused } = ledgerOf(profile!, id)!;
      expect(refused).toBe(null);
      expect(sum(Object.values(fields)), id).toBe(bytes);
      expect(type.ledgers[id].bytes).toBe(bytes);
      const cells = (type.fields as readonly { ledgers: Record<string, object> }[]).map(({ ledgers }) => ledgers[id]!);
      expect(sum(cells) + sum(Object.values(type.ledgers[id].own)), id).toBe(bytes);
    }
    expect(type.bytes).toEqual(profileJson(profile!).bytes);
  });

  test('any two ledgers are compared, and their rows and causes sum to the difference', async () => {
    const [profile] = await profilesOf(name);
    for (const [a, b] of [
      ['protobuf', 'json'],
      ['json', 'avro'],
      ['native', 'msgpack-named'],
    ] as const) {
      const diff = diffProfiles({ profile: profile!, ledger: a }, { profile: profile!, ledger: b });
      const change = ledgerOf(profile!, b)!.bytes! - ledgerOf(profile!, a)!.bytes!;
      expect(diff.rows.reduce((total, { bytes }) => total + bytes.b - bytes.a, 0)).toBe(change);
      expect(diff.causes.reduce((total, { bytes }) => total + bytes, 0)).toBe(change);
    }
  });
});

test('the ledgers of two inputs equal the merged ledgers of their profiles', async () => {
  const [one] = await profilesOf('opensearch-search-hits.binpb');
  const [other] = await profilesOf('opensearch-document-fields.binpb');
  const [both] = await profilesOf('opensearch-search-hits.binpb', 'opensearch-document-fields.binpb');
  expect(mergeProfiles(one!, other!).ledgers).toEqual(both!.ledgers);
  expect(ledgerOf(both!, 'json')!.bytes).toBe(ledgerOf(one!, 'json')!.bytes! + ledgerOf(other!, 'json')!.bytes!);
});

test('diff: two encodings of one input, or of two', async () => {
  const hits = sample('opensearch-search-hits.binpb');
  const one = await run(['diff', hits, '--encodings', 'protobuf,json', '--json']);
  const two = await run(['diff', hits, hits, '--encodings', 'protobuf,json', '--json']);
  expect([one.code, JSON.parse(one.out).diffs]).toEqual([0, JSON.parse(two.out).diffs]);
  expect(JSON.parse(one.out).diffs[0].ledgers).toEqual({ a: 'protobuf', b: 'json' });
  expect((await run(['diff', hits, '--encodings', 'protobuf,json'])).out).toMatch(
    / {2}Names and numbers of fields +\+\d/,
  );
});

test.each([
  [
    'an unknown encoding',
    ['analyze', sample(SAMPLES[0]!), '--encodings', 'jsn'],
    'No encoding jsn; there are protobuf, native, json',
  ],
  ['one input and one encoding', ['diff', sample(SAMPLES[0]!), '--encodings', 'json'], 'one input and two encodings'],
  ['three encodings', ['diff', sample(SAMPLES[0]!), '--encodings', 'json,bson,avro'], 'one of A and one of B'],
])('%s is refused', async (_, args, words) => {
  const { code, err } = await run(args);
  expect([code, err.includes(words)]).toEqual([1, true]);
});

test('the messages themselves have one row, also where one of the encodings is compared', async () => {
  const schema = write('m.proto', 'syntax = "proto3"; message M { string name = 1; }');
  const input = [write('m.binpb', Buffer.from('0a0161', 'hex')), '-s', schema, '-t', 'M'];
  const { out } = await run(['analyze', ...input, '--native', 'json', '--encodings', 'cbor-named,json']);
  expect(out).toMatch(/^the messages themselves +0 +2 +1$/m);
  expect(out.match(/^\(root\)/gm)).toHaveLength(1);
});

test('analyze --compressed names an encoding that it does not measure', async () => {
  const schema = write('m.proto', 'syntax = "proto3"; message M { string name = 1; }');
  const input = [write('m.binpb', Buffer.from('0a0161', 'hex')), '-s', schema, '-t', 'M', '--compressed'];
  const words = 'wirecost: --compressed does not measure CBOR by name; wirecost matrix does';
  expect((await run(['analyze', ...input, '--native', 'cbor-named'])).err).toContain(words);
  expect((await run(['analyze', ...input, '--native', 'avro'])).err).not.toContain('does not measure');
});

test('analyze names the place of the first value that an encoding does not carry', async () => {
  const schema = write('m.proto', 'syntax = "proto3"; message M { string name = 1; double size = 2; }');
  // {name: "a"}, and {name: "b", size: NaN} with other bits than usual.
  const stale = [0x0a, 1, 0x62, 0x11, 2, 0, 0, 0, 0, 0, 0xf0, 0x7f];
  const input = write('m.varint', Uint8Array.from([3, 0x0a, 1, 0x61, stale.length, ...stale]));
  const args = ['analyze', input, '--schema', schema, '--type', 'M', '--framing', 'varint'];
  const found = async (...more: readonly string[]) => {
    const { out } = await run([...args, ...more]);
    return out.split('\n').filter((line) => /^(info|warning) /.test(line));
  };
  expect(await found('--native', 'json')).toEqual([
    'info encoding/loss, first in message 1, byte 3: JSON: NaN loses its bits: 1.',
  ]);
  expect(await found('--encodings', 'borsh')).toEqual([
    'warning encoding/refused, first in message 1, byte 3: Borsh: NaN is refused, and at least one value is NaN.',
  ]);
  const other = write('other.varint', Uint8Array.of(3, 0x0a, 1, 0x61));
  expect(await found(other, '--native', 'json')).toEqual([
    `info encoding/loss, first in ${input}, message 1, byte 3: JSON: NaN loses its bits: 1.`,
  ]);
  const { out } = await run([...args, '--native', 'json', '--json']);
  expect(JSON.parse(out).diagnostics).toEqual([
    expect.objectContaining({ code: 'encoding/loss', space: 'message', ordinal: 1, offset: 3, end: 12 }),
  ]);
});
