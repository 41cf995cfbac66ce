/**
 * What a person can do. The only code of the page that talks to the thread.
 *
 *   schema ─▶ input ─▶ ranking ─▶ analysis ─▶ inspection
 *
 * A change enters the journey at its stage and everything behind it is asked for again; a newer change cancels
 * the journey under way. What is already known stays on the screen until its successor arrives.
 */
import type { FieldProfile, Profile } from '#engine/cost/profile.ts';
import { isSharedFile } from '#permalink/file-head.ts';
import type { TypeRank } from '#worker/analysis-api.ts';
import type { Compressed } from '#worker/compression-api.ts';
import type { Client } from '#worker/connect.ts';
import type { InputSummary } from '#worker/input-api.ts';
import type { Api, Outcome, Progress } from '#worker/protocol.ts';
import type { SchemaFile } from '#worker/schema-api.ts';
import { createArrivals } from './arrivals.ts';
import { CLASSIFY_BYTES, classifyDrop } from './classify-drop.ts';

import { createAsk } from './explore.ts';
import { messageActions } from './message-actions.ts';
import type { Outside } from './outside.ts';
import { addressOf, firstRow, pathAt } from './row-address.ts';
import { createSchemaFiles } from './schema-files.ts';
import { createSchemaStorage, type SchemaStorage } from './schema-storage.ts';
import { type Failure, INITIAL_SESSION, NO_HOVER, type OpenInput, type SessionState } from './session-state.ts';
import { type ShareRequest, type Sharing, share } from './share.ts';
import type { Sample, Shipped } from './shipped.ts';
import { shownOrigin, shownProfile } from './shown-profile.ts';
import type { AppStore } from './store.ts';
import {
  initialView,
  NO_SCOPE,
  NO_SELECTION,
  type Panel,
  type Selection,
  type TableView,
  type ViewState,
} from './view-state.ts';

export type Actions = ReturnType<typeof createActions>;

/** Where a change enters the journey; `open` is a schema and an input at once. */
type Stage = 'open' | 'schema' | 'input' | 'analysis';

