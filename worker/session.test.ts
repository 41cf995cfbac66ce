/** The session over a real channel and the real engine: the answers to the page's calls. */
import { readFileSync } from 'node:fs';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import type { FoundNames } from '#engine/explore/find-names.ts';
import type { InspectedSide } from '#engine/inspect/inspect.ts';
import { pathAt, rowOf } from '#engine/inspect/row-address.ts';
import { Flag, parentAt } from '#engine/model/annotation.ts';
import { pathText } from '#engine/wire/path-tree.ts';
import { columnsOf } from '#testing/table-columns.ts';
import { ask, startClient } from './client.testing.ts';
import type { Client } from './connect.ts';
import { EVERYTHING, IN_ORDER } from './requests.testing.ts';
import type { SchemaFile } from './schema-api.ts';
import { createSession } from './session.ts';

const pathsOf = (side: InspectedSide): readonly string[] =>
  Array.from(side.paths.parent, (_, index) => pathText(side.paths, side.table, index));

const SCHEMA = `syntax = "proto3";
package t;
message Batch { repeated Item items = 1; }
message Item { string name = 1; int64 size = 2; repeated int32 widths = 3; }
`;
/** Item { name: "foo" size: 150 } and Item { name: "hello" widths: [1, 2] } */
const FOO = '0a03666f6f109601';
const HELLO = '0a0568656c6c6f1a020102';
/** Both, each after its varint length. */
const DELIMITED = `08${FOO}0b${HELLO}`;

const unhex = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const blob = (hex: string) => new Blob([unhex(hex)]);
/** The context of a call whose reports are not looked at. */
const SILENT = { progress: () => undefined, soFar: () => undefined, transfer: () => 0 };
const params = { ...EVERYTHING, type: 't.Item', nativeProfile: 'opensearch', overrides: {} };

async function startWith(hex: string, framing?: string): Promise<Client> {
  const client = startClient();
  await ask(client, 'setSchema', { files: [{ path: 't.proto', content: SCHEMA }] });
  await ask(client, 'openInput', {
    name: 'x',
    data: blob(hex),
    textEncoding: 'binary',
    ...(framing ? { framing } : {}),
  });
  return client;
}

describe('the schema', () => {
  test('its types, without map entries and well-known ones', async () => {
    const client = startClient();
    const { types, diagnostics, files } = await ask(client, 'setSchema', {
      files: [{ path: 't.proto', content: SCHEMA }],
    });
    expect(types).toBe(2);
    const choices = await ask(client, 'chooseTypes', {
      query: '',
      ranking: [],
      used: null,
      bundled: 'none',
      limit: 10,
    });
    expect(choices.map(({ type: { fullName, nested } }) => [fullName, nested])).toEqual([
      ['t.Batch', false],
      ['t.Item', false],
    ]);
    expect(await ask(client, 'hasType', { name: 't.Item' })).toBe(true);
    expect(await ask(client, 'hasType', { name: 't.Nothing' })).toBe(false);
    expect(diagnostics).toEqual([]);
    expect(files).toContain('t.proto');
  });

  test('its faults, at their places', async () => {
    const { diagnostics } = await ask(startClient(), 'setSchema', {
      files: [{ path: 'a.proto', content: 'syntax = "proto3";\nmessage A { B b = 1; }' }],
    });
    expect(diagnostics[0]).toMatchObject({ space: 'schema', file: 'a.proto', line: 2, severity: 'error' });
  });

  test.each(['setSchema', 'setBundled', 'setOther'] as const)(
    'a cancelled %s that ends late does not replace what was set meanwhile',
    async (method) => {
      const handlers = createSession();
      const call: (params: never, context: never) => unknown = handlers[method];
      const set = async (content: string | Blob, { signal }: AbortController) =>
        call({ files: [{ path: 'a.proto', content }], shelf: [] } as never, { ...SILENT, signal } as never);
      const going = new AbortController();
      const context = { ...SILENT, signal: going.signal };
      const texts: ((text: string) => void)[] = [];
      const late = Object.assign(new Blob(), { text: () => new Promise<string>((resolve) => texts.push(resolve)) });

      const abort = new AbortController();
      const cancelled = set(late, abort);
      await expect.poll(() => texts.length).toBe(1);
      abort.abort();
      await set('message New {}', going);
      texts[0]!('message Old {}');
      await expect(cancelled).rejects.toThrow();
      if (method !== 'setOther') expect(await handlers.hasType({ name: 'New' }, context)).toBe(true);
      else expect(await handlers.compare({ limit: 9 }, context)).toMatchObject({ types: [{ after: 'New' }] });
    },
  );
});

