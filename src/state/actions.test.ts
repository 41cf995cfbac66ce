/** The page's state with the real worker code, over a channel: user actions, and the state afterwards. */

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { memberNames } from '#engine/cost/member-names.ts';
import { totalIn } from '#engine/cost/profile.ts';
import { NO_STEP } from '#engine/frame/unwrap/wrapper-labels.ts';
import { rowOf } from '#engine/inspect/row-address.ts';
import { printAnalysisFile } from '#permalink/file.ts';
import { encodeFragment } from '#permalink/fragment.ts';
import { plainView } from '#permalink/plain-view.ts';
import type { ShareKind } from '#wording/share-words.ts';
import { type Client, connect } from '#worker/connect.ts';
import { serve } from '#worker/serve.ts';
import { createSession } from '#worker/session.ts';
import { type Actions, createActions } from './actions.ts';
import { isShape } from './is-shape.ts';
import { packFiles } from './pack-files.ts';
import type { Outside } from './remote-sources.ts';
import { sample } from './sample.testing.ts';
import { shareKinds } from './share.ts';
import type { Shipped } from './shipped.ts';
import { pairBitsOf } from './shown-pair-bits.ts';
import { chosenMessages, isNoneChosen, shownProfile, shownType } from './shown-profile.ts';
import { type AppStore, createAppStore } from './store.ts';
import { isEveryMessage } from './view-state.ts';

const SCHEMA = `syntax = "proto3";
package t;
message Item { string name = 1; int64 size = 2; }
message Other { bytes blob = 7; }
`;
/** Item { name: "foo" size: 150 }, Item { name: "hello" }, each after its length. */
const BYTES = '08 0a 03 66 6f 6f 10 96 01 07 0a 05 68 65 6c 6c 6f';

/** Files that ship with the app: one imports the other. */
const SHIPPED: Readonly<Record<string, string>> = {
  'lib/outer.proto': 'syntax = "proto3";\npackage lib;\nimport "lib/inner.proto";\nmessage Outer { Inner inner = 1; }',
  'lib/inner.proto': 'syntax = "proto3";\npackage lib;\nmessage Inner { string name = 1; }',
};

const unhex = (hex: string) => Uint8Array.from(hex.split(' '), (pair) => Number.parseInt(pair, 16));

/** One address that answers with the bytes, and is not allowed yet. */
const allowed = new Set<string>();
const outside: Outside = {
  originOf: (address) => new URL(address).origin,
  isReadable: (origin) => !origin.includes('closed'),
  isAllowed: (origin) => allowed.has(origin),
  allow: (origin) => void allowed.add(origin),
  fetch: async (address) => {
    if (!address.endsWith('x.bin')) throw new Error('it answers 404');
    return new Blob([unhex(BYTES)]);
  },
};

let channel: MessageChannel;
let client: Client;
let store: AppStore;
let actions: Actions;
const view = () => store.getState().view;
const session = () => store.getState().session;

beforeEach(() => {
  channel = new MessageChannel();
  serve(channel.port2, createSession());
  store = createAppStore();
  allowed.clear();
  const shipped: Shipped = {
    sampleBytes: async () => new Blob([unhex(BYTES)]),
    schemaFiles: async (paths) => paths.map((path) => ({ path, content: SHIPPED[path] ?? SCHEMA })),
    findCapture: () => undefined,
    findSample: (id) => (id === sample.id ? sample : undefined),
    findSchema: (imported) => (imported in SHIPPED ? imported : undefined),
    schemaPaths: [],
  };
  client = connect(channel.port1);
  actions = createActions(store, client, shipped, outside);
});
afterEach(() => {
  channel.port1.close();
  channel.port2.close();
});

async function settled(): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, 5));
  while (session().job !== null);
}

describe('opening', () => {
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

  test('a writer is changed, changed back, and all are reset', async () => {
    await actions.openSample(sample);
    const native = () => totalIn(session().analysis!.profiles[0]!, 'opensearch-tuned');
    const before = native();
    actions.chooseWriter('t.Item.name', 'TEXT');
    expect(view().overrides).toEqual({ 't.Item.name': 'TEXT' });
    await settled();
    expect(native()).toBeGreaterThan(before);
    actions.chooseWriter('t.Item.name', null);
    expect(view().overrides).toEqual({});
    await settled();
    expect(native()).toBe(before);
    actions.chooseWriter('t.Item.name', 'TEXT');
    await settled();
    expect(native()).toBeGreaterThan(before);
    actions.resetWriters();
    await settled();
    expect(native()).toBe(before);
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
    const set = readFileSync(new URL('../../fixtures/input/prometheus-rw1.fds.binpb', import.meta.url));
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
    const broken = createActions(store, connect(channel.port1), shipped, outside);
    await broken.openSample(sample);
    expect(session().failure?.title).toBe('Fetching the sample failed');
    expect(session().job).toBeNull();
  });
});

