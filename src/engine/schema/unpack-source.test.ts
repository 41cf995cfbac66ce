import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { create, fromBinary, toBinary, toJsonString } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { Zstd } from '@hpcc-js/wasm-zstd';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { factsOfRegistry } from '#testing/schema-facts.ts';
import { tarHeader, tarPadding } from '../compression/archives/tar.ts';
import { zipEntries } from '../compression/archives/zip.ts';
import { atOnce } from '../compression/codec.ts';
import { compileSchema } from './compile.ts';
import { plainSources } from './plain-sources.ts';

const utf8 = new TextEncoder();
const zstd = await Zstd.load();
const SET = new Uint8Array(
  readFileSync(new URL('../../../fixtures/schema/sets/otlp-collector.binpb', import.meta.url)),
);
const LEAF = 'syntax = "proto3"; package leaf; message Leaf { int32 a = 1; }';
const USER = 'syntax = "proto3"; import "a/leaf.proto"; message User { leaf.Leaf leaf = 1; }';
const zip = (files: Readonly<Record<string, string | Uint8Array>>, level: 0 | 6 = 6) =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, text]) => [name, typeof text === 'string' ? utf8.encode(text) : text]),
    ),
    { level },
  );
const compile = async (path: string, content: Uint8Array) => {
  const plain = await plainSources([{ path, content }]);
  const { registry, diagnostics } = compileSchema(plain.sources);
  return {
    codes: [...plain.diagnostics, ...diagnostics].map(({ code }) => code),
    files: registry.files
      .map((file) => file.path)
      .filter((name) => !name.startsWith('google/'))
      .sort(),
    registry,
  };
};

describe('a zip archive', () => {
  test.each([0, 6] as const)('is its files, packed at level %i', async (level) => {
    const bytes = zip(
      { 'repo-main/src/a/leaf.proto': LEAF, 'repo-main/user.proto': USER, 'README.md': '#', 'set.binpb': SET },
      level,
    );
    const { codes, files } = await compile('repo.zip', bytes);
    expect(codes).toEqual([]);
    expect(files).toContain('repo-main/src/a/leaf.proto');
    expect(files).toContain('opentelemetry/proto/common/v1/common.proto');
    expect(files).not.toContain('README.md');
  });

  test('with messages beside the schema leaves them out, and one without a schema is reported', async () => {
    const message = Uint8Array.of(10, 3, 102, 111, 111);
    const bytes = zip({ 'user.proto': 'syntax = "proto3"; message User {}', 'data/user.binpb': message });
    expect((await plainSources([{ path: 'x.zip', content: bytes }])).sources.map(({ path }) => path)).toEqual([
      'user.proto',
    ]);
    expect(await compile('x.zip', bytes)).toMatchObject({ codes: [], files: ['user.proto'] });
    expect((await compile('x.zip', zip({ 'user.binpb': message, 'b.pb': message }))).codes).toEqual([
      'schema/not-an-archive',
    ]);
  });

  test('has no path outside its root, and skips files that systems add', async () => {
    const bytes = zip({
      '../../etc/leaf.proto': LEAF,
      '/root/leaf.proto': LEAF,
      'C:\\leaf.proto': LEAF,
      '__MACOSX/leaf.proto': LEAF,
      '.git/leaf.proto': LEAF,
      './a//leaf.proto': LEAF,
      'b\\leaf2.proto': 'syntax = "proto3";',
    });
    expect((await compile('x.zip', bytes)).files).toEqual(['a/leaf.proto', 'b/leaf2.proto']);
  });

  test.each([
    ['has nothing in it', zip({ 'README.md': '#' }), 'schema/not-an-archive'],
    ['is cut off', zip({ 'a.proto': LEAF }).subarray(0, 60), 'schema/not-an-archive'],
    ['is empty', zip({}), 'schema/not-an-archive'],
  ])('an archive that %s is reported', async (_, bytes, code) => {
    expect((await compile('x.zip', bytes)).codes).toEqual([code]);
  });

  test('an archive with a damaged file names it and keeps the others', async () => {
    const bytes = zip({ 'a.proto': `${LEAF} // ${'word '.repeat(50)}`, 'b.proto': 'syntax = "proto3";' });
    bytes[60]! ^= 255;
    const { codes, files } = await compile('x.zip', bytes);
    expect(codes).toEqual(['schema/unreadable']);
    expect(files).toEqual(['b.proto']);
  });

  test('an archive that inflates to far more than its size is stopped', async () => {
    const bomb = zip({ 'a.proto': new Uint8Array(80 << 20), 'b.proto': 'syntax = "proto3";' });
    expect(bomb.length).toBeLessThan(200_000);
    const { codes, files } = await compile('x.zip', bomb);
    expect(codes).toEqual(['schema/too-large']);
    expect(files).toEqual(['b.proto']);
  });

  test('an archive changed anywhere never throws', async () => {
    const sound = zip({ 'a.proto': LEAF, 'b/c.proto': 'syntax = "proto3";' });
    const edit = fc.tuple(fc.nat(sound.length - 1), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 10 }), fc.nat(sound.length), async (edits, length) => {
        const bytes = sound.slice();
        for (const [at, value] of edits) bytes[at] = value;
        for (const entry of zipEntries(bytes.subarray(0, length)) ?? []) atOnce(entry.unpack(10_000));
        await compile('x.zip', bytes);
      }),
      { numRuns: 1000, endOnFailure: true },
    );
  });
});

