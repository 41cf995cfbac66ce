/**
 * Links and files open, with any view they were made from: every kind of link × values of the view state × open inputs.
 * The rows are made from the fields of the view state. For a payload they cover each pair of values of two fields. For
 * inputs that take longer to open they cover each value, and each panel with each message and type. For the other
 * samples they cover each kind of link and each panel.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CAUSES } from '#engine/cost/compare.ts';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import { printAnalysisFile } from '#permalink/file.ts';
import { encodeFragment } from '#permalink/fragment.ts';
import { withoutPacket } from '#testing/without-packet.ts';
import { FIELD_COLUMNS } from '#views/field-table/field-columns.tsx';
import type { ShareKind } from '#wording/share-words.ts';
import { connect } from '#worker/connect.ts';
import { serve } from '#worker/serve.ts';
import { createSession } from '#worker/session.ts';
import { createActions } from '../actions.ts';
import { STREAMS, type Streams } from '../measured/measured.ts';
import { packFiles } from '../opening/pack-files.ts';
import type { Outside } from '../opening/remote-sources.ts';
import type { Sample, Shipped } from '../opening/shipped.ts';
import type { MessageScope } from '../session-state.ts';
import { shownProfile, shownQuestion } from '../shown-profile.ts';
import { shownSource } from '../shown-source.ts';
import { type AppState, createAppStore } from '../store.ts';
import {
  DRAWN,
  type Drawn,
  FIRST_MATRIX,
  type MatrixView,
  MESSAGE_FORMS,
  type MessageForm,
  NO_SCOPE,
  NO_SELECTION,
  PANELS,
  QUESTIONS,
  type Question,
  type Selection,
  type TableView,
  VIEW_FIELDS,
  type ViewState,
} from '../view-state.ts';
import { shareKinds } from './share.ts';

const ROOT = new URL('../../../', import.meta.url);
const bytesOf = (path: string) => new Uint8Array(readFileSync(new URL(path, ROOT)));
const textOf = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

const { samples } = JSON.parse(textOf('public/samples/index.json')) as { readonly samples: readonly Sample[] };
const SCHEMA_PATHS = readdirSync(new URL('schemas', ROOT), { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.proto'),
);

const shipped: Shipped = {
  sampleBytes: async (file) => new Blob([bytesOf(`public/samples/${file}`)]),
  schemaFiles: async (paths) => paths.map((path) => ({ path, content: textOf(`schemas/${path}`) })),
  findCapture: () => undefined,
  findSample: (id) => samples.find((sample) => sample.id === id),
  findSchema: (imported) => (SCHEMA_PATHS.includes(imported) ? imported : undefined),
  schemaPaths: SCHEMA_PATHS,
};

const ITEMS = 'syntax = "proto3";\npackage t;\nmessage Item { string name = 1; int64 size = 2; }\n';
/** Item { name: "foo" size: 150 }, Item { name: "hello" }, each after its length. */
const TWO_ITEMS = '08 0a 03 66 6f 6f 10 96 01 07 0a 05 68 65 6c 6c 6f';

/** Each of its two files has both items. */
const ITEMS_BYTES = Uint8Array.from(TWO_ITEMS.split(' '), (byte) => Number.parseInt(byte, 16));
const ARCHIVE = new Uint8Array(
  gzipSync(
    new Uint8Array(
      await packFiles(
        ['a/one.bin', 'a/two.bin'].map((path) => ({ path, file: new File([ITEMS_BYTES], path) })),
      ).data.arrayBuffer(),
    ),
  ),
);

type Browser = ReturnType<typeof openBrowser>;

/** A page with its worker, in which nothing was opened before. `given`: the response of every address. */
function openBrowser(given: Uint8Array<ArrayBuffer>) {
  const outside: Outside = {
    originOf: (address) => new URL(address).origin,
    isReadable: () => true,
    isAllowed: () => true,
    allow: () => {},
    fetch: async () => new Blob([given]),
  };
  const channel = new MessageChannel();
  serve(channel.port2, createSession());
  const store = createAppStore();
  const actions = createActions(store, connect(channel.port1), shipped, outside);
  const close = () => {
    channel.port1.close();
    channel.port2.close();
  };
  return { actions, close, state: () => store.getState() };
}