export function createActions(
  store: AppStore,
  client: Client,
  shipped: Shipped,
  outside: Outside,
  storage: SchemaStorage = createSchemaStorage(undefined),
) {
  let journey = new AbortController();
  let inspecting = new AbortController();

  const session = (): SessionState => store.getState().session;
  const view = (): ViewState => store.getState().view;
  const setSession = (change: Partial<SessionState>): void =>
    store.setState((state) => ({ session: { ...state.session, ...change } }));
  const setView = (change: Partial<ViewState>): void =>
    store.setState((state) => ({ view: { ...state.view, ...change } }));
  const setSelection = (change: Partial<Selection>): void => setView({ selection: { ...view().selection, ...change } });

  const fail = (title: string, detail: string): void => {
    const failure: Failure = {
      title,
      detail,
      remedy:
        'This is a fault of the app, not of your data. What was read before stays open; try again, or start over.',
    };
    setSession({ failure, job: null });
  };

  const analysisParams = () => {
    const { type, types, nativeProfile, overrides } = view();
    return { type, types, nativeProfile, overrides };
  };

  /** Runs one stage as the visible job. null: cancelled or failed, and said so. */
  async function run<M extends keyof Api>(
    label: string,
    method: M,
    params: Parameters<Api[M]>[0],
    signal: AbortSignal,
    onSoFar?: (result: ReturnType<Api[M]>) => void,
  ): Promise<ReturnType<Api[M]> | null> {
    setSession({ job: { label, since: Date.now(), progress: null } });
    const onProgress = (progress: Progress): void => {
      const { job } = session();
      if (job && !signal.aborted) setSession({ job: { ...job, progress } });
    };
    const outcome: Outcome<ReturnType<Api[M]>> = await client.call(method, params, { signal, onProgress, onSoFar });
    if (outcome.ok) return signal.aborted ? null : outcome.value;
    if (!outcome.cancelled) fail(`${label} failed`, outcome.message);
    return null;
  }

  /** `isSettled`: type and selection are as they are to be, whatever the messages suggest. */
  async function travel(from: Stage, isSettled = false): Promise<void> {
    journey.abort();
    inspecting.abort();
    const mine = new AbortController();
    journey = mine;
    setSession({ failure: null });
    await stages(from, mine.signal, isSettled);
    if (journey === mine) setSession({ job: null });
  }

  const schemaFiles = createSchemaFiles({
    session,
    setSession,
    storage,
    hold: async (files, signal) => (await run('Reading the schema', 'holdFiles', { files }, signal)) !== null,
    compile: (files, shelf, signal) => run('Reading the schema', 'setSchema', { files, shelf }, signal),
    compileOther: async (files, shelf, signal) => {
      const schema = await run('Reading the second version', 'setOther', { files, shelf }, signal);
      if (!signal.aborted) setSession({ job: null });
      return schema;
    },
    travel: () => travel('schema'),
    findSchema: shipped.findSchema,
    shippedFiles: shipped.schemaFiles,
  });

  async function stages(from: Stage, signal: AbortSignal, isSettled: boolean): Promise<void> {
    if (from === 'schema' || from === 'open') {
      const schema = await schemaFiles.read(signal);
      if (!schema) return;
      setSession({ schema });
    }
    const { input } = session();
    if ((from === 'input' || from === 'open') && input?.data) {
      const { name, data, dress, framing } = input;
      const params = {
        name,
        data,
        ...(dress === undefined ? {} : { dress }),
        ...(framing === undefined ? {} : { framing }),
      };
      const grow = (inputSummary: InputSummary): void => {
        if (session().inputSummary === null && !isSettled) setView({ panel: 'messages' });
        if (!signal.aborted) setSession({ inputSummary });
      };
      const inputSummary = await run('Reading the input', 'openInput', params, signal, grow);
      if (!inputSummary) return;
      if (inputSummary.kind === 'capture' && session().inputSummary === null && !isSettled)
        setView({ panel: 'messages' });
      setSession({ inputSummary });
    }
    const { inputSummary } = session();
    if (!inputSummary?.complete) return;
    if (inputSummary.kind === 'capture') {
      await captureStages(from, signal, isSettled);
      return;
    }
    const { scope, types } = view();
    if (from !== 'analysis') {
      const ranking = await run('Comparing types', 'rankTypes', { scope, types }, signal);
      if (!ranking) return;
      setSession({ ranking });
      const { type } = view();
      const known = type === null || isSettled ? null : await client.call('hasType', { name: type }, { signal });
      if (signal.aborted) return;
      const isKnown = isSettled || (known?.ok && known.value);
      if (!isKnown) setView({ type: believable(ranking[0]), selection: NO_SELECTION, table: null });
    }
    const analysis = await run('Adding up the bytes', 'analyze', { ...analysisParams(), scope }, signal);
    if (!analysis) return;
    setSession({ analysis });
    const [profile] = analysis.profiles;
    if (from !== 'analysis' && !isSettled && view().selection.path === null && profile)
      setSelection({ path: tellingPath(profile) });
    await inspect(signal);
  }

  /** Types come by what the transports name, so the messages can be added up at once. */
  async function captureStages(from: Stage, signal: AbortSignal, isSettled: boolean): Promise<void> {
    if (session().bundledTypes === 0) {
      setSession({ job: { label: 'Fetching the schemas', since: Date.now(), progress: null } });
      // Without them messages are told by field numbers.
      const files = await shipped.schemaFiles(shipped.schemaPaths).catch(() => []);
      if (signal.aborted) return;
      const bundledTypes = await run('Reading the schemas', 'setBundled', { files }, signal);
      if (bundledTypes === null) return;
      setSession({ bundledTypes });
    }
    const { scope, types } = view();
    const groupReadings = await run('Looking up types', 'groupReadings', { types }, signal);
    if (!groupReadings) return;
    setSession({ groupReadings });
    // What was captured natively is compared with the bytes that it had.
    const isLaidOut = Object.values(groupReadings).some(({ by }) => by === 'layout');
    if (isLaidOut && from !== 'analysis') setView({ nativeProfile: 'laid-out' });
    const analysis = await run('Adding up the bytes', 'analyze', { ...analysisParams(), scope }, signal);
    if (!analysis) return;
    setSession({ analysis });
    await lookAtShown(signal, from !== 'analysis' && !isSettled, isSettled);
  }

  /** The shown profile's field that tells most, its first message, and, where no type is known, what it could be. */
  async function lookAtShown(signal: AbortSignal, anew: boolean, isSettled = false): Promise<void> {
    const { analysis, inspection } = session();
    if (!analysis) return;
    const origin = shownOrigin(store.getState()) ?? analysis.opaque;
    const profile = shownProfile(store.getState());
    if (anew || (inspection === null && !isSettled) || (inspection && !origin.groups.includes(inspection.group))) {
      setSelection({ ordinal: origin.first, row: null, path: profile === undefined ? null : tellingPath(profile) });
    }
    await inspect(signal);
    if (signal.aborted) return;
    let ranking: readonly TypeRank[] = [];
    if (profile?.type === '') {
      const { scope, types } = view();
      const outcome = await client.call('rankTypes', { scope: { ...scope, groups: origin.groups }, types }, { signal });
      if (outcome.ok) ranking = outcome.value;
    }
    if (!signal.aborted) setSession({ ranking });
  }

  async function inspect(signal: AbortSignal): Promise<void> {
    const { inputSummary } = session();
    if (!inputSummary || inputSummary.messages === 0) {
      setSession({ inspection: null });
      return;
    }
    const ordinal = Math.min(view().selection.ordinal, inputSummary.messages - 1);
    const outcome = await client.call('inspect', { ...analysisParams(), ordinal }, { signal });
    if (!outcome.ok) {
      if (!outcome.cancelled) fail(`Reading message ${ordinal} failed`, outcome.message);
      return;
    }
    if (signal.aborted) return;
    setSession({ inspection: outcome.value });
    // A message of other messages than those shown brings its profile along.
    const { group } = outcome.value;
    const origins = session().analysis?.origins ?? [];
    if (origins.some(({ groups }) => groups.includes(group))) setView({ shown: group });
    const { path, row } = view().selection;
    setSelection({ ordinal, row: row ?? (path === null ? null : firstRow(outcome.value, path)) });
  }

  function inspectAgain(): Promise<void> {
    inspecting.abort();
    inspecting = new AbortController();
    return inspect(inspecting.signal);
  }

  function openInput(name: string, data: Blob): Promise<void> {
    const input: OpenInput = { name, data, dress: undefined, framing: undefined, origin: null };
    setSession({
      input,
      arrived: null,
      inputSummary: null,
      groupReadings: {},
      analysis: null,
      inspection: null,
      hover: NO_HOVER,
    });
    setView({ ...NOTHING_CHOSEN, panel: 'costs' });
    return travel('input');
  }

  /** Nothing open, and what is known of the app's own schemas kept. */
  const blank = (): SessionState => ({ ...INITIAL_SESSION, bundledTypes: session().bundledTypes });

  async function openSample(sample: Sample, shown: ViewState): Promise<void> {
    journey.abort();
    journey = new AbortController();
    const { signal } = journey;
    setSession({ ...blank(), job: { label: 'Fetching the sample', since: Date.now(), progress: null } });
    try {
      const [data, files] = await Promise.all([shipped.sampleBytes(sample.file), shipped.schemaFiles(sample.schemas)]);
      if (signal.aborted) return;
      const origin = { kind: 'sample', id: sample.id, schemaFiles: files } as const;
      const input: OpenInput = { name: sample.file, data, dress: undefined, framing: undefined, origin };
      setSession({ schemaFiles: files, openFile: sample.schemas[0] ?? null, input });
      setView(shown);
    } catch (error) {
      if (!signal.aborted) fail('Fetching the sample failed', String(error));
      return;
    }
    await travel('open', shown.selection.path !== null);
  }

  const arrivals = createArrivals({
    blank,
    setSession,
    setView,
    begin: () => {
      journey.abort();
      inspecting.abort();
      journey = new AbortController();
      return journey.signal;
    },
    read: () => travel('open', true),
    openSample,
    findSample: shipped.findSample,
    outside,
  });

  return {
    ...arrivals,

    /** What travels of the open analysis; the current selection with it. */
    share: (request: ShareRequest): Promise<Sharing> => share(store.getState(), client, request),

    /** A question about the loaded schema. */
    ask: createAsk(client, fail),

    ...schemaFiles.actions,

    /** Files as dropped or picked: schemas are added, the last payload is opened. */
    async openFiles(files: readonly File[]): Promise<void> {
      const schemas: SchemaFile[] = [];
      let payload: File | null = null;
      for (const file of files) {
        const kind = classifyDrop(file.name, new Uint8Array(await file.slice(0, CLASSIFY_BYTES).arrayBuffer()));
        if (kind === 'shared') return arrivals.openSharedFile(file);
        if (kind === 'payload') payload = file;
        else if (kind === 'schema-text') schemas.push({ path: pathOf(file), content: await file.text() });
        else schemas.push({ path: pathOf(file), content: new Uint8Array(await file.arrayBuffer()) });
      }
      if (schemas.length > 0) {
        schemaFiles.add(schemas);
        if (!payload && !session().input) setView({ panel: 'schema' });
        await travel('schema');
      }
      if (payload) await openInput(payload.name, payload);
    },

    /** Pasted text: schema text is added as a file, anything else is opened as an input. */
    async openText(text: string): Promise<void> {
      if (text.trim() === '') return;
      const link = /^\s*\S+#(w\d+-\d+-\S+)\s*$/.exec(text);
      if (link) return arrivals.openFragment(link[1]!);
      if (isSharedFile(text.slice(0, CLASSIFY_BYTES))) return arrivals.openSharedFile(new Blob([text]));
      if (classifyDrop('', new TextEncoder().encode(text.slice(0, CLASSIFY_BYTES))) === 'schema-text') {
        setView({ panel: 'schema' });
        await schemaFiles.actions.addSchemaText(text);
      } else {
        await openInput('pasted text', new Blob([text]));
      }
    },

    openSample: (sample: Sample): Promise<void> =>
      openSample(sample, { ...initialView(sample.nativeProfile), type: sample.type }),

    /** Back to the home page. The loaded schema stays. */
    closeInput(): void {
      arrivals.forgetFragment();
      journey.abort();
      inspecting.abort();
      const { schemaFiles: files, schema, openFile, schemaTabs, bundledTypes } = session();
      setSession({ ...INITIAL_SESSION, schemaFiles: files, schema, openFile, schemaTabs, bundledTypes });
      setView({ ...NOTHING_CHOSEN, panel: 'costs' });
    },

    overruleReading(reading: { readonly dress?: string | undefined; readonly framing?: string | undefined }) {
      const { input } = session();
      if (!input) return;
      setSession({ input: { ...input, ...reading } });
      setView({ selection: NO_SELECTION });
      return travel('input');
    },

    /** Of a capture, the type of the messages that are looked at. */
    chooseType(type: string | null): void {
      const chosen =
        session().inputSummary?.kind === 'capture'
          ? { types: { ...view().types, ...typed(shownOrigin(store.getState())?.groups ?? [], type) } }
          : { type };
      setView({
        ...chosen,
        selection: { ...NO_SELECTION, ordinal: view().selection.ordinal },
        table: null,
        cause: null,
      });
      void travel('analysis');
    },

    chooseNativeProfile(nativeProfile: string): void {
      setView({ nativeProfile });
      void travel('analysis');
    },

    /** A field's native writer, whatever profile and schema say; null: as they say. */
    chooseWriter(fullName: string, writer: string | null): void {
      const { [fullName]: _, ...others } = view().overrides;
      setView({ overrides: writer === null ? others : { ...others, [fullName]: writer } });
      void travel('analysis');
    },

    resetWriters(): void {
      setView({ overrides: {} });
      void travel('analysis');
    },

    cancel(): void {
      journey.abort();
      setSession({ job: null });
    },

    /** After cancelling or a failure: the input once more, from its first byte. */
    readAgain: (): Promise<void> => travel('input'),

    dismissFailure: (): void => setSession({ failure: null }),

    /** A field, from the table or a chart: its first row in the message lights up. */
    selectPath(path: string | null): void {
      const { inspection } = session();
      setSelection({ path, row: path === null || !inspection ? null : firstRow(inspection, path) });
    },

    /** A row, from a hex view or a tree. */
    selectRow(encoding: 'wire' | 'native', row: number): void {
      const side = session().inspection?.[encoding];
      if (!side || row < 0) return;
      setSelection({ path: pathAt(side, row) || null, row: addressOf(side, row) });
    },

    selectMessage(ordinal: number): void {
      if (ordinal === view().selection.ordinal && session().inspection?.ordinal === ordinal) return;
      setSelection({ ordinal, row: null });
      void inspectAgain();
    },

    /** A span of a message, from a finding: the innermost row that holds its first byte. */
    async selectSpan(ordinal: number, start: number): Promise<void> {
      if (session().inspection?.ordinal !== ordinal) {
        setSelection({ ordinal, row: null });
        await inspectAgain();
      }
      const side = session().inspection?.wire;
      if (!side) return;
      const { table } = side;
      // A finding about what is missing lies behind the last byte: that byte is what there is to look at.
      const offset = Math.min(start, side.bytes.length - 1);
      let found = 0;
      for (let row = 0; row < table.length && table.start[row]! <= offset; row++) {
        if (table.end[row]! > offset) found = row;
      }
      setSelection({ path: pathAt(side, found) || null, row: addressOf(side, found) });
    },

    /** Both sides of what is shown, compressed; null where there is none, or when it was cancelled or failed. */
    async compress(signal: AbortSignal): Promise<Compressed | null> {
      // Of figures and of filler the true sizes are those that came along.
      const { arrived } = session();
      if (arrived?.kind === 'profile' || arrived?.kind === 'shape') return arrived.compressed;
      const shown = shownProfile(store.getState())?.type ?? '';
      if (shown === '') return null;
      const outcome = await client.call('compress', { ...analysisParams(), scope: view().scope, shown }, { signal });
      if (outcome.ok) return outcome.value;
      if (!outcome.cancelled) fail('Compressing the messages failed', outcome.message);
      return null;
    },

    selectCause: (cause: ViewState['cause']): void => setView({ cause }),

    hoverPath(path: string | null): void {
      if (session().hover.path !== path || session().hover.row) setSession({ hover: { path, row: null } });
    },

    hoverRow(encoding: 'wire' | 'native', row: number | null): void {
      const side = session().inspection?.[encoding];
      if (!side || row === null || row < 0) setSession({ hover: NO_HOVER });
      else setSession({ hover: { path: pathAt(side, row) || null, row: addressOf(side, row) } });
    },

    setTable: (table: TableView): void => setView({ table }),

    showPanel: (panel: Panel): void => setView({ panel }),

    /** Escape: one step back, from the innermost selection out. false: there was nothing to leave. */
    goBack(): boolean {
      const { selection, cause, panel } = view();
      if (session().failure) setSession({ failure: null });
      else if (selection.path !== null || selection.row) setSelection({ path: null, row: null });
      else if (cause) setView({ cause: null });
      else if (panel !== 'costs' && session().input) setView({ panel: 'costs' });
      else return false;
      return true;
    },

    ...messageActions({
      store,
      client,
      fail,
      addUp: () => travel('analysis'),
      look: () => {
        inspecting.abort();
        inspecting = new AbortController();
        return lookAtShown(inspecting.signal, true);
      },
    }),
  };
}

