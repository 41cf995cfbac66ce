/** Measurements on demand, of the shown messages. */
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { writeConversation } from '#engine/capture/containers/packets-writer.testing.ts';
import { encodeSnappy } from '#engine/compression/snappy-encode.ts';
import { encodeFragment } from '#permalink/fragment.ts';
import { plainView } from '#permalink/plain-view.ts';
import { viewOf } from '../addresses/shared-view.ts';
import { actions, openPage, SCHEMA, session, settled, store } from '../page.testing.ts';
import { shownProfile } from '../shown-profile.ts';
import { FIRST_MATRIX } from '../view-state.ts';
import { shownBits } from './shown-bits.ts';
import { matrixByOf, shownMatrix } from './shown-matrix.ts';
import { pairBitsOf } from './shown-pair-bits.ts';
import { shownSaved } from './shown-saved.ts';

beforeEach(openPage);

const signal = new AbortController().signal;

test('after compression the sides are those that are compared: captured JSON and protobuf', async () => {
  const json = '{"name":"corner shop","size":"12"}';
  await actions.openFiles([new File([json], 'a.json'), new File([SCHEMA], 't.proto')]);
  actions.chooseType('t.Item');
  await expect.poll(() => session().analysis?.profiles[0]?.pair).toEqual(['protobuf', 'captured-json']);
  const sizes = await actions.compress(signal);
  expect([sizes?.protobuf, sizes?.native, sizes?.codecs.length]).toEqual([15, json.length, 3]);
});

/** `{ name: 'corner shop', size: 12 }` */
const ITEM = Buffer.from('\n\x0bcorner shop\x10\x0c', 'latin1');
const JSON_ITEM = Buffer.from('{"name":"corner shop","size":"12"}');

/** One type over HTTP: once in JSON, twice in protobuf. */
function bothFormats(): File {
  const request = (type: string, body: Uint8Array): Buffer => {
    const head = `POST /items HTTP/1.1\r\ncontent-type: application/${type}\r\ncontent-length: ${body.length}\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), body]);
  };
  const sent = [request('json', JSON_ITEM), request('x-protobuf', ITEM), request('x-protobuf', ITEM)];
  const capture = writeConversation([{ side: 0, bytes: new Uint8Array(Buffer.concat(sent)) }]);
  return new File([new Uint8Array(capture)], 'items.pcap');
}

test('messages of one type in JSON and in protobuf: the shown ones are measured, and no figure of the others is shown', async () => {
  await actions.openFiles([bothFormats(), new File([SCHEMA], 't.proto')]);
  actions.chooseType('t.Item');
  await expect
    .poll(() =>
      session()
        .analysis?.profiles.map(({ messages }) => messages)
        .sort(),
    )
    .toEqual([1, 2]);
  await settled();
  for (const origin of [...session().analysis!.origins].reverse()) {
    await actions.showProfile(origin.groups[0]!);
    actions.setPaid('snappy');
    const state = () => store.getState();
    expect([shownMatrix(state()), shownBits(state()), pairBitsOf(state(), 'snappy').b]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await actions.measureMatrix(signal, () => undefined)).toBe(true);
    await actions.measureBits('snappy', signal);
    const { messages } = shownProfile(state())!;
    expect([shownMatrix(state())?.messages, shownBits(state())?.messages]).toEqual([messages, messages]);
  }
});

test('the first compressor of Encodings is that of the captured messages; a chosen one stays, also in a link', async () => {
  const state = () => store.getState();
  await actions.openFiles([new File([new Uint8Array(gzipSync(ITEM))], 'a.gz'), new File([SCHEMA], 't.proto')]);
  actions.chooseType('t.Item');
  await settled();
  await actions.measureMatrix(signal, () => undefined);
  expect([matrixByOf(state()), shownMatrix(state())?.capturedWith]).toEqual(['gzip', { gzip: ITEM.length }]);
  actions.setMatrix({ per: 'message' });
  await actions.measureMatrix(signal, () => undefined);
  expect(matrixByOf(state())).toBe('gzip');
  const linkOf = async (kind: 'profile' | 'inline'): Promise<string> => {
    const sharing = await actions.share({ kind, name: 'a', address: '', excerpt: null, today: 0 });
    if (!sharing.ok) throw new Error(sharing.reason);
    return `#${encodeFragment(sharing.shared)!}`;
  };
  const figures = await linkOf('profile');
  actions.setMatrix({ by: 'snappy' });
  expect(matrixByOf(state())).toBe('snappy');
  const chosen = await linkOf('inline');
  actions.closeInput();
  await actions.openFragment(figures);
  expect([matrixByOf(state()), session().sharedFrom?.matrix?.sizes.capturedWith]).toEqual([
    'gzip',
    { gzip: ITEM.length },
  ]);
  await actions.openFragment(chosen);
  await settled();
  await actions.measureMatrix(signal, () => undefined);
  expect([matrixByOf(state()), shownMatrix(state())?.capturedWith]).toEqual(['snappy', { gzip: ITEM.length }]);
});

test('saved without a field: by the compressor of the captured messages, or the chosen one', async () => {
  await actions.openFiles([new File([new Uint8Array(gzipSync(ITEM))], 'a.gz'), new File([SCHEMA], 't.proto')]);
  actions.chooseType('t.Item');
  await settled();
  const labels: (string | undefined)[] = [];
  for (const streams of [null, 'captured', 'snappy'] as const) {
    actions.setPaid(streams);
    await actions.measureSaved(['size'], signal, () => undefined);
    labels.push(shownSaved(store.getState())?.label);
  }
  await actions.measureSaved(['constructor'], signal, () => undefined);
  expect([...shownSaved(store.getState())!.saved.keys()]).toEqual(['size', 'constructor']);
  expect(labels).toEqual(['gzip level 6', 'gzip level 6', 'snappy']);
});

test('a link that was made before a capture’s compressor came first is shown by zstd', () => {
  const made = { ...plainView(null, null), matrix: null };
  expect([viewOf(made).matrix.by, viewOf(plainView(null, null)).matrix]).toEqual(['zstd', FIRST_MATRIX]);
});

test.each([
  ['compressed', (bytes: Uint8Array) => encodeSnappy(bytes)],
  ['plain', (bytes: Uint8Array) => bytes],
])('A has the captured size of its file: %s', async (_, write) => {
  const bytes = new Uint8Array(write(ITEM));
  await actions.openFiles([new File([bytes], 'a.bin'), new File([SCHEMA], 't.proto')]);
  await settled();
  actions.keepBaseline();
  expect(session().baseline?.captured).toBe(bytes.length);
});

test('A has the captured size of its messages in a capture, those in another format apart', async () => {
  await actions.openFiles([bothFormats(), new File([SCHEMA], 't.proto')]);
  actions.chooseType('t.Item');
  await expect.poll(() => session().analysis?.profiles).toHaveLength(2);
  await settled();
  const sizes = session().analysis!.profiles.map((_, index) => {
    actions.keepBaseline(index);
    return session().baseline?.captured;
  });
  expect(sizes.toSorted()).toEqual([2 * ITEM.length, JSON_ITEM.length]);
});
