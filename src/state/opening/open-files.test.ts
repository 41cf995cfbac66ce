/** Dropped files, pasted text and samples, opened: the input, the schema and the view afterwards. */

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { NO_STEP } from '#engine/frame/unwrap/wrapper-labels.ts';
import { startClient } from '#worker/client.testing.ts';
import { createActions } from '../actions.ts';
import { actions, BYTES, openPage, outside, SCHEMA, session, settled, store, unhex, view } from '../page.testing.ts';
import { sample } from '../sample.testing.ts';
import { shownType } from '../shown-profile.ts';
import { packFiles } from './pack-files.ts';
import type { Shipped } from './shipped.ts';

beforeEach(openPage);

test('a sample opens with its schema, type, native profile and figures', async () => {
  await actions.openSample(sample);
  expect(view()).toMatchObject({ type: 't.Item', nativeProfile: 'opensearch-tuned', panel: 'costs' });
  expect(session().analysis?.profiles[0]).toMatchObject({
    type: 't.Item',
    messages: 2,
    ledgers: { protobuf: { bytes: 15 } },
  });
  expect(session().inspection?.ordinal).toBe(0);
  expect(session()).toMatchObject({ job: null, failure: null });
});

test('a written address leaves all that it does not name to the sample', async () => {
  await actions.openPlace('#/sample/s?panel=matrix', null);
  expect(view()).toMatchObject({ type: 't.Item', nativeProfile: 'opensearch-tuned', panel: 'matrix' });
  expect(view().selection.path).not.toBeNull();
  await actions.openPlace('#/sample/s?selection={"path":null,"ordinal":1,"row":null}', null);
  expect(view()).toMatchObject({ type: 't.Item', nativeProfile: 'opensearch-tuned', selection: { ordinal: 1 } });
});

test('the field with the largest difference is selected, and its row is highlighted', async () => {
  await actions.openSample(sample);
  const { selection } = view();
  expect(selection.path).not.toBeNull();
  expect(selection.row).toMatchObject({ path: selection.path, occurrence: 0 });
});

test('pasted hex without a schema is read by field numbers', async () => {
  await actions.openText('0a 03 66 6f 6f');
  expect(view().type).toBeNull();
  expect(session().analysis?.profiles[0]).toMatchObject({
    pair: ['protobuf', null],
    ledgers: { protobuf: { bytes: 5 } },
  });
});

test('pasted schema text becomes a file, and explains the input that is open', async () => {
  await actions.openText('0a 03 66 6f 6f');
  await actions.openText(SCHEMA);
  expect(session().schemaFiles.map(({ path }) => path)).toEqual(['schema.proto']);
  expect(view()).toMatchObject({ panel: 'schema', type: 't.Item' });
});

test('a capture is read with the descriptors that servers sent in it, unless a schema is loaded', async () => {
  const capture = new File([readFileSync('fixtures/capture/grpc-reflection.pcap')], 'a.pcap');
  const types = () => [...new Set(Object.values(session().groupReadings).map(({ type }) => type))].sort();
  const found = ['routeguide.Feature', 'routeguide.Point', 'routeguide.Rectangle'];
  await actions.openFiles([capture]);
  expect(session().schemaFiles.map(({ path }) => path)).toEqual(['server-reflection.binpb']);
  expect(types()).toEqual(expect.arrayContaining(found));
  // They are the capture's, so the next input is read without them.
  await actions.openText('0a 03 66 6f 6f');
  expect(session()).toMatchObject({ schemaFiles: [], setAside: null });

  await actions.openText(SCHEMA);
  await actions.openFiles([capture]);
  expect(session().schemaFiles.map(({ path }) => path)).toEqual(['schema.proto']);
  expect(types()).not.toEqual(expect.arrayContaining(found));
});

test('while A and B are asked about, an opened file is B: the open one becomes A', async () => {
  await actions.openFiles([new File([unhex(BYTES)], 'a.bin'), new File([SCHEMA], 't.proto')]);
  actions.chooseQuestion('another');
  await actions.openFiles([new File([unhex(BYTES)], 'b.bin')]);
  expect(session()).toMatchObject({ input: { name: 'b.bin' }, baseline: { name: 'a.bin' } });
  await actions.openText('0a 03 66 6f 6f');
  expect(session()).toMatchObject({ input: { name: 'pasted text' }, baseline: { name: 'a.bin' } });
  actions.forgetBaseline();
  actions.chooseQuestion('composition');
  await actions.openFiles([new File([unhex(BYTES)], 'c.bin')]);
  expect(session()).toMatchObject({ input: { name: 'c.bin' }, baseline: null });
});

