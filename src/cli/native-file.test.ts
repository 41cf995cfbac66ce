/** A file with one native message, of a type that is named: the profile that it has in a capture. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ProfileJson } from '#engine/cost/profile-json.ts';
import { keepingFiles } from './kept-files.testing.ts';
import { run } from './run.ts';

const { write } = keepingFiles();
const at = (path: string): string => join(import.meta.dirname, '../../', path);
const NATIVE = at('fixtures/bundled/hits-10.native.bin');
const PROTOBUF = at('public/samples/opensearch-search-hits.binpb');
const TYPE = ['--type', 'org.opensearch.proto.search.SearchHitsProto'];
const SCHEMA = [
  'opensearch/search-hits.proto',
  'opensearch/generic-value.proto',
  'opensearch/profiles.proto',
  'native',
].flatMap((path) => ['--schema', at(`schemas/${path}`)]);
const LONE = [NATIVE, '--framing', 'native', ...TYPE];

async function profileOf(...args: readonly string[]): Promise<ProfileJson> {
  const { code, out, err } = await run(['analyze', ...args, '--json']);
  expect(code, err).toBe(0);
  return JSON.parse(out).types[0];
}

const costsOf = ({ bytes, fields }: ProfileJson) => ({
  bytes,
  fields: fields.map(({ path, protobuf, native }) => ({ path, protobuf, native })),
});

describe('a file with one native message', () => {
  test('costs the same as the message in protobuf, in both directions', async () => {
    const [lone, sample] = [
      await profileOf(...LONE, ...SCHEMA),
      await profileOf(PROTOBUF, '--native', 'laid-out', ...TYPE, ...SCHEMA),
    ];
    expect(lone.bytes).toEqual({
      protobuf: readFileSync(PROTOBUF).length,
      native: readFileSync(NATIVE).length,
    });
    expect(costsOf(lone)).toEqual(costsOf(sample));
  });

  test('is printed row by row, by a bundled layout', async () => {
    const { code, out, err } = await run(['annotate', ...LONE]);
    expect(code, err).toBe(0);
    expect(out).toContain('id Text, length −1 if absent: "B4fw-6EBWVo9vZgBXC2Q"');
  });

  test('names the values that protobuf does not hold', async () => {
    const proto =
      'syntax = "proto3"; import "native/options.proto"; message M { int32 n = 1 [(wirecost.native.write) = LONG]; }';
    const schema = ['--schema', write('m.proto', proto), '--schema', at('schemas/native')];
    const file = write('m.bin', Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 1));
    for (const command of ['analyze', 'annotate']) {
      const { code, out, err } = await run([command, file, '--framing', 'native', '--type', 'M', ...schema]);
      expect(code, err).toBe(0);
      expect(`${out}${err}`).toContain('“n” is 4294967297, which protobuf’s int32 does not hold');
    }
  });

  test('needs a type', async () => {
    const { code, err } = await run(['analyze', NATIVE, '--framing', 'native']);
    expect(code).toBe(1);
    expect(err).toContain('--framing native needs a --type');
  });

  test('a wrong type gives no figures and reports where its layout stopped', async () => {
    const { code, out, err } = await run([
      'analyze',
      NATIVE,
      '--framing',
      'native',
      '--type',
      'org.opensearch.proto.search.SortFieldProto',
      ...SCHEMA,
    ]);
    expect([code, out], err).toEqual([1, '']);
    expect(err).toContain('message 0, byte 2: No layout describes the type -64');
  });
});