test('a file that was sent before is only named, and a Blob is read here', async () => {
  const client = startClient();
  await ask(client, 'holdFiles', { files: [{ path: 't.proto', content: new Blob([SCHEMA]) }] });
  for (let pass = 0; pass < 2; pass++) {
    const { types } = await ask(client, 'setSchema', { files: [{ path: 't.proto', content: null }] });
    expect(types).toBe(2);
  }
  const { types } = await ask(client, 'setSchema', { files: [{ path: 'o.proto', content: 'message Other {}' }] });
  expect(types).toBe(1);
});

describe('bundled schemas', () => {
  const SHIPPED = [
    {
      path: 'shop/shop.proto',
      content:
        'syntax = "proto3"; package shop; import "shop/line.proto"; message Shop { string name = 1; repeated Line lines = 2; }',
    },
    { path: 'shop/line.proto', content: 'syntax = "proto3"; package shop; message Line { int64 price = 1; }' },
    {
      path: 'layouts.proto',
      content: 'syntax = "proto3"; package org.opensearch.stream; message Ping { int64 at = 1; }',
    },
  ];
  const page = { nativeProfile: 'opensearch', overrides: {} };

  test('is browsed without loaded files, and beside them', async () => {
    for (const client of [startClient(), await startWith(FOO)]) {
      const { types, files } = await ask(client, 'setBundled', { files: SHIPPED });
      expect([types, files]).toEqual([2, ['shop/line.proto', 'shop/shop.proto', 'layouts.proto']]);
      const roots = await ask(client, 'treeNodes', { shelf: 'bundled', order: 'package', parent: null });
      expect(roots.map(({ id }) => id)).toEqual(['package:org.opensearch.stream', 'package:shop']);
      const { names } = await ask(client, 'findNames', { shelf: 'bundled', query: 'price', scope: 'all', limit: 5 });
      expect(names).toMatchObject([{ name: 'shop.Line.price' }]);
      expect(await ask(client, 'describe', { of: 'type', name: 'shop.Line', ...page })).toMatchObject({
        kind: 'message',
        usedBy: expect.anything(),
      });
      expect(await ask(client, 'describe', { of: 'file', name: 'shop/line.proto', ...page })).not.toBeNull();
      expect(await ask(client, 'pagesIn', { file: 'shop/line.proto' })).not.toBeNull();
    }
  });

  test('are named by file and package where they are in use; a loaded type of the same name is used', async () => {
    const client = startClient();
    await ask(client, 'setBundled', { files: SHIPPED });
    const inUse = () => ask(client, 'sourcesOf', { types: ['shop.Shop'] });
    expect(await inUse()).toEqual([
      { file: 'shop/shop.proto', package: 'shop', shelf: 'bundled', types: ['shop.Shop'] },
      { file: 'shop/line.proto', package: 'shop', shelf: 'bundled', types: [] },
    ]);
    const content = 'syntax = "proto3"; package shop; message Shop { string name = 1; }';
    await ask(client, 'setSchema', { files: [{ path: 'mine.proto', content }] });
    expect(await inUse()).toEqual([{ file: 'mine.proto', package: 'shop', shelf: 'loaded', types: ['shop.Shop'] }]);
  });

  test('is offered for messages; layouts of native messages and what a loaded type hides are not', async () => {
    const client = startClient();
    await ask(client, 'setBundled', { files: SHIPPED });
    await ask(client, 'setSchema', { files: [SHIPPED[1]!] });
    const choices = await ask(client, 'chooseTypes', {
      query: '',
      ranking: [],
      used: null,
      bundled: 'compared',
      limit: 9,
    });
    expect(choices.map(({ type: { fullName }, shelf }) => `${fullName} ${shelf}`)).toEqual([
      'shop.Line loaded',
      'shop.Shop bundled',
    ]);
  });
});