test('the selected field, row and message stay selected when a schema names it, and when the schema is removed', async () => {
  await actions.openText(BYTES);
  actions.selectMessage(1);
  actions.selectPath('?1');
  const places = () => ({ ...view().selection, root: view().root });
  expect(places()).toMatchObject({ path: '?1', ordinal: 1 });
  await actions.openText(SCHEMA);
  const row = { encoding: 'protobuf', occurrence: 0 };
  expect(view().type).toBe('t.Item');
  expect(places()).toMatchObject({ path: 'name', ordinal: 1, row: { ...row, path: 'name' } });
  await actions.forgetSchema();
  expect(view().type).toBeNull();
  expect(places()).toMatchObject({ path: '?1', ordinal: 1, row: { ...row, path: '?1' } });
});

test('the selected field stays selected under the name that another type gives it', async () => {
  await actions.openText('0a 03 66 6f 6f 10 01');
  await actions.openText(`${SCHEMA} message Alike { string title = 1; }`);
  actions.chooseType('t.Item');
  await expect.poll(() => session().analysis?.profiles[0]?.type).toBe('t.Item');
  actions.selectPath('name');
  actions.chooseType('t.Alike');
  await expect.poll(() => view().selection.path).toBe('title');
  actions.chooseType('t.Other');
  await expect.poll(() => view().selection.path).toBe('?1');
});

test('a schema that imports bundled files is complete, and only its own types are offered', async () => {
  await actions.openText('0a 05 0a 03 66 6f 6f');
  await actions.openText(
    'syntax = "proto3";\nimport "lib/outer.proto";\nimport "lib/none.proto";\nmessage Mine { lib.Outer outer = 1; }',
  );
  const { schema, plan, schemaFiles } = session();
  expect(schema?.types).toBe(1);
  expect(
    (await actions.ask('chooseTypes', { query: '', ranking: [], used: null, bundled: 'none', limit: 9 }))?.answer,
  ).toMatchObject([{ name: 'Mine' }]);
  expect(schema).toMatchObject({ files: ['schema.proto'], missing: [{ path: 'lib/none.proto' }] });
  expect(schema?.diagnostics.map(({ code }) => code)).toEqual(['schema/missing-import']);
  expect(plan?.candidates.map(({ type }) => type)).toEqual(['Mine']);
  expect(schemaFiles).toHaveLength(1);
});

test('the content of a file decides its kind', async () => {
  await actions.openFiles([new File([unhex(BYTES)], 'a.bin'), new File([SCHEMA], 'any.txt')]);
  expect(session().schemaFiles.map(({ path }) => path)).toEqual(['any.txt']);
  expect(session().inputSummary).toMatchObject({ name: 'a.bin', messages: 2 });
  expect(view().type).toBe('t.Item');
});

test('several payloads are one input; of several captures two are compared, and any other can be A or B', async () => {
  const files = ['a.bin', 'b.bin', 'c.bin'].map((name) => new File([unhex(BYTES)], name));
  await actions.openFiles(files);
  expect(session()).toMatchObject({ failure: null, inputSummary: { name: '3 files.tar', messages: 6 } });
  await actions.openFiles([...files, new File([unhex(BYTES)], 'd.pcap')]);
  expect(session().inputSummary).toMatchObject({ name: 'd.pcap' });
  expect(session().failure).toMatchObject({ detail: 'Not opened: a.bin, b.bin, c.bin' });
  const captures = ['d.pcap', 'e.pcap', 'f.pcap'].map((name) => new File([unhex(BYTES)], name));
  const sides = () => [session().baseline?.from?.input.name, session().input?.name, session().dropped.length];
  await actions.openFiles(captures);
  expect(sides()).toEqual(['d.pcap', 'e.pcap', 3]);
  await actions.chooseDropped(captures[2]!, 'B');
  expect(sides()).toEqual(['d.pcap', 'f.pcap', 3]);
  await actions.chooseDropped(captures[1]!, 'A');
  expect(sides()).toEqual(['e.pcap', 'f.pcap', 3]);
  await actions.chooseDropped(captures[0]!, null);
  expect(sides()).toEqual([undefined, 'd.pcap', 3]);
  await actions.openFiles(files);
  expect(session().dropped).toEqual([]);
});