describe('a descriptor set', () => {
  const own = compileSchema([{ path: 'set.binpb', content: SET }]).registry;

  test('in JSON is the same', async () => {
    const set = fromBinary(FileDescriptorSetSchema, SET);
    const json = toJsonString(FileDescriptorSetSchema, set);
    const { codes, registry } = await compile('image.json', utf8.encode(` \n${json}`));
    expect(codes).toEqual([]);
    expect([...factsOfRegistry(registry)]).toEqual([...factsOfRegistry(own)]);
  });

  test('in buf’s JSON with buf’s own fields', async () => {
    const json =
      '{"file":[{"name":"a.proto","syntax":"proto3","messageType":[{"name":"A"}],"bufExtension":{"isImport":false}}]}';
    expect(await compile('image.json', utf8.encode(json))).toMatchObject({ codes: [], files: ['a.proto'] });
  });

  test('in JSON with the field names of descriptor.proto', async () => {
    const json =
      '{"file":[{"name":"a.proto","syntax":"proto3","message_type":[{"name":"A","field":[{"name":"b_c","number":1,' +
      '"label":"LABEL_OPTIONAL","type":"TYPE_INT32","json_name":"bC"}]}]}]}';
    const { codes, registry } = await compile('image.json', utf8.encode(json));
    expect(codes).toEqual([]);
    expect(registry.messages.get('A')?.fields).toMatchObject([{ name: 'b_c', jsonName: 'bC' }]);
  });

  test.each([
    ['is not one', '{"openapi": "3.0", "file": 1}'],
    ['breaks off', '{"file": [{"name": "a.proto"'],
    ['is a message', '{"resourceSpans": [{"scopeSpans": []}]}'],
    ['lists other files', '{"file": [{"name": "a.log", "size": 3}]}'],
  ])('JSON that %s is reported', async (_, json) => {
    expect((await compile('image.json', utf8.encode(json))).codes).toEqual(['schema/not-an-image']);
  });

  test('a single file descriptor, as in gRPC reflection', async () => {
    const file = Uint8Array.of(10, 7, ...utf8.encode('a.proto'), 34, 3, 10, 1, 65, 98, 6, ...utf8.encode('proto3'));
    expect([...(await compile('a.pb', file)).registry.messages.keys()]).toEqual(['A']);
    // FileDescriptorResponse: a list of them.
    const answer = Uint8Array.of(10, file.length, ...file);
    expect([...(await compile('answer.pb', answer)).registry.messages.keys()]).toEqual(['A']);
  });

  describe('whose files were sent one by one, as a server answers', () => {
    /** FileDescriptorProto of a message of one field, which has the message of another file. */
    const fileOf = (name: string, uses?: string): Uint8Array => {
      const field = { name: 'of', number: 1, label: 1, type: 11, typeName: `.${uses?.toUpperCase()}` } as const;
      return toBinary(
        FileDescriptorProtoSchema,
        create(FileDescriptorProtoSchema, {
          name: `${name}.proto`,
          syntax: 'proto3',
          dependency: uses === undefined ? [] : [`${uses}.proto`],
          messageType: [{ name: name.toUpperCase(), field: uses === undefined ? [] : [field] }],
        }),
      );
    };
    const [a, b, c] = [fileOf('a', 'b'), fileOf('b', 'c'), fileOf('c')];
    const answer = (...files: readonly Uint8Array[]) =>
      Uint8Array.from(files.flatMap((file) => [10, file.length, ...file]));

    test.each([
      ['dependencies last', [answer(a, b, c)], []],
      ['dependencies first', [answer(c, b, a)], []],
      ['an answer each', [answer(a), answer(b), answer(c)], []],
      ['each file by itself', [b, a, c], []],
      ['with what they import each time', [answer(a, b, c), answer(b, c), c], []],
      ['without one that is imported', [answer(a, b)], ['schema/missing-import', 'schema/unresolved-type']],
    ] as const)('%s', (_, contents, codes) => {
      const sources = contents.map((content, index) => ({ path: `${index}.binpb`, content }));
      const { registry, diagnostics, missing } = compileSchema(sources);
      expect([...new Set(diagnostics.map(({ code }) => code))]).toEqual(codes);
      expect(missing.map(({ path }) => path)).toEqual(codes.length === 0 ? [] : ['c.proto']);
      expect(registry.messages.get('A')?.fields[0]?.message?.fullName).toBe('B');
    });
  });
});

