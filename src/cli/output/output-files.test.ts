/** No command writes over a file that it reads. */
import { chmodSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { keepingFiles } from '../kept-files.testing.ts';
import { run } from '../run.ts';
import { writeOutput } from './output-files.ts';

const { at, write } = keepingFiles();

const IMPORTED = 'syntax = "proto3"; package t; message Part { int32 b = 1; }';
const SCHEMA = 'syntax = "proto3"; package t; import "part.proto"; message Item { int64 a = 1; Part part = 2; }';
// Item { a: -1 }, Item { a: -2 }, each after its length
const BYTES = Buffer.from(`0b08${'ff'.repeat(9)}010b08fe${'ff'.repeat(8)}01`, 'hex');
const CHANGES = JSON.stringify([{ change: 'type', message: 't.Item', field: 'a', from: 'int64', to: 'sint64' }]);

const files = {
  'after.binpb': BYTES,
  'after.fds.binpb': SCHEMA,
  'fields.csv': BYTES,
  'item.proto': SCHEMA,
  'part.proto': IMPORTED,
  'changes.json': CHANGES,
};

for (const [name, content] of Object.entries(files)) write(name, content);
linkSync(at('item.proto'), at('linked.proto'));
symlinkSync('item.proto', at('symbolic.proto'));

const advise = (input: string, ...more: readonly string[]) => [
  ...['advise', input, '-s', 'item.proto', '-t', 't.Item', '--framing', 'varint', '--compressor', 'zstd'],
  ...['--changes', 'changes.json', ...more],
];

test.each([
  ['the input of advise', advise('after.binpb', '--out', '.'), 'after.binpb'],
  ['the input of advise, by the patch', advise('fields.csv', '--patch', 'fields.csv'), 'fields.csv'],
  ['the schema of advise', advise('fields.csv', '--patch', 'item.proto'), 'item.proto'],
  ['an imported schema', advise('fields.csv', '--patch', 'part.proto'), 'part.proto'],
  ['a schema by another name', advise('fields.csv', '--patch', 'linked.proto'), 'linked.proto'],
  ['a schema by a link', advise('fields.csv', '--patch', 'symbolic.proto'), 'symbolic.proto'],
  ['the changes of advise', advise('fields.csv', '--patch', 'changes.json'), 'changes.json'],
  [
    'the input of report',
    ['report', 'fields.csv', '-s', 'item.proto', '-t', 't.Item', '--framing', 'varint', '--out', '.'],
    'fields.csv',
  ],
])('%s is kept', async (_, args, kept) => {
  const paths = new Set([...Object.keys(files), '.', 'linked.proto', 'symbolic.proto']);
  const { code, err } = await run(args.map((word) => (paths.has(word) ? at(word) : word)));
  expect([code, err]).toEqual([1, expect.stringContaining(`${at(kept)} is read here, so it is not written over`)]);
  for (const [name, content] of Object.entries(files))
    expect(readFileSync(at(name)).equals(Buffer.from(content)), name).toBe(true);
});

test('the outputs of one command may be the inputs of another', async () => {
  const args = advise(at('fields.csv'), '--out', at('made')).map((word) => (word in files ? at(word) : word));
  expect(await run(args)).toMatchObject({ code: 0 });
  expect(await run(['analyze', at('made/after.binpb'), '-s', at('made/after.fds.binpb')])).toMatchObject({ code: 0 });
  expect(await run(args)).toMatchObject({ code: 0 });
});

/** As a disk that is full after the first bytes. */
async function* cutShort(): AsyncGenerator<string> {
  yield 'ha';
  throw Object.assign(new Error(), { code: 'ENOSPC' });
}

test('a file that is written over stays whole where the new one cannot be written', async () => {
  mkdirSync(at('full'));
  const path = write('full/kept.md', '# Kept');
  await expect(writeOutput(path, cutShort())).rejects.toThrow(`${path} cannot be written: no space is left`);
  await expect(writeOutput(at('full/new.md'), cutShort())).rejects.toThrow('no space is left');
  expect([readFileSync(path, 'utf8'), readdirSync(at('full'))]).toEqual(['# Kept', ['kept.md']]);
});

test('a file that is written over keeps its mode, and a link to it stays one', async () => {
  mkdirSync(at('modes'));
  const path = write('modes/kept.md', 'old');
  chmodSync(path, 0o640);
  symlinkSync('kept.md', at('modes/link.md'));
  await writeOutput(at('modes/link.md'), 'new');
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['new', 0o640]);
  expect(lstatSync(at('modes/link.md')).isSymbolicLink()).toBe(true);
  expect(readdirSync(at('modes'))).toEqual(['kept.md', 'link.md']);
});
