/** Openings that overlap: with a later one, with cancelling, and with changes that open nothing. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { printAnalysisFile } from '#permalink/file.ts';
import { encodeFragment } from '#permalink/fragment.ts';
import type { Shared } from '#permalink/shared.ts';
import { connect } from '#worker/connect.ts';
import { serve } from '#worker/serve.ts';
import { createSession } from '#worker/session.ts';
import { type Actions, createActions } from '../actions.ts';
import type { KeptInput, KeptInputs } from '../kept/kept-inputs.ts';
import { sample } from '../sample.testing.ts';
import { type AppStore, createAppStore } from '../store.ts';
import { initialView } from '../view-state.ts';
import type { Outside } from './remote-sources.ts';
import type { Shipped } from './shipped.ts';

const SCHEMA = 'syntax = "proto3";\npackage t;\nmessage Item { string name = 1; int64 size = 2; }\n';
/** Item { name: "foo" size: 150 }, Item { name: "hello" }, each after its length. */
const BYTES = Uint8Array.of(8, 10, 3, 102, 111, 111, 16, 150, 1, 7, 10, 5, 104, 101, 108, 108, 111);
const PASTED = '0a 03 66 6f 6f';

const SHARED: Shared = {
  source: { name: 'shared', messages: 2, size: 17, coverage: null, losses: [] },
  made: { date: '2026-01-01', by: 'x' },
  view: initialView(),
  data: { kind: 'inline', payload: BYTES, textEncoding: null, framing: null, schema: [] },
};
const KEPT: KeptInput = {
  id: 'k',
  name: 'kept',
  size: 17,
  opened: 0,
  data: new Blob([BYTES]),
  isShared: false,
  textEncoding: undefined,
  framing: undefined,
  schema: null,
};
const ADDRESS: Shared = {
  ...SHARED,
  data: { kind: 'address', address: 'https://a.example/x.bin', textEncoding: null, framing: null, schema: [] },
};

/** Openings wait for it, until the test lets them through. */
let gate: Promise<void>;
let letThrough: () => void;
let channel: MessageChannel;
let store: AppStore;
let actions: Actions;
const session = () => store.getState().session;

/** A file that takes its time to be read. */
class SlowFile extends File {
  override slice(from?: number, to?: number, type?: string): Blob {
    return new SlowFile([super.slice(from, to, type)], this.name);
  }
  override async arrayBuffer(): Promise<ArrayBuffer> {
    await gate;
    return super.arrayBuffer();
  }
  override async text(): Promise<string> {
    await gate;
    return super.text();
  }
}

const keptInputs: KeptInputs = {
  list: async () => [],
  get: async (id) => {
    await gate;
    if (id === 'k') return KEPT;
    return id === 'f' ? { ...KEPT, data: new Blob([printAnalysisFile(SHARED)]), isShared: true } : null;
  },
  put: async () => 'kept',
  forget: async () => {},
};

beforeEach(() => {
  gate = new Promise((resolve) => {
    letThrough = resolve;
  });
  channel = new MessageChannel();
  serve(channel.port2, createSession());
  store = createAppStore();
  const shipped: Shipped = {
    sampleBytes: async (file) => {
      await gate;
      if (file !== sample.file) throw new Error('it answers 404');
      return new Blob([BYTES]);
    },
    schemaFiles: async (paths) => paths.map((path) => ({ path, content: SCHEMA })),
    findCapture: () => undefined,
    findSample: (id) => (id === sample.id ? sample : undefined),
    findSchema: () => undefined,
    schemaPaths: [],
  };
  const outside: Outside = {
    originOf: (address) => new URL(address).origin,
    isReadable: () => true,
    isAllowed: () => true,
    allow: () => {},
    fetch: async () => {
      await gate;
      return new Blob([BYTES]);
    },
  };
  actions = createActions(store, connect(channel.port1), shipped, outside, undefined, keptInputs);
});
afterEach(() => {
  channel.port1.close();
  channel.port2.close();
});

/** Resolves at once when the state is like this, before the worker answers. */
const when = (isLike: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const end = store.subscribe(() => {
      if (!isLike()) return;
      end();
      resolve();
    });
  });

const schemaLink = encodeFragment({
  ...SHARED,
  data: {
    kind: 'inline',
    payload: BYTES,
    textEncoding: null,
    framing: null,
    schema: [{ path: 'l.proto', content: SCHEMA }],
  },
})!;

const slowEntry = {
  isDirectory: false,
  fullPath: '/folder/a.bin',
  file: (found: FileCallback) => void gate.then(() => found(new File([BYTES], 'a.bin'))),
} as FileSystemFileEntry;