test.each([
  ['two of one name and folder', ['d.pcap', 'd.pcap'], ['d.pcap', 'd (2).pcap'], 0],
  ['those of three folders', ['f/a/d.pcap', 'f/b/d.pcap', 'f/e.pcap'], ['a/d.pcap', 'b/d.pcap', 'e.pcap'], 3],
  ['three, of which two are at one path', ['x/d.pcap', 'd.pcap', 'd.pcap'], ['d.pcap', 'd (2).pcap', 'x/d.pcap'], 3],
])('captures of one name have names of their own: %s', async (_, paths, [a, b, ...others], count) => {
  const named = paths.map((path) => ({ path, file: new File([unhex(BYTES)], path.split('/').pop()!) }));
  await actions.openFiles([], named);
  expect([session().baseline?.from?.input.name, session().input?.name]).toEqual([a, b]);
  expect(session().dropped.map(({ name }) => name)).toEqual(count === 0 ? [] : [a, b, ...others]);
});

test('a folder of a schema and of messages as text shows the messages', async () => {
  const files = { 'a/t.proto': SCHEMA, 'a/one.txtpb': 'name: "foo"\nsize: 150\n', 'a/README.md': '#' };
  const named = Object.entries(files).map(([path, text]) => ({ path, file: new File([text], path.slice(2)) }));
  await actions.openFiles([], named);
  expect(session()).toMatchObject({
    failure: null,
    inputSummary: { messages: 1 },
  });
  expect(view().type).toBe('t.Item');
});

test('a folder of schemas is read for the open input, which stays in view', async () => {
  await actions.openFiles([new File([unhex(BYTES)], 'one.bin')]);
  expect(view().type).toBeNull();
  // Leaving for the explorer would change the address, which does not exist here.
  await actions.openFiles([], [{ path: 'p/t.proto', file: new File([SCHEMA], 't.proto') }]);
  expect(view().type).toBe('t.Item');
  expect(session()).toMatchObject({ failure: null, inputSummary: { name: 'one.bin' } });
});

test('files beside a folder of schemas are the input, with any names; one is opened as it is', async () => {
  const folder = [
    { path: 'p/t.proto', file: new File([SCHEMA], 't.proto') },
    { path: 'p/README.md', file: new File(['# t'], 'README.md') },
  ];
  const beside = (...names: readonly string[]) =>
    names.map((path) => ({ path, file: new File([unhex(BYTES)], path.split('/').pop()!) }));
  const names = () => [session().baseline?.from?.input.name, session().inputSummary?.name];
  await actions.openFiles([], [...beside('pods.k8s'), ...folder]);
  expect(names()).toEqual([undefined, 'pods.k8s']);
  expect(view().type).toBe('t.Item');
  await actions.openFiles([], [...beside('p/one.bin'), ...folder]);
  expect(names()).toEqual([undefined, 'one.bin']);
  await actions.openFiles([], [...beside('a.k8s', 'b.k8s'), ...folder]);
  expect(names()).toEqual(['a.k8s', 'b.k8s']);
});

test('an input that a person leaves compressed is a payload without messages, not a capture', async () => {
  await actions.openFiles([new File([gzipSync(gzipSync(unhex(BYTES)))], 'x.gz.gz')]);
  expect(session().inputSummary).toMatchObject({ kind: 'payloads', messages: 2 });
  await actions.overruleReading({ steps: ['gzip', NO_STEP] });
  expect(session().inputSummary).toMatchObject({ kind: 'payloads', messages: 0, content: { kind: 'compressed' } });
});

test('JSON beside the schemas of a folder is named, not left out without a word', async () => {
  const named = (path: string, content: BlobPart) => ({ path, file: new File([content], path.split('/').pop()!) });
  const json = ['f/a.json', 'f/b/c.json'].map((path) => named(path, '{"name":"foo"}'));
  const beside = [
    named('f/t.proto', SCHEMA),
    named('f/package.json', '{"name":"f"}'),
    named('f/x.binpb', unhex(BYTES)),
  ];
  await actions.openFiles([], [...beside, ...json]);
  await settled();
  expect(session().inputSummary?.messages).toBe(2);
  expect(session().failure?.detail).toBe('Not opened: f/a.json, f/b/c.json, f/package.json');
  await actions.openFiles(json.map(({ file }) => file).slice(0, 1));
  await settled();
  expect(shownType(store.getState())).toBe('t.Item');
  // Alone in a folder they are its payloads.
  await actions.openFiles([], json);
  await settled();
  expect(session()).toMatchObject({ failure: null, inputSummary: { messages: 2 } });
});

