/** No command writes over a file that it reads. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { keepingFiles } from '../kept-files.testing.ts';
import { run } from '../run.ts';
import { writeOutput } from './output-files.ts';

const { at, write } = keepingFiles();

/** As the platform answers for a file that is mounted alone (EBUSY), or is another owner's in a shared folder (EPERM). */
vi.mock('node:fs/promises', async (original) => {
  const platform = await original<typeof import('node:fs/promises')>();
  const rename: typeof platform.rename = async (from, to) => {
    const code = /in-place-(\w+)\.md$/.exec(String(to))?.[1];
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    await platform.rename(from, to);
  };
  return { ...platform, rename };
});

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

test('a file with several names has the new text under each', async () => {
  mkdirSync(at('names'));
  const path = write('names/one.md', 'the old text');
  linkSync(path, at('names/two.md'));
  await writeOutput(path, 'new');
  expect([readFileSync(path, 'utf8'), readFileSync(at('names/two.md'), 'utf8')]).toEqual(['new', 'new']);
  expect(readdirSync(at('names'))).toEqual(['one.md', 'two.md']);
});

test.each(['EBUSY', 'EPERM', 'EXDEV'])('a file that cannot be replaced (%s) is written where it is', async (code) => {
  mkdirSync(at(code));
  const path = write(`${code}/in-place-${code}.md`, 'the old text');
  const { ino } = statSync(path);
  async function* once() {
    yield 'new';
  }
  await writeOutput(path, once());
  expect([readFileSync(path, 'utf8'), statSync(path).ino]).toEqual(['new', ino]);
  expect(readdirSync(at(code))).toHaveLength(1);
});

test('other errors of replacing a file are reported, and it stays whole', async () => {
  mkdirSync(at('failing'));
  const path = write('failing/in-place-EIO.md', 'old');
  await expect(writeOutput(path, 'new')).rejects.toThrow(`${path} cannot be written: EIO`);
  expect([readFileSync(path, 'utf8'), readdirSync(at('failing'))]).toEqual(['old', ['in-place-EIO.md']]);
});

test('a draft has no more readers than the file that it replaces', async () => {
  mkdirSync(at('secret'));
  const path = write('secret/kept.md', 'old');
  chmodSync(path, 0o600);
  const modes: number[] = [];
  async function* watched() {
    modes.push(...readdirSync(at('secret')).map((name) => statSync(at(`secret/${name}`)).mode & 0o777));
    yield 'new';
  }
  await writeOutput(path, watched());
  expect([readFileSync(path, 'utf8'), modes]).toEqual(['new', [0o600, 0o600]]);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('a command that %s stops leaves no draft', async (signal) => {
  mkdirSync(at(signal));
  const path = write(`${signal}/costs.md`, 'old');
  const script = `
    import { writeOutput } from ${JSON.stringify(join(import.meta.dirname, 'output-files.ts'))};
    async function* endless() { yield 'new'; console.log('begun'); await new Promise((done) => setTimeout(done, 1e9)); }
    await writeOutput(${JSON.stringify(path)}, endless());`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    env: { ...process.env, TSX_TSCONFIG_PATH: join(import.meta.dirname, '../../../config/tsconfig.page.json') },
  });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  expect(readdirSync(at(signal))).toHaveLength(2);
  child.kill(signal);
  expect(await ended).toEqual([null, signal]);
  expect([readdirSync(at(signal)), readFileSync(path, 'utf8')]).toEqual([['costs.md'], 'old']);
});