test('a sample whose schema is cancelled is read again with it', async () => {
  const isRead = new Promise<void>((resolve) => {
    store.subscribe(({ session: { job } }) => {
      if (job?.label === 'Reading the schema') resolve();
    });
  });
  const opened = actions.openSample(sample);
  await isRead;
  actions.cancel();
  await opened;
  expect(session()).toMatchObject({ schema: null, analysis: null, job: null });
  await actions.readAgain();
  expect(session().schema?.types).toBe(2);
  expect(session().analysis?.profiles[0]).toMatchObject({ type: 't.Item', messages: 2 });
});

describe('a second version of the schema', () => {
  const openOther = (): Promise<void> =>
    actions.openOther([{ path: 'b.proto', file: new File([SCHEMA.replace('Other', 'Second')], 'b.proto') }]);

  test('is left out when it is cancelled', async () => {
    await actions.openText(SCHEMA);
    const other = openOther();
    expect(session().job).not.toBeNull();
    actions.cancel();
    await other;
    expect(session()).toMatchObject({ otherSchema: null, otherFiles: [], job: null });
  });

  test('leaves the job of a run that began meanwhile', async () => {
    await actions.openText(SCHEMA);
    await actions.openText(BYTES);
    const other = openOther();
    const { analysis } = session();
    actions.chooseType(null);
    const jobs: unknown[] = [];
    const end = store.subscribe(({ session: { job, ...now } }) => {
      if (now.analysis === analysis) jobs.push(job);
    });
    await other;
    await settled();
    end();
    expect(session().otherSchema?.types).toBe(2);
    expect(session().analysis).not.toBe(analysis);
    expect(jobs).not.toContain(null);
  });
});

describe('a worker that replaces an ended one', () => {
  let next: MessageChannel;
  const endWorker = async (): Promise<void> => {
    next = new MessageChannel();
    serve(next.port2, createSession());
    client.moveTo(next.port1, 'ended');
    await actions.readAgainAfterEnd();
  };
  afterEach(() => {
    next.port1.close();
    next.port2.close();
  });

  test('has the second version of the schema', async () => {
    await actions.openText(SCHEMA);
    await actions.openOther([{ path: 'b.proto', file: new File([SCHEMA.replace('int64', 'int32')], 'b.proto') }]);
    const before = await actions.ask('compare', { limit: 5 });
    await endWorker();
    expect(before?.answer).not.toBeNull();
    expect(await actions.ask('compare', { limit: 5 })).toEqual(before);
  });

  const measured = async () => {
    expect(await actions.measurePair('gzip', new AbortController().signal)).toBe(true);
    return pairBitsOf(store.getState(), 'gzip');
  };

  test('measures another selection of the same messages as A', async () => {
    await actions.openText(BYTES);
    await actions.compareWith({ ordinals: [[1, 2]] });
    const again = store.subscribe(({ session: { analysis } }, before) => {
      if (analysis !== before.session.analysis) void actions.measurePair('gzip', new AbortController().signal);
    });
    await endWorker();
    again();
    expect(await measured()).toMatchObject({ a: { messages: 2 }, b: { messages: 1 } });
  });

  test('measures no A of another file, and B', async () => {
    await actions.openFiles(['a', 'b'].map((name) => new File([unhex(BYTES)], name)));
    await endWorker();
    expect(await measured()).toMatchObject({ a: null, b: { messages: 2 } });
  });
});