/** A view, and the kind of link that carries it. */
interface Case extends ViewState {
  readonly kind: ShareKind;
}

/** Whether every value of one field is tried with every value of the other. */
type Pairing = (a: keyof Case, b: keyof Case) => boolean;
const ALL_PAIRS: Pairing = () => true;
const OF_PANELS: Pairing = (...fields) =>
  fields.includes('panel') &&
  (['kind', 'selection', 'shown', 'types', 'type'] as const).some((field) => fields.includes(field));

interface Opened {
  readonly bytes: string | Uint8Array<ArrayBuffer>;
  readonly pairs: Pairing;
  /** Fields of the view that also take values other than their first; default: all. */
  readonly varied?: readonly (keyof Case)[];
  readonly open: (page: Browser) => Promise<void>;
}

const WIDELY = 'opensearch-document-fields';
const openedSample = (sample: Sample): Opened => ({
  bytes: `public/samples/${sample.file}`,
  pairs: sample.id === WIDELY ? OF_PANELS : () => false,
  ...(sample.id === WIDELY ? {} : { varied: ['kind', 'panel'] }),
  open: ({ actions }) => actions.openSample(sample),
});

/** Everything that can be open when a link is made. */
const OPENED: Readonly<Record<string, Opened>> = {
  'a payload and its schema': {
    bytes: TWO_ITEMS,
    pairs: ALL_PAIRS,
    open: async ({ actions }) => {
      await actions.openText(ITEMS);
      await actions.openText(TWO_ITEMS);
    },
  },
  'a payload without a schema, read as one message by hand': {
    bytes: TWO_ITEMS,
    pairs: OF_PANELS,
    open: async ({ actions }) => {
      await actions.openText(TWO_ITEMS);
      await actions.overruleReading({ framing: 'single' });
    },
  },
  'one file of an archive, unwrapped by hand': {
    bytes: ARCHIVE,
    pairs: () => false,
    varied: ['kind'],
    open: async ({ actions, state }) => {
      await actions.openText(ITEMS);
      await actions.openFiles([new File([ARCHIVE], 'items.tgz')]);
      await actions.overruleReading({ steps: ['gzip', 'tar:a/one.bin'] });
      expect(state().session.inputSummary?.messages).toBe(2);
    },
  },
  'a capture of native messages': {
    bytes: 'public/samples/opensearch-search.pcap',
    pairs: OF_PANELS,
    open: ({ actions }) => actions.openFiles([new File([bytesOf('public/samples/opensearch-search.pcap')], 'c.pcap')]),
  },
  'a capture of gRPC': {
    bytes: 'fixtures/capture/vitess-gzip.pcapng',
    pairs: OF_PANELS,
    open: ({ actions }) => actions.openFiles([new File([bytesOf('fixtures/capture/vitess-gzip.pcapng')], 'c.pcapng')]),
  },
  ...Object.fromEntries(samples.map((sample) => [`the sample ${sample.id}`, openedSample(sample)])),
};

/** Each value of every part alone, the others as given. */
const oneByOne = <T extends object>(first: T, parts: { readonly [P in keyof T]-?: readonly T[P][] }): readonly T[] =>
  (Object.keys(parts) as (keyof T)[]).flatMap((part) => parts[part].map((value) => ({ ...first, [part]: value })));

/**
 * The values that each field of the view state can have, over an open input: the only place to extend for a new field.
 */
