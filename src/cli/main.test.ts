/** The process around the command line: its standard input, and output that cannot be written. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { decodeFragment } from '#permalink/fragment.ts';
import { parsePlace, schemaLinkIn } from '#state/addresses/place.ts';

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

const WRITES = ['public/samples/prometheus-remote-write-1.binpb', '-s', 'schemas/prometheus'];
const runWith = async (input: string | Uint8Array, ...args: readonly string[]) => {
  const child = spawn(process.execPath, [...command, ...args], { cwd: home });
  child.stdin.end(input);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, out, err };
};

test('a budget goes to the standard output, and comes from the standard input', async () => {
  const { out: budget } = await runWith('', 'check', ...WRITES, '--budget', '-', '--write');
  expect(JSON.parse(budget)).toMatchObject({ type: 'prometheus.WriteRequest' });
  expect(await runWith(budget, 'check', ...WRITES, '--budget', '-')).toMatchObject({
    code: 0,
    out: expect.stringContaining('within the budget'),
  });
  const piped = readFileSync(join(home, WRITES[0]!));
  const { out: ofPiped } = await runWith(piped, 'check', '-', ...WRITES.slice(1), '--budget', '-', '--write');
  expect(ofPiped).toBe(budget);
});

test.each([
  ['changes', '{}', ['advise', ...WRITES, '--changes', '-'], '- holds no array of changes'],
  ['a document', 'plain', ['figures', '-'], 'the standard input names no figure'],
])('%s: the standard input is read', async (_, input, args, words) => {
  const { code, err } = await runWith(input, ...args);
  expect([code, err]).toEqual([1, expect.stringContaining(words)]);
});

test('open serves the standard input as a file', async () => {
  const child = spawn(process.execPath, [...command, 'open', '-', '--print', '--port', '0'], { cwd: home });
  child.stdin.end('hello');
  const address = new URL(
    await new Promise<string>((done) => child.stdout.once('data', (line) => done(`${line}`.trim()))),
  );
  const opened = await decodeFragment(address.hash.slice(1));
  const data = opened.ok && opened.value.data.kind === 'address' ? opened.value.data.address : '';
  const served = await fetch(new URL(data, address));
  child.kill('SIGINT');
  await once(child, 'exit');
  expect([decodeURIComponent(data), await served.text()]).toEqual([
    expect.stringMatching(/\/standard input$/),
    'hello',
  ]);
});

test.each([
  ['a .proto file alone', ['schemas/prometheus/remote-write-1.proto'], 'schema', ['remote-write-1.proto']],
  ['a folder of schemas', ['schemas/prometheus'], 'schema', ['remote-write-1.proto', 'remote-write-2.proto']],
  ['--schema alone', ['-s', 'schemas/prometheus/remote-write-2.proto'], 'schema', ['remote-write-2.proto']],
  [
    'a schema beside messages',
    ['schemas/prometheus/remote-write-1.proto', 'public/samples/prometheus-remote-write-1.binpb'],
    undefined,
    ['remote-write-1.proto'],
  ],
])('open: %s', async (_, args, place, files) => {
  const child = spawn(process.execPath, [...command, 'open', ...args, '--print', '--port', '0'], { cwd: home });
  const printed = await new Promise<string>((done) => child.stdout.once('data', (line) => done(`${line}`.trim())));
  child.kill('SIGINT');
  await once(child, 'exit');
  const { hash } = new URL(printed);
  const opened = await decodeFragment(schemaLinkIn(hash) ?? hash.slice(1));
  expect(parsePlace(hash)?.at).toBe(place);
  expect(opened.ok && 'schema' in opened.value.data && opened.value.data.schema.map(({ path }) => path)).toEqual(files);
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
