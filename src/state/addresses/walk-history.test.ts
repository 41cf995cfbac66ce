/**
 * The open input in the browser's history: the entries of user actions, and the state after Back, Forward and a reload.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connect } from '#worker/connect.ts';
import { serve } from '#worker/serve.ts';
import { createSession } from '#worker/session.ts';
import { type Actions, createActions } from '../actions.ts';
import { keepInput } from '../kept/keep-input.ts';
import type { KeptInput, KeptInputs } from '../kept/kept-inputs.ts';
import type { Outside } from '../opening/remote-sources.ts';
import type { Shipped } from '../opening/shipped.ts';
import { sample } from '../sample.testing.ts';
import { type AppStore, createAppStore } from '../store.ts';
import { type HistoryEntry, withHistory } from './walk-history.ts';

const SCHEMA = 'syntax = "proto3";\npackage t;\nmessage Item { string name = 1; int64 size = 2; }\n';
const BYTES = '08 0a 03 66 6f 6f 10 96 01 07 0a 05 68 65 6c 6c 6f';
const shipped: Shipped = {
  sampleBytes: async () => new Blob([Uint8Array.from(BYTES.split(' '), (pair) => Number.parseInt(pair, 16))]),
  schemaFiles: async (paths) => paths.map((path) => ({ path, content: SCHEMA })),
  findSample: (id) => (id === sample.id ? sample : undefined),
  findCapture: () => undefined,
  findSchema: () => undefined,
  schemaPaths: [],
};
const outside: Outside = {
  originOf: () => 'https://a.example',
  isReadable: () => false,
  isAllowed: () => false,
  allow: () => {},
  fetch: async () => new Blob(),
};

/** The store that one browser keeps for all its tabs. */
let memory: Map<string, KeptInput>;
let loaded: readonly { readonly path: string; readonly content: string | Uint8Array | Blob }[];
const keptInputs: KeptInputs = {
  list: async () => [...memory.values()],
  get: async (id) => memory.get(id) ?? null,
  put: async (input) => {
    memory.set(input.id, input);
    return 'kept';
  },
  forget: async (id) => {
    if (id === null) memory.clear();
    else memory.delete(id);
  },
};

interface Tab {
  readonly store: AppStore;
  readonly actions: Actions;
  readonly entries: { entry: HistoryEntry | null; fragment: string }[];
  readonly go: (by: number) => Promise<void>;
  readonly fragment: () => string;
  readonly close: () => void;
}
let tabs: Tab[] = [];

/** A tab after a reload: its history holds these entries, and the last one is shown. */
async function openTab(entries: Tab['entries'] = [{ entry: null, fragment: '' }]): Promise<Tab> {
  let at = entries.length - 1;
  const channel = new MessageChannel();
  serve(channel.port2, createSession());
  const store = createAppStore();
  keepInput(store, keptInputs);
  const storage = {
    recall: async () => loaded,
    remember: async (files: typeof loaded) => {
      loaded = files;
      return true;
    },
  };
  const { walk, ...actions } = withHistory(
    store,
    createActions(store, connect(channel.port1), shipped, outside, storage, keptInputs),
    {
      fragment: () => entries[at]!.fragment,
      entry: () => entries[at]!.entry,
      push: (entry, fragment) => {
        entries.splice(at + 1, entries.length, structuredClone({ entry, fragment }));
        at++;
      },
      replace: (entry, fragment) => {
        entries[at] = structuredClone({ entry, fragment });
      },
    },
  );
  const tab: Tab = {
    store,
    actions,
    entries,
    go: async (by) => {
      at += by;
      await walk();
    },
    fragment: () => entries[at]!.fragment,
    close: () => {
      channel.port1.close();
      channel.port2.close();
    },
  };
  tabs.push(tab);
  await Promise.all([actions.recallSchema(), walk()]);
  return tab;
}

const paused = () => new Promise((resolve) => setTimeout(resolve, 700));
const pathOf = ({ store }: Tab) => store.getState().view.selection.path;
const sessionOf = ({ store }: Tab) => store.getState().session;

beforeEach(() => {
  memory = new Map();
  loaded = [];
});
afterEach(() => {
  for (const { close } of tabs) close();
  tabs = [];
});