describe('while an input is read', () => {
  test('an input is read with the schema that is still loading', async () => {
    const schema = actions.openText(SCHEMA);
    await actions.openText(BYTES);
    await schema;
    expect(view().type).toBe('t.Item');
    expect(session().analysis?.profiles[0]).toMatchObject({ type: 't.Item', messages: 2 });
    expect(session().job).toBeNull();
  });

  test('an added schema applies to the input that is still loading', async () => {
    const input = actions.openText(BYTES);
    await actions.openText(SCHEMA);
    await input;
    expect(session().analysis?.profiles[0]).toMatchObject({ type: 't.Item', messages: 2 });
  });

  test('a choice does not stop the reading', async () => {
    await actions.openText(SCHEMA);
    const input = actions.openText(BYTES);
    actions.chooseNativeProfile('opensearch-tuned');
    await input;
    await settled();
    expect(session().analysis?.profiles[0]).toMatchObject({ type: 't.Item', pair: ['protobuf', 'opensearch-tuned'] });
    expect(view().selection.path).not.toBeNull();
  });

  test('bundled schemas can be browsed before an input is open', async () => {
    await actions.fetchBundled();
    expect(session()).toMatchObject({ bundled: { types: 0, files: [] }, job: null, failure: null });
    const known = session().bundled;
    await actions.openText(BYTES);
    expect(session().bundled).toBe(known);
    expect(session().analysis?.profiles).toHaveLength(1);
  });

  test('the menu ranks types by the shown message', async () => {
    await actions.openText(`${SCHEMA}message Blobs { repeated bytes blob = 9; }`);
    await actions.openText('08 0a 03 66 6f 6f 10 96 01 06 4a 01 ff 4a 01 fe');
    const first = async () => (await actions.rankTypes(new AbortController().signal))?.candidates[0]?.type;
    expect(session().inputSummary?.messages).toBe(2);
    expect(await first()).toBe('t.Item');
    actions.selectMessage(1);
    expect(await first()).toBe('t.Blobs');
  });

  test('a choice during the comparison of types leaves the comparison running', async () => {
    await actions.openText(SCHEMA);
    const input = actions.openText(BYTES);
    while (session().inputSummary === null) await new Promise((resolve) => setTimeout(resolve, 0));
    actions.chooseNativeProfile('opensearch-tuned');
    await input;
    await settled();
    expect(session().plan?.candidates.map(({ type }) => type)).toContain('t.Item');
    expect(session().analysis?.profiles[0]).toMatchObject({ type: 't.Item', pair: ['protobuf', 'opensearch-tuned'] });
  });

  test('after going home, the schema that was loading is there', async () => {
    const schema = actions.openText(SCHEMA);
    actions.closeInput();
    await schema;
    await settled();
    expect(session().schema?.types).toBe(2);
  });

  test('a cancelled change is not applied with the next one', async () => {
    const input = actions.openText(BYTES);
    actions.cancel();
    await input;
    actions.chooseNativeProfile('opensearch-tuned');
    await settled();
    expect(session()).toMatchObject({ analysis: null, job: null });
    await actions.readAgain();
    expect(session().analysis?.profiles[0]?.messages).toBe(2);
  });
});

test('a field, and a finding, of a message in parts open the part that holds them', async () => {
  // Field 1, a field 2 that fits no part, field 3.
  const large = 13 << 20;
  const bytes = new Uint8Array(2 + 5 + large + 2);
  bytes.set([0x08, 0x01, 0x12, 0x80, 0x80, 0xc0, 0x06]);
  bytes.set([0x18, 0x01], 7 + large);
  await actions.openFiles([new File([bytes], 'large.bin')]);
  await settled();
  const part = () => session().inspection?.part?.index;
  expect([view().selection.path, part()]).toEqual(['?2', 1]);
  actions.selectPath('?1');
  await vi.waitFor(() => expect(part()).toBe(0));
  expect(view().selection).toMatchObject({ path: '?1', row: { path: '?1' } });
  await actions.selectSpan(0, 7 + large);
  expect([view().selection.path, part()]).toEqual(['?3', 2]);
  await actions.selectSpan(0, 1000);
  expect([view().selection.path, part()]).toEqual(['?2', 1]);
});