const VALUES: { readonly [F in keyof Case]-?: (state: AppState) => readonly Case[F][] } = {
  kind: shareKinds,
  type: ({ view, session }) => [view.type, ...(session.inputSummary?.kind === 'payloads' ? [null] : [])],
  types: ({ session }) =>
    session.inputSummary?.kind === 'capture' ? [{}, { [session.inputSummary.groups[0]!.key]: null }] : [{}],
  scope: ({ session: { inputSummary } }) =>
    oneByOne<MessageScope>(NO_SCOPE, {
      text: ['', 'foo', 'nowhere in it'],
      name: ['', 'e'],
      flow: inputSummary?.kind === 'capture' ? [inputSummary.flows[0]!.name] : [null],
      minBytes: [null, 8],
      maxBytes: [null, 300],
      time: inputSummary?.kind === 'capture' ? [[0, inputSummary.lastTime! + 1]] : [null],
      groups: inputSummary?.kind === 'capture' ? inputSummary.groups.slice(0, 2).map(({ key }) => [key]) : [[]],
      ordinals: [[], [[0, 1]]],
    }),
  shown: ({ session }) => [null, ...session.analysis!.origins.flatMap(({ groups }) => groups.slice(0, 1))],
  pair: () => [
    VIEW_FIELDS.pair.first,
    { by: 'cause', unit: 'message', aligned: { a: 'b' }, after: ['zstd'] },
    { by: 'field', unit: 'record', aligned: {}, after: [] },
  ],
  question: () => [null, ...(Object.keys(QUESTIONS) as Question[])],
  root: (state) => [
    null,
    ...(shownProfile(state)
      ?.fields.slice(0, 1)
      .map(({ path }) => path) ?? []),
  ],
  nativeProfile: () => [null, ...NATIVE_PROFILES.map(({ id }) => id)],
  overrides: ({ session }) => {
    const field = session.analysis!.profiles[0]?.fields.find(({ declared }) => declared?.fullName !== undefined);
    return [{}, ...(field ? [{ [field.declared!.fullName]: 'TEXT' }] : [])];
  },
  selection: (state) => {
    const { messages } = state.session.inputSummary!;
    const paths = shownProfile(state)?.fields.map(({ path }) => path) ?? [];
    const rows = paths
      .slice(0, 1)
      .flatMap((path) => [
        { encoding: 'protobuf', path, occurrence: 0 } as const,
        { encoding: 'native', path, occurrence: 0 } as const,
      ]);
    return oneByOne<Selection>(NO_SELECTION, {
      path: [null, ...paths.slice(0, 1), ...paths.slice(-1)],
      ordinal: [0, messages - 1],
      row: [null, ...rows],
    });
  },
  cause: () => [null, ...(Object.keys(CAUSES) as (keyof typeof CAUSES)[])],
  table: () => [
    null,
    ...oneByOne<TableView>(
      { sort: null, filter: '', flat: false, expanded: [] },
      {
        sort: [null, ...FIELD_COLUMNS.map(({ id }) => ({ column: id, descending: true }))],
        filter: ['e'],
        flat: [true],
        expanded: [['nothing of it']],
      },
    ),
  ],
  changes: () => [[], [{ change: 'type', message: 't.Item', field: 'size', from: 'int64', to: 'sint64' }]],
  compressor: () => [null, 'snappy'],
  panel: () => Object.keys(PANELS) as (keyof typeof PANELS)[],
  paid: () => [null, ...(Object.keys(STREAMS) as Streams[])],
  messageForm: () => Object.keys(MESSAGE_FORMS) as MessageForm[],
  drawn: () => Object.keys(DRAWN) as Drawn[],
  matrix: () => [
    ...oneByOne<MatrixView>(FIRST_MATRIX, {
      per: [null, 'message', 'request', 'joined'],
      by: [null, 'gzip', 'brotli'],
      level: [null, 19],
      against: [null, 'json', 'no such encoding'],
      isAll: [true],
    }),
  ],
};
/** The table without the opened rows and the filter of other figures. */
function figuresTable(left: AppState): TableView | null {
  const { table } = left.view;
  const isOfThem = shownProfile(left)?.fields.some(({ path }) => path.includes('e')) ?? false;
  return table && { ...table, filter: isOfThem ? table.filter : '', expanded: [] };
}

const FIELDS = Object.keys(VALUES) as readonly (keyof Case)[];

