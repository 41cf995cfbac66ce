/** A receiver with the files that a link carries reads the same. Over a real channel and the real engine. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { heldTypes } from '#engine/cost/held-types.ts';
import { ask, startClient } from './client.testing.ts';
import { EVERYTHING } from './requests.testing.ts';
import type { SchemaFile } from './schema-api.ts';

const FIXTURES = new URL('../fixtures/', import.meta.url);
const SCHEMAS = new URL('../schemas/', import.meta.url);
const texts: readonly SchemaFile[] = readdirSync(SCHEMAS, { recursive: true, encoding: 'utf8' })
  .filter((path) => /^(?:opensearch|prometheus|vitess)\/.*\.proto$/.test(path))
  .map((path) => ({ path, content: readFileSync(new URL(path, SCHEMAS), 'utf8') }));
const set = (name: string): SchemaFile => ({
  path: `${name}.binpb`,
  content: new Uint8Array(readFileSync(new URL(`schema/sets/${name}.binpb`, FIXTURES))),
});

const open = (file: string, files: readonly SchemaFile[]) =>
  openBytes(file, new Uint8Array(readFileSync(new URL(file, FIXTURES))), files);

async function openBytes(name: string, bytes: Uint8Array<ArrayBuffer>, files: readonly SchemaFile[]) {
  const client = startClient();
  await ask(client, 'setSchema', { files });
  await ask(client, 'openInput', { name, data: new Blob([bytes]) });
  const { type } = await ask(client, 'planReading', EVERYTHING);
  const analysis = await ask(client, 'analyze', { ...EVERYTHING, type, nativeProfile: 'opensearch', overrides: {} });
  return { client, type, analysis };
}

const isSet = ({ path }: SchemaFile): boolean => !path.endsWith('.proto');
const sizeOf = (files: readonly SchemaFile[]): number =>
  files.reduce((sum, { content }) => sum + (content instanceof Blob ? content.size : content.length), 0);

test.each([
  ['gRPC, typed by its methods', 'capture/vitess-gzip.pcapng', texts, 'capture', 4],
  [
    'gRPC and a descriptor set',
    'capture/vitess-gzip.pcapng',
    [set('opensearch-api'), set('vitess-queryservice')],
    'capture',
    1,
  ],
  ['HTTP, typed by its messages', 'capture/remote-write.pcapng', texts, 'capture', 1],
  ['HTTP with messages of two types', 'capture/remote-write-1-and-2.pcapng', texts, 'capture', 2],
  [
    'a payload and descriptor sets',
    'input/codecfixture.rw1.binpb',
    [set('prometheus-rw1'), set('otlp-collector')],
    'payload',
    1,
  ],
  [
    'native messages, whose layouts may be of any file',
    'capture/opensearch-plain.pcap',
    texts,
    'capture',
    texts.length,
  ],
] as const)('%s', async (_, file, files, kind, count) => {
  const sender = await open(file, files);
  const held = sender.analysis.profiles.flatMap(heldTypes);
  const request = { type: kind === 'capture' ? null : sender.type, types: {}, held, sets: files.filter(isSet) };
  const { unneeded, sets, shipped } = await ask(sender.client, 'neededFiles', request);
  expect(shipped).toEqual([]);
  const kept = [...files.filter((each) => !isSet(each) && !unneeded.includes(each.path)), ...sets];
  expect(kept).toHaveLength(count);
  if (count < files.length) expect(sizeOf(kept)).toBeLessThan(0.6 * sizeOf(files));
  const receiver = await open(file, kept);
  expect(receiver.analysis).toEqual(sender.analysis);
});

test('messages with an Any take the files of the types in it, if all messages are analysed', async () => {
  const files = [
    ['box', 'import "google/protobuf/any.proto"; message Box { google.protobuf.Any any = 1; }'],
    ['held', 'message Held { string text = 1; }'],
    ['other', 'message Other { string text = 1; }'],
  ].map(([name, text]) => ({ path: `${name}.proto`, content: `syntax = "proto3"; package t; ${text}` }));
  // any { type_url: "x/t.Held" value { text: "a" } }
  const box = Buffer.from([0x0a, 15, 0x0a, 8, ...Buffer.from('x/t.Held'), 0x12, 3, 0x0a, 1, 0x61]);
  const postData = {
    mimeType: 'application/x-protobuf; messageType=t.Box',
    encoding: 'base64',
    text: box.toString('base64'),
  };
  const entry = { request: { method: 'POST', url: 'https://x/a', postData } };
  const har = new Uint8Array(Buffer.from(JSON.stringify({ log: { version: '1.2', entries: [entry] } })));
  const sender = await openBytes('a.har', har, files);
  const held = sender.analysis.profiles.flatMap(heldTypes);
  const neededWith = (known: readonly string[] | null) =>
    ask(sender.client, 'neededFiles', { type: null, types: {}, held: known, sets: [] });
  expect((await neededWith(held)).unneeded).toContain('other.proto');
  expect((await neededWith(null)).unneeded).toEqual([]);
  const { unneeded } = await neededWith(held);
  const receiver = await openBytes(
    'a.har',
    har,
    files.filter(({ path }) => !unneeded.includes(path)),
  );
  expect(receiver.analysis).toEqual(sender.analysis);
});