describe('exploring', () => {
  test('the tree, a search and a page', async () => {
    const client = await startWith(FOO);
    expect(
      (await ask(client, 'treeNodes', { shelf: 'loaded', order: 'package', parent: null })).map(({ id }) => id),
    ).toEqual(['package:t']);
    expect(await ask(client, 'treeWay', { shelf: 'loaded', order: 'file', of: 'type', name: 't.Item.size' })).toEqual([
      'file:t.proto',
      'message:t.Item',
    ]);
    expect(
      (await ask(client, 'findNames', { shelf: 'loaded', query: 'wid', scope: 'members', limit: 5 })).names,
    ).toMatchObject([{ name: 't.Item.widths', type: 'repeated int32' }]);
    const page = { nativeProfile: 'opensearch', overrides: {} };
    expect(await ask(client, 'describe', { of: 'type', name: 't.Item', ...page })).toMatchObject({ kind: 'message' });
    expect(await ask(client, 'describe', { of: 'file', name: 't.proto', ...page })).toMatchObject({ package: 't' });
    expect(await ask(client, 'describe', { of: 'package', name: 'u', ...page })).toBeNull();
  });
});

describe('an archive', () => {
  const utf8 = new TextEncoder();
  const unpackAll = async (client: Client, archive: SchemaFile) => {
    const parts: (readonly SchemaFile[])[] = [];
    const codes: string[] = [];
    for (let next: SchemaFile | null = archive; ; next = null) {
      const { files, diagnostics } = await ask(client, 'unpackArchive', { archive: next });
      codes.push(...diagnostics.map(({ code }) => code));
      if (files.length === 0) return { parts, codes };
      parts.push(files);
    }
  };

  test('gives its files, which are not sent again', async () => {
    const client = startClient();
    const packed = zipSync({ 'a/t.proto': utf8.encode(SCHEMA), 'a/LICENSE': new Uint8Array(1) });
    const { parts } = await unpackAll(client, { path: 'a.zip', content: new Blob([packed.slice()]) });
    expect(parts.flat().map(({ path }) => path)).toEqual(['a/t.proto']);
    expect(await (parts[0]![0]!.content as Blob).text()).toBe(SCHEMA);
    const { files } = await ask(client, 'setSchema', { files: [{ path: 'a/t.proto', content: null }] });
    expect(files).toEqual(['a/t.proto']);
    // The type of `items`.
    const offset = SCHEMA.indexOf('Item');
    expect(await ask(client, 'definitionAt', { file: 'a/t.proto', offset })).toMatchObject({ line: 4, column: 9 });
  });

  test('a schema of hundreds of files comes in parts', async () => {
    const entries = Array.from({ length: 250 }, (_, index) => [`${index}.proto`, utf8.encode('')] as const);
    const { parts } = await unpackAll(startClient(), { path: 'a.zip', content: zipSync(Object.fromEntries(entries)) });
    expect(parts.map((files) => files.length)).toEqual([100, 100, 50]);
  });

  test('reports entries that cannot be unpacked', async () => {
    const content = zipSync({ 'a.proto': utf8.encode(SCHEMA), 'b.proto': utf8.encode('') });
    content[60]! ^= 255;
    const { parts, codes } = await unpackAll(startClient(), { path: 'a.zip', content });
    expect([parts.flat().map(({ path }) => path), codes]).toEqual([['b.proto'], ['schema/unreadable']]);
  });

  test.each([
    ['bytes that are not a descriptor set', utf8.encode(SCHEMA), []],
    ['one without a directory', zipSync({ 'a.proto': utf8.encode(SCHEMA) }).subarray(0, 60), ['schema/not-an-archive']],
  ] as const)('%s has no files', async (_, content, expected) => {
    const { parts, codes } = await unpackAll(startClient(), { path: 'a.zip', content });
    expect([parts, codes]).toEqual([[], expected]);
  });
});