describe('downloaded files in wrappers', () => {
  const own = compileSchema([{ path: 'set.binpb', content: SET }]).registry;
  const sources = { 'src/a/leaf.proto': LEAF, 'src/user.proto': USER };
  const tar = Buffer.concat([
    ...Object.entries(sources).flatMap(([path, text]) => [
      tarHeader(path, text.length),
      utf8.encode(text),
      new Uint8Array(tarPadding(text.length)),
    ]),
    new Uint8Array(1024),
  ]);

  test.each([
    ['set.fds.binpb.gz', gzipSync(SET)],
    ['set.fds.binpb.zst', zstd.compress(SET, 3)],
    ['set.b64', utf8.encode(Buffer.from(SET).toString('base64'))],
    ['set.b64.gz', gzipSync(Buffer.from(SET).toString('base64'))],
  ])('%s gives the set', async (path, content) => {
    const { codes, registry } = await compile(path, new Uint8Array(content));
    expect(codes).toEqual([]);
    expect([...factsOfRegistry(registry)]).toEqual([...factsOfRegistry(own)]);
  });

  test.each([
    ['protos.tar', tar],
    ['protos.tgz', gzipSync(tar)],
  ])('%s gives its files', async (path, content) => {
    expect(await compile(path, new Uint8Array(content))).toMatchObject({
      codes: [],
      files: ['src/a/leaf.proto', 'src/user.proto'],
    });
  });
});

test('bytes of a .proto file are its text', async () => {
  expect(await compile('a.proto', utf8.encode(LEAF))).toMatchObject({ codes: [], files: ['a.proto'] });
});

describe('several files that end in an import', () => {
  const files = [
    { path: 'v1/a/leaf.proto', content: LEAF },
    { path: 'v2/a/leaf.proto', content: LEAF.replaceAll('leaf', 'leaf2') },
  ];
  const user = { path: 'v1/app/user.proto', content: USER };

  test('the file in the tree of the importing file is chosen', () => {
    expect(compileSchema([...files, user]).diagnostics).toEqual([]);
  });

  test('otherwise the file with exactly this path is chosen', () => {
    const elsewhere = { ...user, path: 'app/user.proto' };
    const below = (root: string) =>
      files.map(({ path, content }) => ({ path: path.startsWith(root) ? path.slice(root.length) : path, content }));
    const codes = (root: string) => compileSchema([...below(root), elsewhere]).diagnostics.map(({ code }) => code);
    expect(codes('v3/')).toContain('schema/ambiguous-import');
    expect(codes('v1/')).toEqual([]);
    expect(codes('v2/')).toEqual(['schema/not-imported']);
  });
});

test('a set with one file of 123 bytes begins with the byte of “{” and is still a set', async () => {
  const file = create(FileDescriptorProtoSchema, { name: 'a.proto', messageType: [{ name: 'M'.repeat(110) }] });
  const set = toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: [file] }));
  expect(new TextDecoder().decode(set.subarray(0, 2))).toBe('\n{');
  expect(await compile('a.binpb', set)).toMatchObject({ codes: [], files: ['a.proto'] });
});