/** Cases with every value of every field, and of fields that are paired every pair of values. */
function casesOf(state: AppState, { pairs: isPaired, varied = FIELDS }: Opened): readonly Case[] {
  const values = FIELDS.map((field) => {
    const all: readonly unknown[] = VALUES[field](state);
    return varied.includes(field) ? all : all.slice(0, 1);
  });
  const open = new Set<string>();
  for (let a = 0; a < values.length; a++) {
    for (const i of values[a]!.keys()) open.add(keyOf(a, i, a, i));
    for (let b = a + 1; b < values.length; b++) {
      if (!isPaired(FIELDS[a]!, FIELDS[b]!)) continue;
      for (const i of values[a]!.keys()) for (const j of values[b]!.keys()) open.add(`${a} ${i} ${b} ${j}`);
    }
  }
  const cases: Case[] = [];
  while (open.size > 0) {
    // A case begins with a pair that no case has yet; each further field takes the value that adds most pairs.
    const [a, i, b, j] = open.values().next().value!.split(' ').map(Number) as [number, number, number, number];
    const row = new Map([
      [a, i],
      [b, j],
    ]);
    for (const field of values.keys()) {
      if (row.has(field)) continue;
      let best = 0;
      let most = -1;
      for (const value of values[field]!.keys()) {
        let pairs = 0;
        for (const [other, chosen] of row) if (open.has(keyOf(field, value, other, chosen))) pairs++;
        if (open.has(keyOf(field, value, field, value))) pairs++;
        if (pairs > most) [best, most] = [value, pairs];
      }
      row.set(field, best);
    }
    for (const [field, value] of row) {
      for (const [other, chosen] of row) open.delete(keyOf(field, value, other, chosen));
    }
    cases.push(Object.fromEntries(FIELDS.map((field, at) => [field, values[at]![row.get(at)!]])) as unknown as Case);
  }
  return cases;
}

const keyOf = (a: number, i: number, b: number, j: number): string =>
  a < b ? `${a} ${i} ${b} ${j}` : `${b} ${j} ${a} ${i}`;

const ASKED = { from: 0, to: 5, order: { column: 'ordinal', descending: false } } as const;

let browsers: Browser[] = [];
afterEach(() => {
  for (const { close } of browsers) close();
  browsers = [];
});

test('the native side is computed on request', async () => {
  const page = openBrowser(new Uint8Array());
  browsers.push(page);
  await page.actions.openText(ITEMS);
  await page.actions.openText(TWO_ITEMS);
  const { analysis, inspection } = page.state().session;
  expect(Object.keys(analysis!.profiles[0]!.ledgers)).toEqual(['protobuf']);
  expect(inspection!.native).toBeNull();
  page.actions.chooseQuestion('native');
  expect(shownQuestion(page.state())).toBe('composition');
  await vi.waitFor(() => expect(page.state().session.inspection!.native).not.toBeNull());
  expect(shownProfile(page.state())!.pair).toEqual(['protobuf', 'opensearch']);
  expect(shownQuestion(page.state())).toBe('native');
});

describe.each(Object.entries(OPENED))('%s', (_, opening) => {
  const { bytes, open } = opening;
  const begin = () => {
    const isPath = typeof bytes === 'string' && bytes !== TWO_ITEMS;
    const given = isPath ? bytesOf(bytes) : typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
    const browser = openBrowser(given);
    browsers.push(browser);
    return browser;
  };

  test('every view opens unchanged from every kind of link and file', async () => {
    const sender = begin();
    await open(sender);
    const recipients = new Map<ShareKind, Browser>();
    const opened = new Set<ShareKind>();
    for (const [index, { kind, ...wanted }] of casesOf(sender.state(), opening).entries()) {
      await sender.actions.showView(wanted);
      const left = sender.state();
      expect(left.session.failure).toBeNull();
      if (!shareKinds(left).includes(kind)) continue;
      const request = { kind, name: 'n', address: 'https://a.example/x', excerpt: null, today: 0 };
      const sharing = await sender.actions.share(request);
      // If no message passes the filter, or no filler keeps the figures, the page gives the reason in place of a link.
      if (!sharing.ok) continue;
      const what = `${kind} of ${JSON.stringify(wanted)}`;
      opened.add(kind);
      const recipient = recipients.get(kind) ?? begin();
      recipients.set(kind, recipient);
      recipient.actions.closeInput();
      if (index % 2 === 0) await recipient.actions.openFragment(`#${encodeFragment(sharing.shared)}`);
      else await recipient.actions.openSharedFile(new Blob([printAnalysisFile(sharing.shared)]));
      const { session, view } = recipient.state();
      expect(session, what).toMatchObject({ failure: null, job: null, consent: null });
      expect(shownProfile(recipient.state()), what).toEqual(shownProfile(left));
      // The headline, and the note above it.
      expect(shownSource(session), what).toEqual(shownSource(left.session));
      const hasLayers = left.session.inputSummary?.kind === 'capture' && kind !== 'shape';
      const offered: Partial<Record<string, boolean>> = {
        advice: kind !== 'profile',
        messages: kind !== 'profile',
        layers: hasLayers,
      };
      expect(view, what).toMatchObject({
        panel: (offered[wanted.panel] ?? true) ? wanted.panel : 'costs',
        cause: left.view.cause,
        table: kind === 'profile' || kind === 'shape' ? figuresTable(left) : left.view.table,
        selection: { path: left.view.selection.path },
      });
      if (kind === 'profile') continue;
      if (kind !== 'shape') expect(view, what).toEqual(left.view);
      // The data that the panels request.
      expect(session.inspection, what).not.toBeNull();
      const { signal } = new AbortController();
      expect(await recipient.actions.messages(ASKED, signal), what).not.toBeNull();
      expect(await recipient.actions.rangesOf(ASKED), what).toBeInstanceOf(Array);
      await recipient.actions.timeline(9, signal);
      expect(recipient.state().session.failure, what).toBeNull();
    }
    // In a comparison, any kind of link carries A as figures.
    sender.actions.keepBaseline();
    const { from: _, ...figures } = sender.state().session.baseline!;
    for (const [kind, recipient] of recipients) {
      const request = { kind, name: 'n', address: 'https://a.example/x', excerpt: null, today: 0 };
      const sharing = await sender.actions.share(request);
      if (!sharing.ok) continue;
      for (const way of ['link', 'file'] as const) {
        recipient.actions.closeInput();
        if (way === 'link') await recipient.actions.openFragment(`#${encodeFragment(sharing.shared)}`);
        else await recipient.actions.openSharedFile(new Blob([printAnalysisFile(sharing.shared)]));
        expect(recipient.state().session.baseline, `${kind} as ${way}`).toEqual(figures);
        expect(recipient.state().view.question).toBe('another');
      }
    }
    for (const kind of ['profile', 'inline', 'address'] as const) expect(opened).toContain(kind);
  });
});