describe('text of files that are not loaded as text', () => {
  test('printed from descriptors: names have positions once the members are listed', async () => {
    const client = startClient();
    // message M { optional int32 a = 1; }
    const field = [0x12, 9, 0x0a, 1, 0x61, 0x18, 1, 0x20, 1, 0x28, 5];
    const file = [0x0a, 7, ...new TextEncoder().encode('m.proto'), 0x22, 3 + field.length, 0x0a, 1, 0x4d, ...field];
    const content = Uint8Array.of(0x0a, file.length, ...file);
    await ask(client, 'setSchema', { files: [{ path: 'm.binpb', content }] });
    const whole = await ask(client, 'pagesIn', { file: 'm.proto' });
    expect(whole?.symbols.map(({ fullName }) => fullName)).toEqual(['M']);
    const name = { kind: 'message', fullName: 'M', start: 9, end: 10, extent: { start: 1, end: 12 } } as const;
    await ask(client, 'placeNames', { path: 'm.proto', text: '\nmessage M {}', names: [name] });
    expect(await ask(client, 'definitionAt', { file: 'm.proto', offset: 9 })).toMatchObject({ line: 2, column: 9 });
    expect(await ask(client, 'unplacedFiles', { file: 'm.proto', offset: 9, users: 5 })).toEqual([]);
    expect(await ask(client, 'pagesIn', { file: 'none.proto' })).toBeNull();
  });
});

describe('a descriptor set', () => {
  test('can be searched at once, and is checked on request', async () => {
    const client = startClient();
    // message M { optional int32 a = 1; optional int32 b = 1; }
    const field = (name: string) => [0x12, 9, 0x0a, 1, name.charCodeAt(0), 0x18, 1, 0x20, 1, 0x28, 5];
    const message = [0x0a, 1, 0x4d, ...field('a'), ...field('b')];
    const file = [0x0a, 7, ...new TextEncoder().encode('m.proto'), 0x22, message.length, ...message];
    const content = Uint8Array.of(0x0a, file.length, ...file);
    const summary = await ask(client, 'setSchema', { files: [{ path: 'm.binpb', content }] });
    expect(summary).toMatchObject({ files: ['m.proto'], types: 1, diagnostics: [] });
    const found: (readonly string[])[] = [];
    const onSoFar = ({ names }: FoundNames): unknown => found.push(names.map(({ name }) => name));
    const last = await client.call('findNames', { shelf: 'loaded', query: 'm', scope: 'all', limit: 9 }, { onSoFar });
    if (last.ok) onSoFar(last.value);
    expect(found).toEqual([
      ['M', 'm.proto'],
      ['M', 'm.proto', 'M.a'],
    ]);
    for (let pass = 0; pass < 2; pass++)
      expect(await ask(client, 'lookThrough', {})).toMatchObject([
        { code: 'schema/duplicate-number', file: 'm.proto' },
      ]);
  });
});

