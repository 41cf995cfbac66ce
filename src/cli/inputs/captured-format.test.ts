/** Messages of one type, of which some were captured as JSON: the figures of a profile are of its own messages. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { keepingFiles } from '../kept-files.testing.ts';
import { run } from '../run.ts';

const { at, write } = keepingFiles();
const NAME = 'a, b c; x?! '.repeat(4);
const PROTOBUF = Buffer.concat([Buffer.of(0x0a, NAME.length), Buffer.from(NAME), Buffer.of(0x10, 5)]);
const delimited = Buffer.concat([Buffer.of(PROTOBUF.length), PROTOBUF]);
const INPUTS = [
  write('a.binpb', Buffer.concat(new Array<Buffer>(10).fill(delimited))),
  write('b.ndjson', `${JSON.stringify({ name: NAME, size: '5' })}\n`.repeat(20)),
];
const schema = write('t.proto', 'syntax = "proto3"; package t; message Item { string name = 1; int64 size = 2; }');
const TYPE = ['--schema', schema, '--type', 't.Item'];

async function jsonOf(...args: readonly string[]) {
  const { code, out, err } = await run([...args, ...TYPE, '--json']);
  expect(code, err).toBe(0);
  return { ...JSON.parse(out), err };
}

test('sizes after compression', async () => {
  const sizesOf = async (inputs: readonly string[]) =>
    (await jsonOf('analyze', ...inputs, '--compressed')).types.map(
      ({ messages, compressed }: Record<string, unknown>) => ({ messages, compressed }),
    );
  const [[binary], [text]] = [await sizesOf([INPUTS[0]!]), await sizesOf([INPUTS[1]!])];
  expect(await sizesOf(INPUTS)).toEqual([text, binary]);
});

test('every encoding, and what the table leaves out', async () => {
  const [alone, both] = [
    await jsonOf('matrix', INPUTS[1]!, '--per', 'message'),
    await jsonOf('matrix', ...INPUTS, '--per', 'message'),
  ];
  expect(both).toMatchObject({ messages: 20, captured: 'json' });
  expect(both.encodings).toEqual(alone.encodings);
  expect(both.err).toContain('messages of t.Item that were captured in another format are left out');
});

test('a report', async () => {
  const { code, err } = await run(['report', ...INPUTS, ...TYPE, '--compressed', '--out', at('report')]);
  expect(code, err).toBe(0);
  const bitsOf = async (name: string) =>
    JSON.parse(await readFile(at(`report/${name}profile.wirecost.json`), 'utf8')).data.bits;
  expect(await bitsOf('')).toMatchObject({ messages: 20, outOf: 20 });
  expect(await bitsOf('2-')).toMatchObject({ messages: 10, outOf: 10 });
});

test('two inputs: messages are compared with those of their own format', async () => {
  const folder = dirname(INPUTS[0]!);
  mkdirSync(join(folder, 'both'));
  for (const input of INPUTS) copyFileSync(input, join(folder, 'both', basename(input)));
  const sidesOf = async (a: string, b: string) =>
    (await jsonOf('diff', a, b)).diffs.map(({ a: of, b: other, ledgers }: Record<string, Record<string, unknown>>) => [
      ...[of!['messages'], other!['messages']],
      ...[ledgers!['a'], ledgers!['b']],
    ]);
  expect(await sidesOf(join(folder, 'both'), join(folder, 'both'))).toEqual([
    [20, 20, 'captured-json', 'captured-json'],
    [10, 10, 'protobuf', 'protobuf'],
  ]);
  expect(await sidesOf(join(folder, 'both'), INPUTS[0]!)).toEqual([[10, 10, 'protobuf', 'protobuf']]);
  expect(await sidesOf(INPUTS[1]!, INPUTS[0]!)).toEqual([[20, 10, 'captured-json', 'protobuf']]);
});