test.each(['profile', 'shape'] as const)('a capture with a gap as %s names no connection of it', async (kind) => {
  const browser = openBrowser(new Uint8Array());
  browsers.push(browser);
  const { actions, state } = browser;
  await actions.openFiles([new File([withoutPacket(bytesOf('fixtures/capture/grpc-opensearch.pcap'), 5)], 'gap.pcap')]);
  expect(shownSource(state().session).losses[0]?.missing?.flow).toMatch(/^127\.0\.0\.1:/);
  const sharing = await actions.share({ kind, name: 'n', address: '', excerpt: null, today: 0 });
  if (!sharing.ok) throw new Error(sharing.reason);
  expect(sharing.shared.source.losses[0]?.missing).toMatchObject({ gaps: 1, bytes: 40, flow: '' });
  expect(JSON.stringify(sharing.shared)).not.toContain('127.0.0.1');
});

describe('a schema page', () => {
  const begin = () => {
    const browser = openBrowser(new Uint8Array());
    browsers.push(browser);
    return browser;
  };
  const ASKED_PAGE = { nativeProfile: 'opensearch', overrides: {} };

  test('has nothing to share, and gives the reason', async () => {
    const { actions, state } = begin();
    await actions.openText(ITEMS);
    for (const kind of ['profile', 'inline', 'shape', 'address', 'sample'] as const) {
      const request = { kind, name: 'n', address: 'https://a.example/x', excerpt: null, today: 0 };
      const sharing = await actions.share(request);
      expect(sharing, kind).toMatchObject({ ok: false });
      expect(state().session.failure, kind).toBeNull();
    }
  });

  test('opens by its address in a new browser, over any open input', async () => {
    const shipsWithApp = 'prometheus.WriteRequest';
    for (const open of [async () => {}, (to: Browser) => to.actions.openSample(samples[0]!)]) {
      const recipient = begin();
      await open(recipient);
      const before = recipient.state().session.input;
      for (const address of ['#/schema', `#/type/${shipsWithApp}`, '#/type/nothing.OfIt', '#/costly']) {
        await recipient.actions.openFragment(address);
      }
      await recipient.actions.fetchBundled();
      expect(recipient.state().session).toMatchObject({ failure: null, job: null });
      expect(recipient.state().session.input).toBe(before);
      const page = await recipient.actions.ask('describe', { of: 'type', name: shipsWithApp, ...ASKED_PAGE });
      expect(page?.answer).toMatchObject({ kind: 'message', fullName: shipsWithApp });
    }
  });
});
