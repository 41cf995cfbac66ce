/** The runs of the open input: their order, what cancels them, and the state that they leave. */

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { totalIn } from '#engine/cost/profile.ts';
import { rowOf } from '#engine/inspect/row-address.ts';
import { encodeFragment } from '#permalink/fragment.ts';
import { startClient } from '#worker/client.testing.ts';
import { serve } from '#worker/serve.ts';
import { createSession } from '#worker/session.ts';
import { type Actions, createActions } from './actions.ts';
import { shareKinds } from './addresses/share.ts';
import { pairBitsOf } from './measured/shown-pair-bits.ts';
import type { Shipped } from './opening/shipped.ts';
import {
  actions,
  BYTES,
  client,
  openPage,
  outside,
  SCHEMA,
  session,
  settled,
  store,
  unhex,
  view,
} from './page.testing.ts';
import { sample } from './sample.testing.ts';
import { capturedSize, chosenMessages, isNoneChosen, shownProfile, shownType } from './shown-profile.ts';
import { isEveryMessage } from './view-state.ts';

beforeEach(openPage);

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
    actions.selectMessage(0);
    expect(await first()).toBe('t.Item');
    actions.selectMessage(1);
    expect(await first()).toBe('t.Blobs');
  });

  test('a stream opens on the first message that has the selected field, and a choice stays', async () => {
    await actions.openText(SCHEMA);
    // The name, which takes the most bytes, is in the second message.
    await actions.openText('03 10 96 01 0d 0a 0b 6c 6f 6e 67 65 72 20 6e 61 6d 65 02 10 01');
    expect(view().selection).toMatchObject({ path: 'name', ordinal: 1, row: { path: 'name' } });
    actions.selectMessage(0);
    await actions.openText(`${SCHEMA}message Third { repeated bytes blob = 9; }`);
    expect(view().selection).toMatchObject({ ordinal: 0, row: null });
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

  test('a writer is changed, changed back, and all are reset', async () => {
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
});

describe('a capture', () => {
  const GROUP = 'grpc response /queryservice.Query/ExecuteBatch';
  let actions: Actions;
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
    actions = createActions(store, startClient(), shipped, outside);
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

test.each([
  ['a text a line', '', true],
  ['action lines between them', '{"index":{"_index":"films"}}\n', false],
])('the size of a compressed file is that of its messages: %s', async (_name, before, isItsSize) => {
  const text = Array.from({ length: 50 }, (_, at) => `${before}{"title":"Film ${at}","year":${1900 + at}}\n`).join('');
  const packed = new Uint8Array(gzipSync(text));
  await actions.openFiles([new File([packed], 'films.ndjson.gz')]);
  await settled();
  expect(session().analysis?.profiles[0]?.messages).toBe(50);
  expect(capturedSize(store.getState())).toBe(isItsSize ? packed.length : null);
});
