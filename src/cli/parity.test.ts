/** One analysis behind both doors: the same files through the worker and through the command line. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openWorker, throughCommand } from './parity.testing.ts';

const ROOT = new URL('../../', import.meta.url);
const filesIn = (folder: string, pattern: RegExp): readonly string[] =>
  readdirSync(new URL(folder, ROOT))
    .filter((name) => pattern.test(name))
    .map((name) => `${folder}${name}`);

const FILES = [
  ...filesIn('fixtures/input/', /(?<!\.fds)\.binpb$|\.typed\.bin$/),
  ...filesIn('fixtures/capture/', /\.(pcap|pcapng|har)(\.gz)?$/),
  ...filesIn('public/samples/', /\.(binpb|pcap)$/),
];
const CAPTURES = FILES.filter((file) => /\.(pcap|pcapng|har)(\.gz)?$/.test(file));

const bundled = readdirSync(new URL('schemas/', ROOT), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.proto'))
  .map((path) => ({ path, content: readFileSync(new URL(`schemas/${path}`, ROOT), 'utf8') }));

/** A schema that knows none of the messages. */
const OTHER = {
  path: 'other.proto',
  content: 'syntax = "proto3"; package other; message Other { fixed32 odd = 9999; }',
};
const folder = mkdtempSync(join(tmpdir(), 'wirecost-'));

const bytesOf = (file: string) => new Uint8Array(readFileSync(new URL(file, ROOT)));
const pathOf = (file: string): string => new URL(file, ROOT).pathname;

const [shipped, foreign] = [await openWorker([], bundled), await openWorker([OTHER], [])];
afterAll(() => {
  shipped.close();
  foreign.close();
  rmSync(folder, { recursive: true });
});

describe('with the schemas that ship', () => {
  test.each(FILES)('%s', async (file) => {
    expect(await shipped.analyze(file, bytesOf(file))).toEqual(await throughCommand(pathOf(file), []));
  });
});

test('messages without a type are read by field numbers, as deep as they show', async () => {
  const { profiles } = await foreign.analyze('x.pcapng', bytesOf('fixtures/capture/remote-write.pcapng'));
  expect(profiles.map(({ type, messages }) => [type, messages])).toEqual([['', 8]]);
  expect(profiles[0]!.fields.map(({ path }) => path)).toContain('?1.?1.?2');
});

describe('captures without a type that is known', () => {
  test.each(CAPTURES)('%s', async (file) => {
    const path = join(folder, OTHER.path);
    writeFileSync(path, OTHER.content);
    const command = await throughCommand(pathOf(file), [path]);
    const worker = await foreign.analyze(file, bytesOf(file));
    expect(command.plan === null ? { ...worker, plan: null, diagnostics: [] } : worker).toEqual(command);
  });
});
