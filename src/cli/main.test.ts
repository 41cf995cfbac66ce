/** The process around the command line, where its output cannot be written. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const home = join(import.meta.dirname, '../..');
const analyze = [
  join(home, 'node_modules/tsx/dist/cli.mjs'),
  ...['--tsconfig', 'config/tsconfig.page.json', 'src/cli/main.ts', 'analyze'],
  join(home, 'public/samples/prometheus-remote-write-1.binpb'),
];

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