describe('an input', () => {
  test('pasted hex is decoded and read as one message', async () => {
    const client = startClient();
    const data = new Blob(['0a 03 66 6f 6f 10 96 01']);
    const summary = await ask(client, 'openInput', { name: 'paste', data });
    expect(summary).toMatchObject({ size: 23, bytes: 8, messages: 1, payloadBytes: 8, framingBytes: 0 });
    expect(summary.kind === 'payloads' && [summary.textEncoding.id, summary.textEncodings.length > 1]).toEqual([
      'hex',
      true,
    ]);
  });

  test('size-prefixed messages are split, and every byte is counted', async () => {
    const client = startClient();
    const summary = await ask(client, 'openInput', { name: 'x', data: blob(DELIMITED) });
    expect(summary).toMatchObject({ messages: 2, payloadBytes: 19, framingBytes: 2, unattributedBytes: 0 });
  });

  test('types are ranked by the share that they explain', async () => {
    const client = await startWith(DELIMITED);
    const plan = await ask(client, 'planReading', EVERYTHING);
    expect(plan).toMatchObject({ why: 'presumed', type: 't.Item' });
    expect(plan.candidates[0]).toMatchObject({ type: 't.Item', score: 1 });
  });

  test('a type with an error is left out of the ranking and named, and can be chosen', async () => {
    const client = await startWith(DELIMITED);
    const content = SCHEMA.replace('int64 size', 'Missing size');
    await ask(client, 'setSchema', {
      files: [{ path: 't.proto', content: `${content}message Other { bool is = 9; }` }],
    });
    const plan = await ask(client, 'planReading', EVERYTHING);
    expect(plan.leftOut?.toSorted()).toEqual(['t.Batch', 't.Item']);
    expect(plan.candidates.map(({ type }) => type)).not.toContain('t.Item');
    const { profiles } = await ask(client, 'analyze', params);
    expect(profiles[0]?.fields.map(({ name }) => name)).toEqual(expect.arrayContaining(['name', '?2', 'widths']));
  });

  test('a cancelled call that ends late does not replace the input that was opened meanwhile', async () => {
    const handlers = createSession();
    const going = { ...SILENT, signal: new AbortController().signal };
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const capture = readFileSync(new URL('../fixtures/capture/vitess-gzip.pcapng', import.meta.url));
    const late = new Blob([capture]);
    late.slice = (start, end) =>
      Object.assign(new Blob(), {
        arrayBuffer: () => released.then(() => Uint8Array.from(capture.subarray(start, end)).buffer),
      });

    const abort = new AbortController();
    const cancelled = handlers.openInput({ name: 'late', data: late }, { ...SILENT, signal: abort.signal });
    abort.abort();
    await handlers.openInput({ name: 'x', data: blob(FOO), textEncoding: 'binary', framing: 'single' }, going);
    release();
    await expect(cancelled).rejects.toThrow();
    const { bytes } = await handlers.messages({ ...EVERYTHING, order: IN_ORDER, from: 0, to: 10 }, going);
    expect(bytes).toBe(unhex(FOO).length);
  });

  test('a call before an input is open fails, and does not hang', async () => {
    expect(await startClient().call('analyze', params)).toMatchObject({ ok: false, cancelled: false });
  });
});

describe('the analysis', () => {
  test('sums to the payloads', async () => {
    const client = await startWith(DELIMITED);
    const {
      profiles: [profile],
      diagnostics,
    } = await ask(client, 'analyze', params);
    expect(profile).toMatchObject({
      type: 't.Item',
      messages: 2,
      ledgers: { protobuf: { bytes: 19 } },
      unattributed: 0,
    });
    expect(diagnostics).toEqual([]);
  });

  test('an unknown type falls back to field numbers', async () => {
    const client = await startWith(DELIMITED);
    const {
      profiles: [profile],
    } = await ask(client, 'analyze', { ...params, type: 't.Nothing' });
    expect(profile).toMatchObject({ pair: ['protobuf', null] });
  });

  test('without a type, nested messages are guessed, and every byte is counted', async () => {
    const client = await startWith(`0a08${FOO}0a0b${HELLO}`, 'single');
    const {
      profiles: [profile],
      diagnostics,
    } = await ask(client, 'analyze', { ...params, type: null });
    expect(profile).toMatchObject({ type: '', pair: ['protobuf', null], unattributed: 0 });
    expect(profile?.fields.map(({ path, declared, writer }) => [path, declared?.kind, writer])).toEqual([
      ['?1', 'message', null],
      ['?1.?1', 'string', null],
      ['?1.?2', 'uint64', null],
      ['?1.?3', 'string', null],
    ]);
    expect(diagnostics).toEqual([]);
  });

  test('a guess that a message contradicts is dropped, without a finding about the message', async () => {
    // Every second one of 300 messages { 1: { 1: 5 } } is sampled; one of the others holds { 1: "\\xff" }.
    const client = await startWith(`${'040a020805'.repeat(149)}030a01ff${'040a020805'.repeat(150)}`, 'varint');
    const {
      profiles: [profile],
      diagnostics,
    } = await ask(client, 'analyze', { ...params, type: null });
    expect(profile).toMatchObject({ messages: 300, unattributed: 0 });
    expect(profile?.fields.map(({ path, declared }) => [path, declared])).toEqual([['?1', null]]);
    expect(diagnostics).toEqual([]);
  });
});