const OPENINGS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['a kept input', () => actions.openPlace('#/local/k', null)],
  ['a kept shared file', () => actions.openPlace('#/local/f', null)],
  ['an input that is not kept', () => actions.openPlace('#/local/none', null)],
  ['a sample', () => actions.openSample(sample)],
  ['the address of a sample', () => actions.openPlace('#/sample/s', null)],
  ['two samples', () => actions.openSamplePair(sample, sample)],
  ['a sample that does not exist', () => actions.openSample({ ...sample, file: 'none' })],
  ['a shared file', () => actions.openSharedFile(new SlowFile([printAnalysisFile(SHARED)], 'a.wirecost.json'))],
  ['a dropped shared file', () => actions.openFiles([new SlowFile([printAnalysisFile(SHARED)], 'a.wirecost.json')])],
  [
    'a dropped shared file with another',
    () => actions.openFiles([new SlowFile([printAnalysisFile(SHARED)], 'a.wirecost.json'), new File([BYTES], 'a.bin')]),
  ],
  ['a dropped file', () => actions.openFiles([new SlowFile([BYTES], 'a.bin')])],
  ['two dropped files', () => actions.openFiles([new SlowFile([BYTES], 'a.bin'), new SlowFile([BYTES], 'b.bin')])],
  ['a dropped folder', () => actions.openDropped({ entries: [slowEntry], handles: [] })],
  ['a link', () => actions.openFragment(encodeFragment(SHARED)!)],
  ['a link that is damaged', () => actions.openFragment(encodeFragment(SHARED)!.slice(0, -9))],
  ['a link to an address', () => actions.openFragment(encodeFragment(ADDRESS)!)],
  ['the link of a schema', () => actions.openSchemaLink(schemaLink)],
];

describe.each(OPENINGS)('%s', (_, open) => {
  test('that waits for its files does not replace what is opened after it', async () => {
    const opened = open();
    await actions.openText(PASTED);
    letThrough();
    await opened;
    expect(session()).toMatchObject({ input: { name: 'pasted text' }, schemaFiles: [], failure: null, job: null });
    expect(session().analysis?.profiles[0]?.messages).toBe(1);
  });

  test('that is cancelled changes nothing', async () => {
    const opened = open();
    actions.cancel();
    letThrough();
    await opened;
    expect(session()).toMatchObject({ input: null, schemaFiles: [], failure: null, job: null });
  });
});

test.each([
  ['a sample', () => actions.openSample(sample), 's.binpb'],
  ['a link to an address', () => actions.openFragment(encodeFragment(ADDRESS)!), 'shared'],
  ['a kept input', () => actions.openPlace('#/local/k', null), 'kept'],
])('%s opens, though a schema is added and a filter ends while it is fetched', async (_, open, name) => {
  actions.filterMessages({ text: 'f' });
  const opened = open();
  await actions.openFiles([new File([SCHEMA], 'mine.proto')]);
  await new Promise((resolve) => setTimeout(resolve, 400));
  letThrough();
  await opened;
  expect(session()).toMatchObject({ input: { name }, failure: null, job: null });
  expect(session().analysis?.profiles[0]?.messages).toBe(2);
  expect(session().setAside ?? session().schemaFiles).toEqual([{ path: 'mine.proto', content: SCHEMA }]);
});

test.each([
  ['payloads', [new File([BYTES], 'a.bin'), new File([BYTES], 'b.bin')], 'a.bin, b.bin'],
  ['another one', [new File([printAnalysisFile(SHARED)], 'y.wirecost.json')], 'y.wirecost.json'],
])('a saved analysis among %s opens alone, and the others are named', async (_, others, names) => {
  await actions.openFiles([new File([printAnalysisFile(SHARED)], 'x.wirecost.json'), ...others]);
  expect(session().input?.name).toBe('shared');
  expect(session().failure).toMatchObject({
    title: 'A saved analysis is opened alone',
    detail: `Not opened: ${names}`,
  });
});

test('a schema that is added while a sample is fetched is read if the sample does not come', async () => {
  const opened = actions.openSample({ ...sample, file: 'none' });
  await actions.openFiles([new File([SCHEMA], 'mine.proto')]);
  letThrough();
  await opened;
  await when(() => session().schema !== null);
  expect(session().schema?.types).toBe(1);
  expect(session().failure).toMatchObject({ detail: 'Error: it answers 404' });
});

test('an input that is being read is read to its end after a link that does not open', async () => {
  void actions.openText(PASTED);
  await actions.openFragment(encodeFragment(SHARED)!.slice(0, -9));
  expect(session()).toMatchObject({ input: { name: 'pasted text' }, inputSummary: null });
  await when(() => session().analysis !== null);
  expect(session().failure).toMatchObject({ title: 'This link does not open' });
});

describe('two dropped files, when the first is being read', () => {
  const drop = async (): Promise<{ readonly pair: Promise<void> }> => {
    const isRead = when(() => session().input?.name === 'a.bin');
    const pair = actions.openFiles([new File([BYTES], 'a.bin'), new File([BYTES], 'b.bin')]);
    await isRead;
    return { pair };
  };

  test('do not replace what is opened', async () => {
    const { pair } = await drop();
    await actions.openText(PASTED);
    await pair;
    expect(session()).toMatchObject({ input: { name: 'pasted text' }, baseline: null, failure: null, job: null });
  });

  test('are not compared after cancelling', async () => {
    const { pair } = await drop();
    actions.cancel();
    await pair;
    expect(session()).toMatchObject({ input: { name: 'a.bin' }, baseline: null, failure: null, job: null });
  });

  test('are compared, though the first is read again in another way', async () => {
    const { pair } = await drop();
    void actions.overruleReading({ framing: 'single' });
    await pair;
    expect(session()).toMatchObject({ input: { name: 'b.bin' }, baseline: { name: 'a.bin' }, failure: null });
    expect(session().baseline?.profile.messages).toBe(1);
  });
});