describe('Back and Forward', () => {
  test('go through selections, messages, panels, types and inputs', async () => {
    const tab = await openTab();
    await tab.actions.openSample(sample);
    expect(tab.fragment()).toMatch(/^#\/sample\/s(\?|$)/);
    await paused();
    tab.actions.selectPath('name');
    await paused();
    tab.actions.selectPath('size');
    tab.actions.showPanel('messages');
    tab.actions.chooseType(null);
    while (sessionOf(tab).job !== null) await paused();
    expect(tab.store.getState().view).toMatchObject({ type: null, panel: 'messages' });
    await tab.go(-1);
    expect(tab.store.getState().view).toMatchObject({ type: 't.Item', panel: 'messages', selection: { path: 'size' } });
    expect(sessionOf(tab).analysis?.profiles[0]?.type).toBe('t.Item');
    await tab.go(-1);
    expect(tab.store.getState().view).toMatchObject({ panel: 'costs', selection: { path: 'size' } });
    await tab.go(-1);
    expect(pathOf(tab)).toBe('name');
    await tab.go(-2);
    expect(sessionOf(tab).input).toBeNull();
    await tab.go(3);
    expect(pathOf(tab)).toBe('size');
    expect(sessionOf(tab)).toMatchObject({ failure: null, input: { name: 's.binpb' } });
  });

  test('go through comparison modes, zooms and alignments of A and B', async () => {
    const tab = await openTab();
    await tab.actions.openSample(sample);
    await paused();
    tab.actions.chooseQuestion('composition');
    tab.actions.zoomInto('name');
    tab.actions.keepBaseline();
    tab.actions.setPair({ by: 'cause' });
    const view = () => tab.store.getState().view;
    expect(view()).toMatchObject({ question: 'another', root: 'name', pair: { by: 'cause' } });
    await tab.go(-1);
    expect(view()).toMatchObject({ question: 'another', root: 'name', pair: { by: 'field' } });
    await tab.go(-1);
    expect(view()).toMatchObject({ question: 'composition', root: 'name' });
    await tab.go(-1);
    expect(view()).toMatchObject({ question: 'composition', root: null });
    await tab.go(3);
    expect(view()).toMatchObject({ question: 'another', pair: { by: 'cause' } });
    expect(sessionOf(tab).baseline?.name).toBe('s.binpb');
  });

  test('a reload adds no entry, though the schema of the last visit is there before the view is read', async () => {
    loaded = [{ path: 'a.proto', content: SCHEMA }];
    const tab = await openTab();
    await tab.actions.openText(BYTES);
    await paused();
    tab.actions.selectPath('size');
    await paused();
    const entries = tab.entries.length;
    const again = await openTab(tab.entries);
    expect(again.entries).toHaveLength(entries);
    await again.go(-1);
    expect(pathOf(again)).toBe('name');
  });

  test('an input that is opened on a page of the explorer is shown, and Back returns to the page', async () => {
    const tab = await openTab([{ entry: null, fragment: '#/schema' }]);
    await tab.actions.openText(BYTES);
    expect(tab.fragment()).toMatch(/^#\/local\//);
    await tab.go(-1);
    expect(tab.fragment()).toBe('#/schema');
  });

  test('a held key is one step', async () => {
    const tab = await openTab();
    await tab.actions.openSample(sample);
    await paused();
    const before = tab.entries.length;
    for (const path of ['name', 'size', 'name', 'size']) tab.actions.selectPath(path);
    expect(tab.entries.length - before).toBe(1);
  });

  test('the open input and its address are kept after a visit to the explorer', async () => {
    const tab = await openTab();
    await tab.actions.openSample(sample);
    const { analysis } = sessionOf(tab);
    tab.entries.push({ entry: null, fragment: '#/type/t.Item' });
    await tab.go(1);
    expect(tab.fragment()).toBe('#/type/t.Item');
    tab.entries.push({ entry: null, fragment: '' });
    await tab.go(1);
    expect(tab.fragment()).toMatch(/^#\/sample\/s/);
    expect(sessionOf(tab).analysis).toBe(analysis);
  });
});

describe('a reload', () => {
  test('returns to the same input, with the same field of the same type', async () => {
    const tab = await openTab();
    await tab.actions.openText(SCHEMA);
    await tab.actions.openText(BYTES);
    tab.actions.selectMessage(1);
    await paused();
    tab.actions.selectPath('name');
    await paused();
    expect(tab.fragment()).toMatch(/^#\/local\//);
    const again = await openTab(tab.entries.slice());
    const { view } = tab.store.getState();
    expect(again.store.getState().view).toEqual(view);
    expect(sessionOf(again).analysis).toEqual(sessionOf(tab).analysis);
    expect(sessionOf(again)).toMatchObject({ failure: null, kept: 'kept', inspection: { ordinal: 1 } });
  });

  test('in the explorer, too', async () => {
    const tab = await openTab();
    await tab.actions.openText(BYTES);
    await paused();
    tab.entries.push({ entry: null, fragment: '#/schema' });
    await tab.go(1);
    const again = await openTab(tab.entries.slice());
    expect(again.fragment()).toBe('#/schema');
    expect(sessionOf(again).input?.name).toBe('pasted text');
  });

  test('a sample with an edited schema reopens with the edit', async () => {
    const tab = await openTab();
    await tab.actions.openSample(sample);
    tab.actions.editSchema('t.proto', SCHEMA.replace('size', 'weight'));
    await paused();
    await paused();
    expect(tab.fragment()).toMatch(/^#\/local\//);
    expect(loaded).toEqual([]);
    const again = await openTab(tab.entries.slice());
    expect(sessionOf(again).analysis?.profiles[0]?.fields.map(({ path }) => path)).toContain('weight');
  });

  test('shows a note for a removed input, and nothing fails', async () => {
    const tab = await openTab();
    await tab.actions.openText(BYTES);
    await paused();
    await tab.actions.forgetKept(null);
    tab.actions.selectPath(null);
    await paused();
    expect(memory.size).toBe(0);
    const again = await openTab(tab.entries.slice());
    expect(sessionOf(again)).toMatchObject({ input: null, failure: { title: 'This address cannot be opened' } });
  });
});

test.each([
  ['a local input', async ({ actions }: Tab) => actions.openText(BYTES)],
  ['a sample', async ({ actions }: Tab) => actions.openSample(sample)],
])('Back undoes a change of how %s is read, Forward repeats it, and a reload keeps it', async (_, open) => {
  const tab = await openTab();
  await open(tab);
  await paused();
  const messages = (of: Tab): number | undefined => sessionOf(of).inputSummary?.messages;
  const detected = messages(tab);
  await tab.actions.overruleReading({ framing: 'single' });
  await paused();
  const overruled = messages(tab);
  expect(overruled).not.toBe(detected);
  await tab.go(-1);
  expect(messages(tab)).toBe(detected);
  await paused();
  expect(messages(await openTab(tab.entries.slice(0, -1)))).toBe(detected);
  await tab.go(1);
  expect(sessionOf(tab).input).toMatchObject({ framing: 'single' });
  expect(messages(tab)).toBe(overruled);
  await paused();
  expect(messages(await openTab(tab.entries.slice()))).toBe(overruled);
});

test('an address alone opens the view that it names', async () => {
  const tab = await openTab();
  await tab.actions.openSample(sample);
  tab.actions.showPanel('messages');
  tab.actions.selectPath('size');
  await paused();
  const other = await openTab([{ entry: null, fragment: tab.fragment() }]);
  expect(other.store.getState().view).toMatchObject({ panel: 'messages', selection: { path: 'size' }, type: 't.Item' });
});

test('two tabs keep their own inputs, and each returns to its own', async () => {
  const [a, b] = [await openTab(), await openTab()];
  await a.actions.openText(BYTES);
  await b.actions.openText('0a 03 66 6f 6f');
  await paused();
  expect(memory.size).toBe(2);
  expect(sessionOf(await openTab(a.entries.slice())).inputSummary?.messages).toBe(2);
  expect(sessionOf(await openTab(b.entries.slice())).inputSummary?.messages).toBe(1);
});