describe('the message list', () => {
  const bySize = (descending: boolean) => ({ column: 'bytes', descending }) as const;
  test.each([
    ['in order', IN_ORDER, {}, [0, 1]],
    ['the other way', { ...IN_ORDER, descending: true }, {}, [1, 0]],
    ['largest first', bySize(true), {}, [1, 0]],
    ['smallest first', bySize(false), {}, [0, 1]],
    ['holding text', IN_ORDER, { text: 'hell' }, [1]],
    ['holding what none holds', IN_ORDER, { text: 'xyz' }, []],
    ['not too small', IN_ORDER, { minBytes: 9 }, [1]],
    ['not too large', IN_ORDER, { maxBytes: 8 }, [0]],
    ['the chosen ones among all', IN_ORDER, { ordinals: [[1, 2]] }, [0, 1]],
  ] as const)('%s', async (_, order, scope, expected) => {
    const client = await startWith(DELIMITED);
    const wanted = { from: 0, to: 10, order, types: {}, scope: { ...EVERYTHING.scope, ...scope } };
    const { total, rows } = await ask(client, 'messages', wanted);
    expect([total, rows.map(({ ordinal }) => ordinal)]).toEqual([expected.length, expected]);
  });

  test('the types that a filter and an order look at are those of the schema that was set last', async () => {
    const client = startClient();
    const capture = readFileSync(new URL('../fixtures/capture/grpc-opensearch.pcap', import.meta.url));
    await ask(client, 'openInput', { name: 'x.pcap', data: new Blob([capture]) });
    const named = { scope: { ...EVERYTHING.scope, name: 'Zebra' }, types: {} };
    const window = { from: 0, to: 1, order: { column: 'type', descending: true } } as const;
    expect(await ask(client, 'messages', { ...window, ...named })).toMatchObject({ total: 0 });
    const first = async () => (await ask(client, 'messages', { ...window, ...EVERYTHING })).rows[0]?.group;
    expect(await first()).not.toContain('Search');
    const content = `syntax = "proto3"; package org.opensearch.protobufs.services; message Zebra {} message Aardvark {}
      service SearchService { rpc Search(Zebra) returns (Aardvark); }`;
    await ask(client, 'setSchema', { files: [{ path: 'z.proto', content }] });
    expect(await first()).toBe('grpc request /org.opensearch.protobufs.services.SearchService/Search');
    expect(await ask(client, 'messages', { ...window, ...named })).toMatchObject({ total: 3 });
  });

  test('a row has position, size and beginning', async () => {
    const client = await startWith(DELIMITED);
    const { rows } = await ask(client, 'messages', { from: 1, to: 2, order: IN_ORDER, ...EVERYTHING });
    expect(rows).toMatchObject([{ ordinal: 1, offset: 10, size: 11, capturedBytes: 11, preview: 'hello', time: null }]);
  });

  test.each<[what: string, ordinals: readonly (readonly [number, number])[], messages: number, bytes: number]>([
    ['one range', [[1, 2]], 1, 11],
    [
      'ranges that overlap, in any order',
      [
        [1, 2],
        [0, 2],
        [1, 1],
      ],
      2,
      19,
    ],
    [
      'ranges that end beyond the last message',
      [
        [1, 9],
        [7, 9],
        [9, 7],
      ],
      1,
      11,
    ],
  ])('the profile has exactly the chosen messages: %s', async (_, ordinals, messages, bytes) => {
    const client = await startWith(DELIMITED);
    const scope = { ...EVERYTHING.scope, ordinals };
    const {
      profiles: [profile],
    } = await ask(client, 'analyze', { ...params, scope });
    expect(profile).toMatchObject({ messages, ledgers: { protobuf: { bytes } } });
  });
});

