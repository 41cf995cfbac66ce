/** The process around the command line: its standard input, and output that cannot be written. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const home = join(import.meta.dirname, '../..');
const command = [
  join(home, 'node_modules/tsx/dist/cli.mjs'),
  ...['--tsconfig', 'config/tsconfig.page.json', 'src/cli/main.ts'],
];
const analyze = [...command, 'analyze', join(home, 'public/samples/prometheus-remote-write-1.binpb')];

test.each([
  ['as the first version', ['-', 'schemas/native/options.proto'], 'message H removed'],
  ['as the second version', ['schemas/native/options.proto', '-'], 'message H added'],
])('a schema is read from the standard input %s, with the imports of the folder', async (_, versions, change) => {
  const child = spawn(process.execPath, [...command, 'compare', ...versions], { cwd: home });
  child.stdin.end('syntax = "proto3"; import "schemas/native/options.proto"; message H { int32 a = 1; }');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  expect(err).not.toContain('options.proto: ');
  expect(out).toContain(change);
});

test('output that cannot be written is one line and code 1', async () => {
  const unwritable = openSync(analyze.at(-1)!, 'r');
  const child = spawn(process.execPath, analyze, { cwd: home, stdio: ['ignore', unwritable, 'pipe'] });
  closeSync(unwritable);
  const [err, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/^wirecost: [^\n]+\nwirecost: the output cannot be written: EBADF\n$/),
  ]);
});

test('readers that stop early do not change the code', async () => {
  const child = spawn(process.execPath, analyze, { cwd: home, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  child.stderr.destroy();
  expect(await once(child, 'exit')).toEqual([0, null]);
});
