import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { expandInputs } from './expand-inputs.ts';
import { readSchemaFiles, readSchemaFolder } from './schema-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'wirecost-inputs-'));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, 'in/far'), { recursive: true });
mkdirSync(join(folder, 'empty'));
mkdirSync(join(folder, 'node_modules'));
for (const name of [
  'b.pcap',
  'a.pcap',
  'c.binpb',
  'odd*name',
  '.hidden',
  'node_modules/f.pcap',
  'in/d.pcap',
  'in/far/e.pcap',
])
  writeFileSync(join(folder, name), '');

test.each([
  ['the standard input', '-', ['-']],
  ['a file', 'a.pcap', ['a.pcap']],
  ['a file that is not there, for its reader to refuse', 'z.pcap', ['z.pcap']],
  ['a folder, and those in it', '.', ['a.pcap', 'b.pcap', 'c.binpb', 'in/d.pcap', 'in/far/e.pcap', 'odd*name']],
  ['a pattern', '*.pcap', ['a.pcap', 'b.pcap']],
  ['one character', '?.binpb', ['c.binpb']],
  ['folders between', '**/*.pcap', ['a.pcap', 'b.pcap', 'in/d.pcap', 'in/far/e.pcap']],
  ['all files below a folder', 'in/**', ['in/d.pcap', 'in/far/e.pcap']],
  ['a pattern of folders', 'i*/d.*', ['in/d.pcap']],
  ['a file whose name is a pattern', 'odd*name', ['odd*name']],
  ['a pattern in a folder that is written in another way', './/in/..//in/./*.pcap', ['in/d.pcap']],
])('%s', async (_, input, expected) => {
  const at = (path: string) => (path === '-' ? path : join(folder, path));
  const { paths, notes } = await expandInputs([input === '-' ? input : `${folder}/${input}`]);
  expect([paths, notes]).toEqual([expected.map(at), []]);
});

test.each([
  [
    'links before their file',
    '*i*',
    ['z-file'],
    'link1 is the same file as z-file, which is counted once, as 1 more name',
  ],
  ['links and hard links', '.', ['hard1', 'z-file'], ', as 2 more names of files are'],
  ['hard links', 'hard?', ['hard1'], 'hard2 is the same file as hard1'],
  ['links alone', 'link?', ['link1'], 'link2 is the same file as link1'],
])('a folder or a pattern has a file with several names once: %s', async (_, input, expected, words) => {
  const names = mkdtempSync(join(folder, '.names-'));
  for (const name of ['z-file', 'hard1']) writeFileSync(join(names, name), name);
  linkSync(join(names, 'hard1'), join(names, 'hard2'));
  for (const name of ['link1', 'link2']) symlinkSync('z-file', join(names, name));
  const { paths, notes } = await expandInputs([join(names, input)]);
  expect(paths).toEqual(expected.map((name) => join(names, name)));
  expect(notes.map((note) => note.replaceAll(`${names}/`, ''))).toEqual([expect.stringContaining(words)]);
});

test('folders that link to one another are walked once each', async () => {
  const ring = join(folder, '.ring');
  const names = Array.from({ length: 12 }, (_, at) => `d${String.fromCharCode(97 + at)}`);
  for (const name of names) {
    mkdirSync(join(ring, name), { recursive: true });
    writeFileSync(join(ring, name, 'm'), '');
    for (const other of names) symlinkSync(`../${other}`, join(ring, name, `to-${other}`));
  }
  expect((await expandInputs([ring])).paths).toEqual(names.map((name) => join(ring, name, 'm')));
});

test('a link to a folder is followed, except in a circle', async () => {
  const linked = join(folder, '.linked');
  mkdirSync(linked);
  symlinkSync('../in', join(linked, 'link'));
  symlinkSync('.', join(linked, 'circle'));
  symlinkSync('nowhere', join(linked, 'broken'));
  expect((await expandInputs([linked])).paths).toEqual(
    ['broken', 'link/d.pcap', 'link/far/e.pcap'].map((name) => join(linked, name)),
  );
});

test('a folder of a schema is walked as one of inputs', async () => {
  const linked = join(folder, '.schemas');
  mkdirSync(join(linked, 'node_modules'), { recursive: true });
  mkdirSync(join(folder, '.elsewhere'));
  symlinkSync('../.elsewhere', join(linked, 'link'));
  symlinkSync('.', join(linked, 'circle'));
  for (const path of ['.schemas/a.proto', '.schemas/node_modules/c.proto', '.elsewhere/b.proto'])
    writeFileSync(join(folder, path), 'syntax = "proto3";');
  const expected = ['a.proto', 'link/b.proto'];
  expect((await readSchemaFiles([linked])).map(({ path }) => path)).toEqual(expected);
  expect((await readSchemaFolder(linked, () => true)).map(({ path }) => path)).toEqual(expected);
});

test.each([
  ['a folder without files', 'empty', 'is a folder without files'],
  ['a pattern that nothing matches', '*.har', 'No file matches'],
])('%s', async (_, input, words) => {
  await expect(expandInputs([join(folder, input)])).rejects.toThrow(words);
});
