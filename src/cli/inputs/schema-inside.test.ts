/** Inputs that bring their schema: the command line reads them as the page does. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { afterAll, expect, test } from 'vitest';
import { run } from '../run.ts';

const folder = mkdtempSync(join(tmpdir(), 'schema-inside-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SCHEMA = 'syntax = "proto3"; package t; message Item { string name = 1; int64 size = 2; }';
const MESSAGE = Uint8Array.of(10, 3, 102, 111, 111, 16, 150, 1);
const utf8 = new TextEncoder();

function written(path: string, content: string | Uint8Array): string {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), content);
  return join(folder, path);
}

const schema = written('both/proto/t.proto', SCHEMA);
const message = written('both/data/one.binpb', MESSAGE);
const both = { 'proto/t.proto': utf8.encode(SCHEMA), 'data/one.binpb': MESSAGE };

test.each([
  ['a folder', [join(folder, 'both')]],
  ['an archive', [written('both.zip', zipSync(both))]],
  ['named files', [message, schema]],
])('%s of a message and its schema is read with it', async (_, inputs) => {
  const { code, out, err } = await run(['analyze', ...inputs, '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(out).types[0]).toMatchObject({ type: 't.Item', messages: 1 });
  expect(err).toContain('wirecost: read with the schema in');
  const advice = await run(['advise', ...inputs]);
  expect(advice.out).toContain('t.Item: 8 bytes');
  expect(advice.err).toContain('wirecost: read with the schema in');
});

test('an archive without a schema, a schema alone, and --schema stay as they are', async () => {
  const archive = written('alone.zip', zipSync({ 'one.binpb': MESSAGE }));
  expect((await run(['analyze', archive])).out).toContain('Without a type, 1 message');
  expect((await run(['analyze', schema])).err).toContain('is a .proto schema');
  const other = written('other.proto', SCHEMA.replace('package t', 'package other'));
  const { out, err } = await run(['analyze', join(folder, 'both'), '--schema', other]);
  expect(out).toContain('other.Item, 1 message');
  expect(err).not.toContain('read with the schema in');
  expect((await run(['analyze', written('one.gz', gzipSync(MESSAGE))])).out).toContain('Without a type, 1 message');
});

// message M { optional int32 a = 1; }
const FIELD = [0x12, 9, 0x0a, 1, 0x61, 0x18, 1, 0x20, 1, 0x28, 5];
const FILE = [0x0a, 7, ...utf8.encode('m.proto'), 0x22, 3 + FIELD.length, 0x0a, 1, 0x4d, ...FIELD];
const SET = Uint8Array.of(0x0a, FILE.length, ...FILE);

test.each([
  ['set.desc.gz', gzipSync(SET)],
  ['image.binpb', SET],
  ['image.pb.gz', gzipSync(SET)],
])('a folder with %s is a schema without the messages beside it', async (name, content) => {
  const set = written(`${name} alone/${name}`, content);
  written(`${name} alone/one.pb`, MESSAGE);
  const { out, err } = await run(['analyze', message, '--type', 'M', '--schema', join(set, '..')]);
  expect(err).toBe('');
  expect(out).toContain('M, 1 message');
});

test('a descriptor set that is named as messages are is the schema of the messages beside it', async () => {
  const set = written('set beside/image.binpb', SET);
  written('set beside/one.binpb', Uint8Array.of(8, 1));
  const { out, err } = await run(['analyze', join(set, '..'), '--type', 'M']);
  expect(err).toContain('wirecost: read with the schema in');
  expect(out).toContain('M, 1 message');
});