test.each([
  [
    'opens its files of any names that may be messages',
    { 'f/a.bin': unhex(BYTES), 'f/b': unhex(BYTES), 'f/c.out': unhex(BYTES) },
    6,
    undefined,
  ],
  ['does so beside a schema', { 'f/s.proto': SCHEMA, 'f/b': unhex(BYTES) }, 2, undefined],
  [
    'names what its other files are',
    {
      'f/a.bin': unhex(BYTES),
      'f/p': Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10),
      'f/notes': 'as of today',
      'f/a.json': '{"name":"foo"}',
    },
    2,
    'Not opened: f/a.json (JSON or text format beside schemas or payloads); f/notes (text), f/p (a PNG picture) (no messages)',
  ],
  [
    'names the first of many files, and counts the others',
    {
      'f/a.bin': unhex(BYTES),
      ...Object.fromEntries(['1', '2', '3', '4', '5'].map((n) => [`f/${n}.go`, 'package t'])),
    },
    2,
    'Not opened: f/1.go (text), f/2.go (text), f/3.go (text) and 2 more',
  ],
  [
    'does not name files for people and builds',
    {
      ...{ 'f/a.bin': unhex(BYTES), 'f/s.proto': SCHEMA, 'f/build.sh': 'make' },
      ...Object.fromEntries(
        ['README', 'docs/use.md', 'LICENSE', 'LICENSE-MIT.txt', 'BUILD', 'BUILD.bazel', 'x/defs.bzl', 'buf.gen.yaml']
          .concat('.gitignore', 'go.mod', 'Makefile', 'CMakeLists.txt')
          .map((path) => [`f/${path}`, 'as of today']),
      ),
    },
    2,
    'Not opened: f/build.sh (text)',
  ],
  [
    'opens JSON and not the text beside it',
    { 'f/a.json': '{"name":"foo"}', 'f/notes': 'as of today' },
    1,
    'Not opened: f/notes (text)',
  ],
  [
    'leaves out system files',
    { 'f/.x/b': unhex(BYTES), 'f/node_modules/b': unhex(BYTES), 'f/a.bin': unhex(BYTES) },
    2,
    undefined,
  ],
] as const)('a folder %s', async (_, files, messages, detail) => {
  const named = Object.entries(files).map(([path, content]) => ({
    path,
    file: new File([content as BlobPart], path.split('/').pop()!),
  }));
  await actions.openFiles([], named);
  await settled();
  expect(session()).toMatchObject({ inputSummary: { messages } });
  expect(session().failure?.detail).toBe(detail);
});

test('an empty folder is named, and the open input stays', async () => {
  await actions.openSample(sample);
  const entry = {
    isDirectory: true,
    fullPath: '/f',
    createReader: () => ({ readEntries: (found: FileSystemEntriesCallback) => found([]) }),
  };
  await actions.openDropped({ entries: [entry as unknown as FileSystemEntry], handles: [] });
  expect(session()).toMatchObject({ failure: { detail: 'Not opened: f/' }, inputSummary: { messages: 2 } });
});

test('the app’s own schemas are fetched for browsing, also if a schema is dropped meanwhile', async () => {
  const fetched = actions.fetchBundled();
  await actions.openFiles([new File([SCHEMA], 't.proto')]);
  await fetched;
  expect(session().schema?.types).toBe(2);
  expect(session()).toMatchObject({ bundled: { isWhole: true }, job: null });
});

test('a descriptor set beside a payload is its schema, compressed and in base64 too', async () => {
  const set = readFileSync(new URL('../../../fixtures/input/prometheus-rw1.fds.binpb', import.meta.url));
  const payload = new File([unhex('0a 00')], 'one.bin');
  for (const packed of [set, gzipSync(set), set.toString('base64'), gzipSync(set).toString('base64')]) {
    await actions.openFiles([new File([packed], 'set.txt'), payload]);
    expect(session()).toMatchObject({ failure: null, baseline: null, input: { name: 'one.bin' } });
    expect(session().schemaFiles).toHaveLength(1);
    await actions.forgetSchema();
  }
  for (const pasted of [set.toString('base64'), gzipSync(set).toString('base64')]) {
    actions.closeInput();
    await actions.openText(pasted);
    expect(session()).toMatchObject({ failure: null, input: null });
    expect(session().schemaFiles).toHaveLength(1);
    await actions.forgetSchema();
  }
});