describe('an inspection', () => {
  test('both encodings, row by row, linked to each other', async () => {
    const client = await startWith(FOO);
    const { protobuf, native } = await ask(client, 'inspect', { ...params, ordinal: 0 });
    const rowAt = (side: typeof protobuf, path: string) => rowOf(side, { path, occurrence: 0 });
    expect([...protobuf.bytes]).toEqual([...unhex(FOO)]);
    const name = rowAt(protobuf, 'name');
    expect(native).not.toBeNull();
    expect(protobuf.counterpart[name]).toBe(rowAt(native!, 'name'));
    expect(native!.counterpart[rowAt(native!, 'name')]).toBe(name);
    // The native stream writes the empty list, protobuf does not.
    expect(native!.counterpart[rowAt(native!, 'widths')]).toBe(-1);
  });

  test('a packed run is linked to the list, not to its last element', async () => {
    const client = await startWith(HELLO);
    const { protobuf, native } = await ask(client, 'inspect', { ...params, ordinal: 0 });
    const run = rowOf(protobuf, { path: 'widths', occurrence: 0 });
    expect(protobuf.counterpart[run]).toBe(rowOf(native!, { path: 'widths', occurrence: 0 }));
  });

  test('a record of a list is linked to its element', async () => {
    const client = await startWith(`0a08${FOO}0a0b${HELLO}`, 'single');
    const { protobuf, native } = await ask(client, 'inspect', { ...params, type: 't.Batch', ordinal: 0 });
    const items = [...protobuf.path.keys()].filter((row) => pathAt(protobuf, row) === 'items');
    const list = rowOf(native!, { path: 'items', occurrence: 0 });
    expect(items.map((row) => parentAt(native!.table, protobuf.counterpart[row]!))).toEqual([list, list]);
  });

  test('the same message twice: no buffer that the worker keeps was transferred', async () => {
    const client = await startWith(FOO);
    await ask(client, 'openInput', { name: 'text', data: new Blob([FOO]) });
    const first = await ask(client, 'inspect', { ...params, ordinal: 0 });
    const second = await ask(client, 'inspect', { ...params, ordinal: 0 });
    expect(second).toEqual(first);
  });

  test('without a type there is no native side, and every row is marked as guessed', async () => {
    const client = await startWith(FOO);
    const { protobuf, native } = await ask(client, 'inspect', { ...params, type: null, ordinal: 0 });
    expect(native).toBeNull();
    expect(pathsOf(protobuf)).toEqual(['?1', '?2']);
    expect(
      columnsOf(protobuf.table)
        .flags.slice(1)
        .every((flags) => (flags & Flag.GUESS) !== 0),
    ).toBe(true);
  });
});

test('a second version beside the loaded one', async () => {
  const client = await startWith(FOO);
  expect(await ask(client, 'compare', { limit: 10 })).toBeNull();
  const files = [{ path: 't.proto', content: SCHEMA.replace('int64 size', 'sint64 size') }];
  await ask(client, 'setOther', { files, shelf: [] });
  const comparison = await ask(client, 'compare', { limit: 10 });
  expect(comparison).toMatchObject({ verdict: 'unsafe', unchanged: 1, more: 0 });
  expect(comparison?.types[0]?.fields).toMatchObject([{ kind: 'retyped', before: { name: 'size' } }]);
  expect(await ask(client, 'hasType', { name: 't.Item' })).toBe(true);
  await ask(client, 'setOther', { files: [], shelf: [] });
  expect(await ask(client, 'compare', { limit: 10 })).toBeNull();
});

test('the messages, written in both versions', async () => {
  const client = await startWith(DELIMITED);
  const shown = { ...params, shown: 't.Item' };
  expect(await ask(client, 'versionSizes', { profiles: [shown] })).toBeNull();
  const files = [{ path: 't.proto', content: SCHEMA.replace('int64 size', 'fixed64 size') }];
  await ask(client, 'setOther', { files, shelf: [] });
  const measured = await ask(client, 'versionSizes', { profiles: [shown, { ...shown, shown: 't.Nothing' }] });
  expect(measured).toMatchObject({
    outOf: 2,
    sizes: [{ type: 't.Item', messages: 2, before: 19, after: 25, lost: [], lostBytes: 0 }],
  });
  expect(measured?.sizes[0]?.fields).toContainEqual({ message: 't.Item', field: 'size', before: 3, after: 9 });
  const one = { ...shown, scope: { ...shown.scope, ordinals: [[1, 2]] as const } };
  expect(await ask(client, 'versionSizes', { profiles: [one] })).toMatchObject({ outOf: 1, sizes: [{ before: 11 }] });
});