const NOTHING_CHOSEN = {
  selection: NO_SELECTION,
  scope: NO_SCOPE,
  types: {},
  shown: null,
  cause: null,
  table: null,
} satisfies Partial<ViewState>;

const typed = (groups: readonly string[], type: string | null): Readonly<Record<string, string | null>> =>
  Object.fromEntries(groups.map((group) => [group, type]));

/** Less is no explanation: field numbers say more. */
const BELIEVABLE = 0.5;

const believable = (best: TypeRank | undefined): string | null =>
  best !== undefined && best.score >= BELIEVABLE ? best.type : null;

/** Fields that a table shows without being scrolled. */
const FIRST_FIELDS = 12;

/**
 * What to show first, of the fields that are seen first: where the encodings differ most, or, without a native side,
 * what costs most.
 */
function tellingPath({ fields, nativeProfile }: Profile): string | null {
  const weight = ({ protobuf, native }: FieldProfile): number => {
    const bytes = protobuf.tag + protobuf.length + protobuf.value;
    const nativeBytes = native.flag + native.count + native.length + native.type + native.value;
    return Math.abs(bytes - (nativeProfile === null ? 0 : nativeBytes));
  };
  let telling: FieldProfile | null = null;
  for (const field of fields.slice(0, FIRST_FIELDS)) {
    if (field.occurrences > 0 && (!telling || weight(field) > weight(telling))) telling = field;
  }
  return telling?.path ?? null;
}

/** A folder's files keep their path, which is how imports name them. */
const pathOf = (file: File): string => file.webkitRelativePath || file.name;