test('an archive is unwrapped, its schema is loaded with it, and one file of it can be chosen', async () => {
  const message = unhex(BYTES);
  const tar = new Uint8Array(
    await packFiles([
      { path: 'a/s.proto', file: new File([SCHEMA], 's.proto') },
      { path: 'a/one.bin', file: new File([message], 'one.bin') },
      { path: 'a/two.bin.gz', file: new File([gzipSync(message)], 'two.bin.gz') },
    ]).data.arrayBuffer(),
  );
  await actions.openFiles([new File([gzipSync(tar)], 'body.tgz')]);
  const stepsOf = () => {
    const summary = session().inputSummary;
    return summary?.kind === 'payloads' ? summary.steps.map(({ id, member }) => [id, member]) : [];
  };
  expect(session()).toMatchObject({ failure: null, inputSummary: { messages: 4 } });
  expect(session().schemaFiles.map(({ path }) => path)).toEqual(['a/s.proto']);
  expect(view().type).toBe('t.Item');
  expect(stepsOf()).toEqual([
    ['gzip', null],
    ['tar', null],
    ['gzip', null],
  ]);
  await actions.overruleReading({ steps: ['gzip', 'tar:a/one.bin'] });
  expect(session().inputSummary?.messages).toBe(2);
  expect(stepsOf()).toEqual([
    ['gzip', null],
    ['tar', 'a/one.bin'],
  ]);
  await actions.overruleReading({ steps: undefined });
  expect(session().inputSummary?.messages).toBe(4);
});

test('A and B change places, each with its bytes', async () => {
  await actions.openFiles([new File([unhex(BYTES)], 'a.bin'), new File([unhex(BYTES)], 'b.bin')]);
  await actions.swapPair();
  expect(session()).toMatchObject({ failure: null, baseline: { name: 'b.bin' }, inputSummary: { name: 'a.bin' } });
  expect(session().inspection).not.toBeNull();
  expect(view().question).toBe('another');
});

test('two payloads are A and B; another file is another B, and closing ends the comparison', async () => {
  await actions.openFiles([new File([unhex(BYTES)], 'a.bin'), new File([unhex(BYTES)], 'b.bin')]);
  expect(session()).toMatchObject({ failure: null, baseline: { name: 'a.bin' }, inputSummary: { name: 'b.bin' } });
  expect(view().question).toBe('another');
  const a = session().baseline;
  await actions.openFiles([new File([unhex(BYTES)], 'c.bin')]);
  expect(session()).toMatchObject({ inputSummary: { name: 'c.bin' } });
  expect([session().baseline, view().question]).toEqual([a, 'another']);
  actions.closeInput();
  expect([session().baseline, view().question]).toEqual([null, null]);
});

test('a file that the browser may not read is named, and the others are opened', async () => {
  const gone = new File(['x'], 'gone.pcap');
  gone.slice = () => {
    throw new DOMException('The requested file could not be read.', 'NotReadableError');
  };
  await actions.openFiles([gone, new File([unhex(BYTES)], 'a.bin')]);
  expect(session().inputSummary).toMatchObject({ name: 'a.bin' });
  expect(session().failure).toMatchObject({ detail: 'Not opened: gone.pcap' });
});

test('a malformed input shows what could be read, and where it went wrong', async () => {
  await actions.openText('0a 03 66 6f 6f 10 96 01 22 ff');
  expect(session().analysis?.profiles[0]?.unattributed).toBe(2);
  expect(session().inspection?.diagnostics[0]).toMatchObject({ space: 'message', ordinal: 0 });
});

test('a sample that cannot be fetched is a failure with a name', async () => {
  const shipped: Shipped = {
    sampleBytes: () => Promise.reject(new Error('404')),
    schemaFiles: async () => [],
    findCapture: () => undefined,
    findSample: () => undefined,
    findSchema: () => undefined,
    schemaPaths: [],
  };
  const broken = createActions(store, startClient(), shipped, outside);
  await broken.openSample(sample);
  expect(session().failure?.title).toBe('Fetching the sample failed');
  expect(session().job).toBeNull();
});

test('JSON with base64 in it is a message once its type is loaded', async () => {
  const envelope = 'syntax = "proto3"; message Envelope { string kind = 1; bytes payload = 2; }';
  const payload = Buffer.from(unhex(BYTES)).toString('base64');
  const json = JSON.stringify({ kind: 'placed', payload });
  const read = () => {
    const { inputSummary, analysis } = session();
    const steps = inputSummary?.kind === 'payloads' ? inputSummary.steps.map(({ id }) => id) : null;
    return [steps, analysis?.profiles[0]?.type];
  };
  await actions.openFiles([new File([json], 'a.json')]);
  expect(read()).toEqual([['json'], '']);
  await actions.openFiles([new File([envelope], 'e.proto')]);
  await expect.poll(read).toEqual([[], 'Envelope']);
});