test.each([
  { what: 'JSON', json: '{"name":"corner shop","size":"12"}' },
  { what: 'JSON against a native encoding', json: '{"name":"corner shop","size":"12"}', native: 'avro' },
])('no shape of $what is offered: filler is made of protobuf messages alone', async ({ json, native }) => {
  await actions.openFiles([new File([json], 'a.json'), new File([SCHEMA], 't.proto')]);
  if (native !== undefined) {
    actions.chooseNativeProfile(native);
    await settled();
  }
  expect(shareKinds(store.getState())).toEqual(['profile', 'inline', 'address']);
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

test('after compression the sides are those that are compared: captured JSON and protobuf', async () => {
  const json = '{"name":"corner shop","size":"12"}';
  await actions.openFiles([new File([json], 'a.json'), new File([SCHEMA], 't.proto')]);
  actions.chooseType('t.Item');
  await expect.poll(() => session().analysis?.profiles[0]?.pair).toEqual(['protobuf', 'captured-json']);
  const sizes = await actions.compress(new AbortController().signal);
  expect([sizes?.protobuf, sizes?.native, sizes?.codecs.length]).toEqual([15, json.length, 3]);
});

describe('changing', () => {
  beforeEach(() => actions.openSample(sample));

  test('another type keeps the selected field by its number and adds up again', async () => {
    actions.chooseType('t.Other');
    await settled();
    expect(view()).toMatchObject({ type: 't.Other', selection: { path: '?1', row: { path: '?1' } } });
    expect(session().analysis?.profiles[0]?.type).toBe('t.Other');
  });

  test('another native profile keeps the selection', async () => {
    actions.selectPath('name');
    actions.chooseNativeProfile('opensearch');
    await settled();
    expect(view().selection.path).toBe('name');
    expect(session().analysis?.profiles[0]?.pair[1]).toBe('opensearch');
  });

  test('a selected row stays selected, on its side', async () => {
    const { native } = session().inspection!;
    actions.selectRow('native', rowOf(native!, { path: 'name', occurrence: 0 }));
    actions.chooseNativeProfile('opensearch');
    await settled();
    expect(view().selection.row).toEqual({ encoding: 'native', path: 'name', occurrence: 0 });
  });

  test('another framing reads the input again, and can be undone', async () => {
    await actions.overruleReading({ framing: 'single' });
    expect(session().inputSummary).toMatchObject({ messages: 1, framing: { id: 'single' } });
    await actions.overruleReading({ framing: undefined });
    expect(session().inputSummary).toMatchObject({ messages: 2 });
  });

  test('an edit with an error keeps the analysis and reports its position', async () => {
    actions.editSchema('t.proto', SCHEMA.replace('int64 size', 'int46 size'));
    await new Promise((resolve) => setTimeout(resolve, 350));
    await settled();
    expect(session().schema?.diagnostics[0]).toMatchObject({ file: 't.proto', line: 3 });
    expect(session().failure).toBeNull();
  });

  test('the later of two changes wins', async () => {
    const seen = new Set<string | undefined>();
    store.subscribe(({ session: { analysis } }) => seen.add(analysis?.profiles[0]?.type));
    actions.chooseType('t.Other');
    actions.chooseType('t.Item');
    await settled();
    expect([...seen]).toEqual(['t.Item']);
  });

  test('after cancelling, the input can be read again', async () => {
    const reading = actions.overruleReading({});
    actions.cancel();
    await reading;
    await actions.readAgain();
    expect(session().analysis?.profiles[0]?.messages).toBe(2);
  });

  test('cancelling keeps the known results', () => {
    actions.chooseType('t.Other');
    actions.cancel();
    expect(session().job).toBeNull();
    expect(session().analysis?.profiles[0]?.type).toBe('t.Item');
  });

  test('closing removes the schema of the sample, and restores the files loaded before', async () => {
    actions.closeInput();
    expect(session()).toMatchObject({ input: null, analysis: null, schemaFiles: [] });
    await actions.openText(SCHEMA);
    const own = session().schemaFiles;
    await actions.openSample(sample);
    expect(session().schemaFiles).not.toBe(own);
    expect(session().setAside).toBe(own);
    actions.closeInput();
    expect(session()).toMatchObject({ schemaFiles: own, setAside: null });
    await actions.openSample(sample);
    await actions.openText(BYTES);
    expect(session()).toMatchObject({ schemaFiles: own, setAside: null });
    expect(session().schema?.files).toEqual(['schema.proto']);
  });

  test('closing keeps a schema that was loaded', async () => {
    actions.closeInput();
    await actions.openText(SCHEMA);
    await actions.openText(BYTES);
    actions.closeInput();
    expect(session()).toMatchObject({ input: null, analysis: null });
    expect(session().schemaFiles).toHaveLength(1);
  });
});

describe('selecting', () => {
  beforeEach(() => actions.openSample(sample));

  test('a row of either encoding selects its field', () => {
    const { native } = session().inspection!;
    const row = rowOf(native!, { path: 'size', occurrence: 0 });
    actions.selectRow('native', row);
    expect(view().selection).toMatchObject({ path: 'size', row: { encoding: 'native', path: 'size', occurrence: 0 } });
  });

  test('a field without protobuf bytes is highlighted on the native side', async () => {
    actions.selectPath('size');
    actions.selectMessage(1);
    await settled();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(view().selection).toMatchObject({ ordinal: 1, path: 'size', row: { encoding: 'native', path: 'size' } });
  });

  test('a finding’s span selects the innermost row that holds it', async () => {
    await actions.selectSpan(1, 3);
    expect(view().selection).toMatchObject({ ordinal: 1, path: 'name' });
  });

  test.each([
    ['beside the findings where there is room', 1280, 'findings'],
    ['in their place where one panel is shown at a time', 390, 'bytes'],
  ])('the bytes of a finding are shown %s', async (_, innerWidth, panel) => {
    vi.stubGlobal('document', { documentElement: null });
    vi.stubGlobal('innerWidth', innerWidth);
    vi.stubGlobal('getComputedStyle', () => ({ fontSize: '16px' }));
    onTestFinished(() => void vi.unstubAllGlobals());
    actions.showPanel('findings');
    await actions.selectSpan(1, 3);
    expect([view().panel, view().selection.path]).toEqual([panel, 'name']);
  });

  test('a message that is selected while another is read stays selected', async () => {
    const selected: number[] = [];
    const isAddedUp = new Promise<void>((resolve) => {
      const end = store.subscribe((state, before) => {
        if (state.session.analysis === before.session.analysis) return;
        end();
        resolve();
      });
    });
    actions.chooseNativeProfile('opensearch');
    await isAddedUp;
    // The run asks for the message that was selected before.
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    actions.selectMessage(1);
    store.subscribe(({ view: { selection } }) => void selected.push(selection.ordinal));
    await vi.waitFor(() => expect(session().inspection?.ordinal).toBe(1));
    await settled();
    expect([...new Set(selected)]).toEqual([1]);
  });

  test('a finding’s span selects nothing in a message that is selected meanwhile', async () => {
    // Fields 1, 2 and 3 in a message each.
    await actions.openText('04 0a 02 68 69 06 12 04 61 62 63 64 03 18 96 01');
    actions.selectPath('?2');
    const span = actions.selectSpan(1, 3);
    actions.selectMessage(2);
    await span;
    await vi.waitFor(() => expect(session().inspection?.ordinal).toBe(2));
    expect(view().selection).toEqual({ ordinal: 2, path: '?2', row: null });
  });

  test('Escape closes the innermost selection first', () => {
    actions.selectPath('name');
    actions.selectCause('tags');
    actions.showPanel('schema');
    const left: unknown[] = [];
    while (actions.goBack()) left.push([view().selection.path, view().cause, view().panel]);
    expect(left).toEqual([
      [null, 'tags', 'schema'],
      [null, null, 'schema'],
      [null, null, 'costs'],
    ]);
  });

  test('hovering previews and selects nothing', () => {
    const before = view().selection;
    actions.hoverPath('size');
    expect(session().hover.path).toBe('size');
    actions.hoverRow('protobuf', 1);
    expect(session().hover).toMatchObject({ path: 'name', row: { encoding: 'protobuf', occurrence: 0 } });
    actions.hoverRow('protobuf', null);
    expect(session().hover).toEqual({ path: null, row: null });
    expect(view().selection).toBe(before);
  });
});

test('the message list is read in windows', async () => {
  await actions.openSample(sample);
  const signal = new AbortController().signal;
  expect(
    await actions.messages({ from: 0, to: 1, order: { column: 'ordinal', descending: false } }, signal),
  ).toMatchObject({
    total: 2,
    rows: [{ ordinal: 0, preview: 'foo' }],
  });
});

describe('a capture', () => {
  const GROUP = 'grpc response /queryservice.Query/ExecuteBatch';
  beforeEach(async () => {
    const bytes = readFileSync(new URL('../../fixtures/capture/vitess-gzip.pcapng', import.meta.url));
    const paths = ['vitess/queryservice', 'vitess/query', 'vitess/vtrpc', 'vitess/topodata'].map(
      (path) => `${path}.proto`,
    );
    const shipped: Shipped = {
      sampleBytes: async () => new Blob(),
      findCapture: () => undefined,
      findSample: () => undefined,
      schemaPaths: paths,
      schemaFiles: async (wanted) =>
        wanted.map((path) => ({
          path,
          content: readFileSync(new URL(`../../schemas/${path}`, import.meta.url), 'utf8'),
        })),
      findSchema: () => undefined,
    };
    actions = createActions(store, connect(channel.port1), shipped, outside);
    await actions.openFiles([new File([bytes], 'vitess.pcapng')]);
  });

  test('opens with its messages and the types that its transports name', () => {
    expect(view()).toMatchObject({
      panel: 'messages',
      type: null,
      shown: 'grpc request /queryservice.Query/ExecuteBatch',
    });
    expect(session().groupReadings[GROUP]).toEqual({ type: 'query.ExecuteBatchResponse', by: 'transport' });
    expect(shownProfile(store.getState())?.type).toBe('query.ExecuteBatchRequest');
    expect(session()).toMatchObject({ job: null, failure: null, schemaFiles: [], inspection: { ordinal: 0 } });
  });

  test('a message of another type loads that type’s profile, of which nothing is zoomed into', async () => {
    actions.zoomInto('queries');
    actions.selectMessage(1);
    while (session().inspection?.ordinal !== 1) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(shownProfile(store.getState())?.type).toBe('query.ExecuteBatchResponse');
    expect(view()).toMatchObject({ root: null, table: null, cause: null });
  });

  test('a type is chosen for the shown messages, and undone', async () => {
    await actions.showProfile(GROUP);
    expect(shareKinds(store.getState())).toContain('shape');
    actions.chooseType(null);
    await settled();
    expect(view().types).toEqual({ [GROUP]: null });
    // The other group has a type, the shown one has none.
    expect(shareKinds(store.getState())).not.toContain('shape');
    expect(shownType(store.getState())).toBeNull();
    expect(session().plan?.candidates.map(({ type }) => type)).toContain('query.ExecuteBatchResponse');
    actions.chooseType('query.ExecuteBatchResponse');
    await settled();
    expect(shownType(store.getState())).toBe('query.ExecuteBatchResponse');
  });

  test('groups, messages and a filter select the messages of the profile', async () => {
    await actions.chooseGroups([GROUP]);
    expect(session().analysis?.profiles.map(({ messages }) => messages)).toEqual([3]);
    const ranges = await actions.rangesOf({ from: 0, to: 2, order: { column: 'bytes', descending: true } });
    await actions.chooseMessages(ranges);
    expect(session().analysis?.profiles.map(({ messages }) => messages)).toEqual([2]);
    actions.filterMessages({ minBytes: 1e6 });
    await new Promise((resolve) => setTimeout(resolve, 400));
    await settled();
    expect(session().analysis?.profiles).toEqual([]);
    actions.filterMessages({ minBytes: null, groups: [] });
    expect(isEveryMessage(view().scope)).toBe(true);
    await actions.chooseAllMessages();
    expect(session().analysis?.profiles.map(({ messages }) => messages)).toEqual([3, 3]);
  });

  test('the shown message and field are among the messages that pass the filter', async () => {
    const order = { column: 'bytes', descending: true } as const;
    const list = await actions.messages({ from: 0, to: 6, order }, new AbortController().signal);
    const [largest, next] = list!.rows.filter(({ group }) => group === GROUP);
    await actions.showProfile(GROUP);
    actions.selectMessage(largest!.ordinal);
    while (session().inspection?.ordinal !== largest!.ordinal) await settled();
    const { path } = view().selection;
    const filter = async (maxBytes: number | null) => {
      actions.filterMessages({ maxBytes });
      await new Promise((resolve) => setTimeout(resolve, 400));
      await settled();
    };
    await filter(next!.size);
    const shown = list!.rows.find(({ ordinal }) => ordinal === session().inspection?.ordinal);
    expect(shown?.size).toBeLessThanOrEqual(next!.size);
    expect(view().selection).toMatchObject({ ordinal: shown!.ordinal, path });
    expect([isNoneChosen(store.getState()), chosenMessages(store.getState())]).toEqual([false, 3]);
    await filter(0);
    expect([isNoneChosen(store.getState()), chosenMessages(store.getState())]).toEqual([true, 0]);
    await filter(null);
    expect(view().selection).toMatchObject({ ordinal: shown!.ordinal, path });
  });

  test('a shape includes the bundled files of its type, and has the same figures in another browser', async () => {
    await actions.showProfile(GROUP);
    const figures = shownProfile(store.getState());
    const request = { kind: 'shape', name: 'a name', address: '', excerpt: null, today: 0 } as const;
    const sharing = await actions.share(request);
    if (!sharing.ok || sharing.shared.data.kind !== 'shape') throw new Error('There is no shape.');
    const paths = sharing.shared.data.schema.map(({ path }) => path);
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.every((path) => path.startsWith('vitess/'))).toBe(true);
    await actions.openFragment(encodeFragment(sharing.shared)!);
    expect(session().failure).toBeNull();
    expect(shownProfile(store.getState())).toEqual(figures);
  });
});

describe('shared', () => {
  const request = {
    name: 'a name',
    address: 'https://example.org/x.bin',
    excerpt: null,
    today: Date.UTC(2026, 10, 21),
  };

  async function linkAs(kind: ShareKind): Promise<string> {
    const sharing = await actions.share({ kind, ...request });
    if (!sharing.ok) throw new Error(sharing.reason);
    return encodeFragment(sharing.shared)!;
  }

  beforeEach(() => actions.openSample(sample));

  test('not if it could not be opened again, with the reason', async () => {
    const sharing = await actions.share({ ...request, kind: 'profile', name: 'x'.repeat(5000) });
    expect(sharing).toMatchObject({ ok: false, reason: expect.stringContaining('source.name') });
  });

  test.each(['sample', 'profile', 'shape', 'inline'] as const)(
    'a link as %s opens with the same view and figures',
    async (kind) => {
      actions.selectPath('size');
      actions.selectCause('tags');
      actions.setTable({ sort: { column: 'delta', descending: true }, filter: '', flat: true, expanded: [] });
      const shown = view();
      const { analysis } = session();
      const link = await linkAs(kind);
      actions.closeInput();
      actions.chooseNativeProfile('opensearch');
      await actions.openFragment(`#${link}`);
      // Figures alone belong to no particular message.
      const figures = { ...shown, shown: null, selection: { path: 'size', ordinal: 0, row: null } };
      const isOfNone = kind === 'profile' || kind === 'shape';
      expect(view()).toMatchObject(isOfNone ? { ...figures, shown: view().shown, selection: { path: 'size' } } : shown);
      expect(session().analysis?.profiles).toEqual(analysis?.profiles);
      expect(session()).toMatchObject({ failure: null, job: null });
      expect(session().inspection === null).toBe(kind === 'profile');
    },
  );

  test('figures and shapes carry no text of filters, changes or rows of other figures', async () => {
    actions.setTable({ sort: null, filter: 'secret', flat: false, expanded: ['size', 'secret'] });
    actions.tryChanges([{ change: 'edited text', file: 't.proto', diff: ['+// secret'] }]);
    const { table, changes } = view();
    for (const kind of ['profile', 'shape'] as const) {
      const sharing = await actions.share({ kind, ...request });
      expect(sharing).toMatchObject({
        ok: true,
        shared: { view: { table: { ...table, expanded: ['size'], filter: '' } } },
      });
      expect(JSON.stringify(sharing)).not.toContain('secret');
    }
    expect(await actions.share({ kind: 'inline', ...request })).toMatchObject({ shared: { view: { table, changes } } });
  });

  test('the part of the schema that the messages need is shared', async () => {
    await actions.addSchemaText('syntax = "proto3"; package elsewhere; message NotInIt { string secret = 1; }');
    expect(session().schemaFiles).toHaveLength(2);
    for (const kind of ['shape', 'inline', 'address'] as const) {
      const sharing = await actions.share({ kind, ...request });
      if (!sharing.ok || !('schema' in sharing.shared.data)) throw new Error('There is no schema.');
      expect(sharing.shared.data.schema.map(({ path }) => path)).toEqual(['t.proto']);
    }
  });

  test('a link names the sample only while it is unchanged', async () => {
    expect(shareKinds(store.getState())).toEqual(['sample', 'profile', 'shape', 'inline', 'address']);
    actions.addSchemaFile();
    await settled();
    expect(shareKinds(store.getState())).toEqual(['profile', 'shape', 'inline', 'address']);
  });

  test('members of JSON that no type has are the names that messages give figures, and are listed', async () => {
    expect(memberNames(shownProfile(store.getState())!)).toEqual([]);
    actions.closeInput();
    await actions.openText('{"users":{"alice@secret.example":{"size":7}},"size":1}');
    expect(memberNames(shownProfile(store.getState())!)).toEqual(['users', '"alice@secret.example"', 'size']);
  });

  test('figures from a link can be shared on, with their original date', async () => {
    await actions.openFragment(await linkAs('profile'));
    expect(shareKinds(store.getState())).toEqual(['profile']);
    const again = await actions.share({ kind: 'profile', ...request, today: Date.UTC(2030, 0, 1) });
    expect(again).toMatchObject({
      ok: true,
      shared: { made: { date: '2026-11-21' }, source: { messages: 2, size: 15 } },
    });
  });

  test('nothing is fetched from an address before the user agrees', async () => {
    await actions.openFragment(await linkAs('address'));
    expect(session()).toMatchObject({ consent: { origin: 'https://example.org' }, input: null, job: null });
    await actions.answerConsent(session().consent!, false);
    expect(session()).toMatchObject({ consent: null, input: null, job: null });
    expect(allowed.size).toBe(0);
  });

  test('once allowed, an address is fetched without asking again', async () => {
    const { analysis } = session();
    const link = await linkAs('address');
    await actions.openFragment(link);
    await actions.answerConsent(session().consent!, true);
    expect(session()).toMatchObject({ analysis, input: { origin: { kind: 'address', address: request.address } } });
    const other = await linkAs('address');
    actions.closeInput();
    await actions.openFragment(other);
    expect(session()).toMatchObject({ analysis, consent: null });
  });

  test.each([
    ['has its type detected if it was unread when the link was made', 0, true],
    ['stays without a type as the sender saw it', 5, false],
  ])('a payload at an address %s', async (_, messages, isTyped) => {
    const { type } = view();
    const sharing = await actions.share({ kind: 'address', ...request });
    if (!sharing.ok) throw new Error(sharing.reason);
    const { shared } = sharing;
    const unread = { ...shared, source: { ...shared.source, messages }, view: plainView(null, null) };
    actions.closeInput();
    await actions.openFragment(encodeFragment(unread)!);
    await actions.answerConsent(session().consent!, true);
    expect([type, shownType(store.getState())]).toEqual([expect.any(String), isTyped ? type : null]);
  });

  test.each([
    ['as many messages as the sender', 2, [[1, 2]], 1],
    ['another number of messages', 3, [], 0],
  ])('an address with %s', async (_, messages, ordinals, ordinal) => {
    const sharing = await actions.share({ kind: 'address', ...request });
    if (!sharing.ok) throw new Error(sharing.reason);
    const { shared } = sharing;
    const selection = { path: 'name', ordinal: 1, row: null };
    const scope = { ...shared.view.scope, ordinals: [[1, 2]] as [number, number][] };
    const chosen = { ...shared, source: { ...shared.source, messages }, view: { ...shared.view, scope, selection } };
    actions.closeInput();
    await actions.openFragment(encodeFragment(chosen)!);
    await actions.answerConsent(session().consent!, true);
    expect(view()).toMatchObject({ scope: { ordinals }, selection: { path: 'name', ordinal } });
    expect(session().inspection).toMatchObject({ ordinal });
    expect(session().sharedFrom?.awaited === undefined).toBe(messages === 2);
  });

  test('the messages that the sender of a capture with TLS chose are shown once its keys are given', async () => {
    const tls = (name: string) => readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url));
    const keys = tls('node-tls13-chacha20.keys').toString();
    actions.closeInput();
    await actions.openFiles([new File([tls('node-tls13-chacha20.pcap')], 'a.pcap')]);
    await actions.openText(keys);
    actions.selectMessage(3);
    await vi.waitFor(() => expect(session().inspection?.ordinal).toBe(3));
    const link = await linkAs('inline');
    const { selection } = view();
    await actions.forgetKeys();
    actions.closeInput();
    await actions.openFragment(link);
    expect(session()).toMatchObject({ inputSummary: { messages: 0 }, sharedFrom: { awaited: { selection } } });
    await actions.openText(keys);
    expect(view().selection).toEqual(selection);
    expect(session().inspection?.ordinal).toBe(3);
    expect(session().sharedFrom?.awaited).toBeUndefined();
  });

  test('an address that the policy forbids is refused before any request, with the next step', async () => {
    const sharing = await actions.share({ kind: 'address', ...request, address: 'https://closed.example/x' });
    if (!sharing.ok) throw new Error(sharing.reason);
    await actions.openFragment(encodeFragment(sharing.shared)!);
    expect(session().consent).toBeNull();
    expect(session().failure).toMatchObject({
      detail: expect.stringContaining('from https://closed.example'),
      remedy: expect.stringContaining('WIRECOST_SOURCES="https://closed.example"'),
    });
  });

  test('an address that does not answer', async () => {
    const sharing = await actions.share({ kind: 'address', ...request, address: 'https://example.org/gone' });
    if (!sharing.ok) throw new Error(sharing.reason);
    await actions.openFragment(encodeFragment(sharing.shared)!);
    await actions.answerConsent(session().consent!, true);
    expect(session().failure?.detail).toBe('https://example.org/gone could not be fetched: it answers 404');
  });

  test('a link that cannot be opened shows the reason, and the open input stays open', async () => {
    const link = await linkAs('inline');
    await actions.openFragment(link.slice(0, -10));
    expect(session().failure).toMatchObject({
      title: 'This link does not open',
      detail: expect.stringContaining('10 are missing'),
    });
    expect(session().analysis).not.toBeNull();
  });

  test('neither the same fragment nor an address of the app opens anything', async () => {
    const link = await linkAs('profile');
    await actions.openFragment(link);
    const { analysis } = session();
    await actions.openFragment(link);
    await actions.openFragment('#/type/t.Item');
    expect(session().analysis).toBe(analysis);
  });

  test('filler is not measured, neither as B nor as A, and stays filler when both change places', async () => {
    await actions.openFragment(await linkAs('shape'));
    const known = () => pairBitsOf(store.getState(), 'zstd');
    actions.keepBaseline();
    expect(known()).toEqual({ a: null, b: null });
    await actions.openText(BYTES);
    expect(known()).toEqual({ a: null, b: undefined });
    await actions.swapPair();
    expect(known()).toEqual({ a: undefined, b: null });
    expect(isShape(store.getState())).toBe(true);
    await actions.swapPair();
    expect(isShape(store.getState())).toBe(false);
  });

  test('B is read with the schema that A’s link brought, if no other fits', async () => {
    const link = await linkAs('shape');
    actions.closeInput();
    await settled();
    expect(session().schemaFiles).toEqual([]);
    await actions.openFragment(link);
    actions.keepBaseline();
    await actions.openFiles([new File([unhex(BYTES)], 'b.bin')]);
    await settled();
    expect(shownType(store.getState())).toBe('t.Item');
    expect(session().baseline?.profile.type).toBe('t.Item');
    // It is not the person's own: the next input is read without it.
    actions.closeInput();
    await settled();
    expect(session().schemaFiles).toEqual([]);
  });

  test('a pasted link and a pasted file open', async () => {
    const sharing = await actions.share({ kind: 'profile', ...request });
    if (!sharing.ok) throw new Error(sharing.reason);
    for (const text of [
      `https://example.org/wirecost/#${encodeFragment(sharing.shared)}`,
      printAnalysisFile(sharing.shared),
    ]) {
      actions.closeInput();
      await actions.openText(text);
      expect(session().sharedFrom).toMatchObject({ kind: 'profile', source: { name: 'a name' } });
    }
  });
});
