/** User actions: the state that each changes, and the stage of the pipeline that it starts. */

import type { Profile } from '#engine/cost/profile.ts';
import { isSharedFile } from '#permalink/file-head.ts';
import {
  APP_FAULT,
  MISSING_PART,
  NOT_KEPT,
  noSuchSample,
  nothingToCompare,
  unopenedAddress,
  workerEnded,
} from '#wording/failure-words.ts';
import { PROGRESS_NOTES } from '#wording/progress-notes.ts';
import type { Client } from '#worker/connect.ts';
import type { Failed } from '#worker/protocol.ts';
import { adviceActions } from './advice-actions.ts';
import { afterReading } from './after-reading.ts';
import { choiceActions } from './choice-actions.ts';
import { CLASSIFY_BYTES, classifyDrop, isNamedAsCapture, isWrapped } from './classify-drop.ts';
import type { DroppedFolders, NamedFile } from './dropped-folder.ts';
import { createAsk } from './explore.ts';
import { isWide } from './is-wide.ts';
import type { FolderHandle } from './kept-folders.ts';
import { createKeptInputs, type KeptFacts, type KeptInputs } from './kept-inputs.ts';
import { keyActions } from './key-actions.ts';
import { loadPart, MissingPart } from './load-part.ts';
import { localId, newLocalPlace, readPlace, samplePlace } from './local-place.ts';
import { measureActions } from './measure-actions.ts';
import { messageActions } from './message-actions.ts';
import type { Needs } from './open-files.ts';
import { createSharedOpener } from './open-shared.ts';
import type { PageAddress } from './page-address.ts';
import { pairActions } from './pair-actions.ts';
import { createPipeline } from './pipeline.ts';
import { type AddressedPlace, fragmentOf as placeAddress } from './place.ts';
import { readTextOf } from './read-texts.ts';
import { isFetchable, type Outside } from './remote-sources.ts';
import { createSchemaFiles } from './schema-files.ts';
import { createSchemaStorage, type SchemaStorage } from './schema-storage.ts';
import { selectionActions } from './selection-actions.ts';
import {
  type Failure,
  INITIAL_SESSION,
  type KeptSide,
  NO_HOVER,
  type OpenInput,
  type SessionState,
} from './session-state.ts';
import { settersOf } from './setters.ts';
import type { ShareRequest, Sharing } from './share.ts';
import { readView } from './shared-view.ts';
import type { CaptureSample, Sample, Shipped } from './shipped.ts';
import { awaitsB, lacksNative, shownProfile, shownType } from './shown-profile.ts';
import type { AppStore } from './store.ts';
import {
  asksNative,
  FIRST_MATRIX,
  initialView,
  type MatrixView,
  NO_SCOPE,
  NO_SELECTION,
  type Panel,
  type TableView,
  type ViewState,
} from './view-state.ts';

export type Actions = ReturnType<typeof createActions>;

export function createActions(
  store: AppStore,
  port: Client,
  shipped: Shipped,
  outside: Outside,
  storage: SchemaStorage = createSchemaStorage(undefined),
  keptInputs: KeptInputs = createKeptInputs(undefined, undefined),
) {
  const client = afterReading(port);
  /** Resolves once the files of the last visit are loaded. */
  let recalled: Promise<void> = Promise.resolve();
  const session = (): SessionState => store.getState().session;
  const view = (): ViewState => store.getState().view;
  const { set, setSession, setView } = settersOf(store);

  const fail = (title: string, { message: detail, isMissing }: Pick<Failed, 'message' | 'isMissing'>): void => {
    const failure: Failure = isMissing ? MISSING_PART : { title, detail, remedy: APP_FAULT };
    setSession({ failure, job: null });
  };

  /** The input that was open when a worker ended. */
  let endedOver: SessionState['input'] = null;

  const { begin, rerun, run, analysisParams, comparedParams, inspectAgain, lookAgain, cancel, fetchBundled } =
    createPipeline({
      store,
      client,
      shipped,
      fail,
      readSchema: (signal) => schemaFiles.read(signal),
    });

  const schemaFiles = createSchemaFiles({
    session,
    setSession,
    storage,
    hold: async (files, signal) => (await run('Reading the schema', 'holdFiles', { files }, signal)) !== null,
    unpack: (archive, signal) => run('Unpacking the archive', 'unpackArchive', { archive }, signal),
    compile: (files, shelf, signal) => run('Reading the schema', 'setSchema', { files, shelf }, signal),
    compileOther: async (files, shelf, signal) => {
      const schema = await run(PROGRESS_NOTES.secondVersion, 'setOther', { files, shelf }, signal);
      if (!signal.aborted) setSession({ job: null });
      return schema;
    },
    changed: () => {
      const { input, setAside } = session();
      // The user's own files are read with the open schema; of the others a copy is kept.
      return input?.data && setAside !== null ? { input: { ...input, ...ownCopy() } } : {};
    },
    rerun: () => rerun('schema'),
    readText: (path) => readTextOf(path, { client, findSchema: shipped.findSchema, shippedFiles: shipped.schemaFiles }),
    findSchema: shipped.findSchema,
    shippedFiles: shipped.schemaFiles,
  });

  /**
   * @param shown its last view; null: it is opened for the first time
   * @param isCapture by its first bytes or its name: its messages have their place before they are read, and nothing
   *   moves when they come
   * @param said the parts of its first view that its address says
   */
  function openInput(
    name: string,
    data: Blob,
    place = newLocalPlace(),
    shown: ViewState | null = null,
    isCapture = isNamedAsCapture(name),
    said: Partial<ViewState> = {},
  ): Promise<void> {
    const input: OpenInput = {
      name,
      data,
      textEncoding: undefined,
      framing: undefined,
      place,
      file: null,
      origin: null,
    };
    const { schemaFiles: files, isOther } = ownSchema();
    const broughtByA = isOther && session().baseline !== null ? session().schemaFiles : [];
    set({
      session: {
        ...(isOther ? { schemaFiles: files, setAside: null, schemaTabs: [], openFile: null } : {}),
        input,
        kept: null,
        dropped: [],
        sharedFrom: null,
        inputSummary: null,
        groupReadings: {},
        analysis: null,
        inspection: null,
        hover: NO_HOVER,
      },
      // The view of an earlier input does not apply to this one. A comparison continues with another B.
      view: shown ?? {
        ...NOTHING_CHOSEN,
        type: null,
        panel: isCapture && isWide() ? 'messages' : 'costs',
        question: session().baseline === null ? null : 'another',
        ...said,
      },
    });
    const read = rerun(isOther ? 'open' : 'input', shown !== null);
    return broughtByA.length === 0 ? read : read.then(() => trySchema(broughtByA, data));
  }

  /** B, if no type of the person's own schema fits it, is tried with the schema that a link or a sample brought for A. */
  async function trySchema(files: SessionState['schemaFiles'], data: Blob): Promise<void> {
    const { input, analysis, schemaFiles: own } = session();
    if (input?.data !== data || analysis === null || shownType(store.getState()) !== null) return;
    setSession({ schemaFiles: files, setAside: own });
    await rerun('schema');
  }

  /** The files that the person loaded, in place of those that a sample or a link brought. */
  function ownSchema() {
    const { setAside, schemaFiles: files } = session();
    return { schemaFiles: setAside ?? files, isOther: setAside !== null };
  }

  /** No input is open, and facts about the app's own schemas are kept. */
  const blank = (): SessionState => ({
    ...INITIAL_SESSION,
    bundled: session().bundled,
    setAside: ownSchema().schemaFiles,
    isSchemaKept: session().isSchemaKept,
  });

  /** Returns the fetched files of the app, unless something else began meanwhile. */
  async function fetchSample<T>(fetching: () => Promise<T>, use: (fetched: T) => Promise<void>): Promise<void> {
    const signal = begin();
    setSession({ ...blank(), job: { label: 'Fetching the sample', since: Date.now(), progress: null } });
    let fetched: T;
    try {
      fetched = await fetching();
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof MissingPart) setSession({ failure: MISSING_PART, job: null });
      else fail(PROGRESS_NOTES.sampleFailed, { message: String(error), isMissing: false });
      return;
    }
    if (!signal.aborted) await use(fetched);
  }

  /** `isSettled`: the view was chosen by a person or a link, and the messages do not change it. */
  const openSample = (
    sample: Sample,
    view: ViewState,
    isSettled: boolean,
    place: string,
    baseline: KeptSide | null = null,
  ): Promise<void> =>
    fetchSample(
      () => Promise.all([shipped.sampleBytes(sample.file), shipped.schemaFiles(sample.schemas)]),
      ([data, files]) => {
        const origin = { kind: 'sample', id: sample.id, schemaFiles: files } as const;
        const reading = { textEncoding: undefined, framing: undefined };
        const input: OpenInput = { name: sample.file, data, ...reading, place, file: null, origin };
        set({ session: { schemaFiles: files, openFile: sample.schemas[0] ?? null, input, baseline }, view });
        return rerun('open', isSettled);
      },
    );

  const openCaptureSample = (
    { id, file }: CaptureSample,
    view: ViewState | null = null,
    said: Partial<ViewState> = {},
  ): Promise<void> =>
    fetchSample(
      () => shipped.sampleBytes(file),
      (data) => openInput(file, data, samplePlace(id), view, undefined, said),
    );

  function close(): void {
    begin();
    const { schema, openFile, schemaTabs, bundled } = session();
    const { schemaFiles: files, isOther } = ownSchema();
    set({
      session: {
        ...INITIAL_SESSION,
        schemaFiles: files,
        bundled,
        isSchemaKept: session().isSchemaKept,
        ...(isOther ? {} : { schema, openFile, schemaTabs }),
      },
      view: { ...NOTHING_CHOSEN, panel: 'costs' },
    });
    // If it is still being read, reading continues.
    void rerun(isOther ? 'schema' : 'analysis');
  }

  /** A changed input is no longer the one that its address names: from then on it belongs to this browser. */
  function ownCopy(): Partial<OpenInput> {
    const { input } = session();
    return input && (input.file !== null || localId(input.place) === null)
      ? { place: newLocalPlace(), file: null }
      : {};
  }

  function refusePlace(detail: string): void {
    close();
    setSession({ failure: unopenedAddress(detail) });
  }
  const ofMessages = messageActions({
    store,
    client,
    fail,
    comparedParams,
    addUp: () => rerun('analysis'),
    look: lookAgain,
  });

  const ofPair = pairActions(store, {
    client,
    read: () => rerun('open', true),
    addUp: () => rerun('analysis', true),
    readWith: async (files) => {
      schemaFiles.add(files);
      await rerun('schema');
    },
  });

  const ofKeys = keyActions({
    session,
    setSession,
    leaveFindings: () => {
      if (view().panel === 'findings') setView({ panel: 'costs' });
    },
    readAgain: () => rerun('input'),
  });

  /** An input becomes B, on the same type as A where it has it. */
  async function openB(name: string, data: Blob, isCapture?: boolean): Promise<void> {
    const type = session().baseline?.profile.type;
    await openInput(name, data, undefined, null, isCapture);
    const { analysis } = session();
    const same = analysis?.profiles.findIndex((profile) => profile.type === type) ?? -1;
    const group = analysis?.origins[same]?.groups[0];
    if (group !== undefined && shownProfile(store.getState())?.type !== type) await ofMessages.showProfile(group);
  }

  /** Two at once: the figures of the first are A, the second is opened as B. */
  async function openPair(a: File, b: File): Promise<void> {
    ofPair.forgetBaseline();
    await openInput(a.name, a);
    ofPair.keepBaseline();
    if (session().failure !== null) return;
    if (session().baseline === null) setSession({ failure: nothingToCompare(a.name, b.name) });
    else await openB(b.name, b);
  }

  /** An input that a person opens is B if A and B are compared; without an A yet, the open input becomes A. */
  function openNext(name: string, data: Blob, isCapture?: boolean): Promise<void> {
    if (awaitsB(store.getState())) ofPair.keepBaseline();
    return session().baseline === null
      ? openInput(name, data, undefined, null, isCapture)
      : openB(name, data, isCapture);
  }

  const shippedFiles = (paths: readonly string[]) =>
    shipped.schemaFiles(paths.filter((path) => shipped.schemaPaths.includes(path)));

  const opener = createSharedOpener({
    session,
    readSchema: async () => void (await rerun('schema')),
    readOther: (files) => schemaFiles.readOther(files),
    blank,
    setSession,
    set,
    begin,
    read: () => rerun('open', true),
    openSample: (sample, view, place, baseline) => openSample(sample, view, true, place, baseline),
    placeOfOpen: () => session().input?.place ?? null,
    findSample: shipped.findSample,
    outside,
  });

  async function withFiles(
    use: (part: typeof import('./open-files.ts'), needs: Needs) => Promise<void>,
  ): Promise<void> {
    try {
      const part = await loadPart(() => import('./open-files.ts'));
      await use(part, {
        session,
        setSession,
        setView,
        client,
        openSharedFile: opener.openSharedFile,
        openInput: (name, data, isCapture) => openInput(name, data, undefined, null, isCapture),
        openNext,
        openPair,
        forgetBaseline: ofPair.forgetBaseline,
        addSchemas: schemaFiles.add,
        readSchema: () => rerun('schema'),
        ...ofKeys,
      });
    } catch (error) {
      if (!(error instanceof MissingPart)) throw error;
      setSession({ failure: MISSING_PART });
    }
  }

  return {
    ...opener,

    /** The parts of the open analysis that are shared, with the current selection. */
    async share(request: ShareRequest): Promise<Sharing> {
      try {
        const { share } = await loadPart(() => import('./share.ts'));
        return await share(store.getState(), { client, shippedFiles }, request);
      } catch (error) {
        if (!(error instanceof MissingPart)) throw error;
        return { ok: false, reason: `${MISSING_PART.title}. ${MISSING_PART.detail}. ${MISSING_PART.remedy}` };
      }
    },

    /** The address of a page of the explorer, with its schema where that fits. */
    async pageAddress(place: AddressedPlace): Promise<PageAddress> {
      if (session().schemaFiles.length === 0) return { fragment: placeAddress(place), isWithout: false };
      try {
        const { pageAddress } = await loadPart(() => import('./page-address.ts'));
        return await pageAddress(store.getState(), { client, shippedFiles }, place);
      } catch (error) {
        if (!(error instanceof MissingPart)) throw error;
        return { fragment: placeAddress(place), isWithout: true };
      }
    },

    /** The origin of a link's address, if this site may not read from it: `https://elsewhere.example`. */
    unreadableOrigin(address: string): string | null {
      if (!isFetchable(address)) return null;
      const origin = outside.originOf(address);
      return outside.isReadable(origin) ? null : origin;
    },

    /** The schemas that ship with the app, to be browsed before an input is open. */
    fetchBundled,

    /** A question about the loaded schema. */
    ask: createAsk(client, fail),

    ...schemaFiles.actions,

    /**
     * Opens what an address of the app names: nothing, a sample, an input that this browser keeps, or a link.
     * `shown`: its last view, if the browser's history has it.
     */
    async openPlace(fragment: string, shown: ViewState | null): Promise<void> {
      const { place, sample, local, view: asked, said } = readPlace(fragment);
      if (place === '' || place === '#') return close();
      const read = asked === null || shown !== null ? null : await readView(asked);
      const view = shown ?? (said === null ? read : null);
      const parts = read !== null && said !== null ? partsOf(read, said) : {};
      if (sample !== null) {
        const found = shipped.findSample(sample);
        if (found) return openSample(found, view ?? { ...firstView(found), ...parts }, view !== null, place);
        const capture = shipped.findCapture(sample);
        if (capture) return openCaptureSample(capture, view, parts);
        return refusePlace(noSuchSample(sample));
      }
      if (local === null) return opener.openFragment(fragment, view);
      const kept = await keptInputs.get(local);
      if (kept === null) return refusePlace(NOT_KEPT);
      if (kept.isShared) return opener.openSharedFile(kept.data, place, view);
      const { name, data, textEncoding, framing, steps, schema, baseline = null } = kept;
      await recalled;
      const files = schema ?? ownSchema().schemaFiles;
      const input: OpenInput = { name, data, textEncoding, framing, steps, place, file: null, origin: null };
      const setAside = schema === null ? null : ownSchema().schemaFiles;
      begin();
      set({
        session: {
          ...blank(),
          schemaFiles: files,
          setAside,
          openFile: files[0]?.path ?? null,
          input,
          baseline,
          kept: 'kept',
        },
        view: view ?? { ...NOTHING_CHOSEN, panel: 'costs', ...parts },
      });
      return rerun('open', view !== null);
    },

    /** Inputs that this browser keeps, newest first. */
    listKept: (): Promise<readonly KeptFacts[]> => keptInputs.list(),

    /** Forgets one kept input, or all. An open input stays open, and is not kept again. */
    async forgetKept(id: string | null): Promise<void> {
      const { input } = session();
      if (input && (id === null || localId(input.place) === id)) setSession({ kept: 'forgotten' });
      await keptInputs.forget(id);
    },

    /** Called as the page opens: loads the user's files of the last visit. */
    recallSchema(): Promise<void> {
      recalled = schemaFiles.recall();
      return recalled;
    },

    /** Dropped or picked files; files of folders come with their paths. */
    openFiles: (
      files: readonly File[],
      folder: readonly NamedFile[] = [],
      handles: DroppedFolders['handles'] = [],
    ): Promise<void> =>
      withFiles(({ openFiles, keepHandles }, needs) => {
        void keepHandles(handles);
        return openFiles(files, folder, needs);
      }),

    /** @param handle null: the person picks the folder */
    openFolder: (handle: FolderHandle | null): Promise<void> =>
      withFiles(({ openFolder }, needs) => openFolder(handle, needs)),

    /** Opens one of the captures that were dropped together. @param as null: alone */
    chooseDropped: (file: File, as: 'A' | 'B' | null): Promise<void> =>
      withFiles(({ chooseDropped }, needs) => chooseDropped(file, as, needs)),

    /** Pasted text: schema text is added as a file, anything else is opened as an input. */
    async openText(text: string): Promise<void> {
      if (text.trim() === '') return;
      const link = /^\s*\S+#(w\d+-\d+-\S+)\s*$/.exec(text);
      if (link) return opener.openFragment(link[1]!);
      if (isSharedFile(text.slice(0, CLASSIFY_BYTES))) return opener.openSharedFile(new Blob([text]));
      const kind = classifyDrop('', new TextEncoder().encode(text.slice(0, CLASSIFY_BYTES)));
      if (kind === 'key-log') await ofKeys.addKeys([text]);
      else if (kind === 'schema-text') {
        setView({ panel: 'schema' });
        await schemaFiles.actions.addSchemaText(text);
      } else if (isWrapped(new TextEncoder().encode(text.slice(0, CLASSIFY_BYTES)))) {
        await withFiles(({ openFiles }, needs) => openFiles([new File([text], PASTED)], [], needs));
      } else {
        await openNext(PASTED, new Blob([text]));
      }
    },

    openCaptureSample,

    /** The shipped figures of a sample, shown before it is opened; null: they cannot be loaded. */
    async exampleProfile({ file }: Sample): Promise<Profile | null> {
      try {
        const blob = await shipped.sampleBytes(`${file}.profile.json`);
        return JSON.parse(await blob.text()) as Profile;
      } catch {
        return null;
      }
    },

    /** Two samples as A and B. */
    openSamplePair: (a: Sample, b: Sample): Promise<void> =>
      fetchSample(
        () => Promise.all([shipped.sampleBytes(a.file), shipped.sampleBytes(b.file)]),
        ([before, after]) => openPair(new File([before], a.file), new File([after], b.file)),
      ),

    openSample: (sample: Sample): Promise<void> => openSample(sample, firstView(sample), false, samplePlace(sample.id)),

    /** Back to the home page. The person's schema stays loaded. */
    closeInput: close,

    overruleReading(reading: Partial<Pick<OpenInput, 'textEncoding' | 'framing' | 'steps'>>) {
      const { input } = session();
      if (!input) return;
      set({ session: { input: { ...input, ...reading, ...ownCopy() } }, view: { selection: NO_SELECTION } });
      return rerun('input');
    },

    cancel,

    /** After cancelling or a failure: reads the input again from its first byte. */
    readAgain: (): Promise<void> => rerun('input'),

    /**
     * Sends the open input to the worker that replaces an ended one. An input that ended two workers is not read again.
     */
    async readAgainAfterEnd(): Promise<void> {
      schemaFiles.sendAll();
      setSession({ bundled: null });
      const { input } = session();
      const isSecondTime = input !== null && input === endedOver;
      endedOver = input;
      if (!isSecondTime) await rerun('open', true);
      setSession({ failure: workerEnded(isSecondTime) });
    },

    dismissFailure: (): void => setSession({ failure: null }),

    ...selectionActions({ store, chooseMessages: ofMessages.chooseMessages, inspectAgain }),
    ...choiceActions(store, () => rerun('analysis')),
    ...ofPair,
    ...measureActions({ store, client, fail }),

    setPaid: (paid: ViewState['paid']): void => setView({ paid }),

    setMessageForm: (messageForm: ViewState['messageForm']): void => setView({ messageForm }),

    setDrawn: (drawn: ViewState['drawn']): void => setView({ drawn }),

    setMatrix: (change: Partial<MatrixView>): void =>
      setView({ matrix: { ...(view().matrix ?? FIRST_MATRIX), ...change } }),

    forgetKeys: ofKeys.forgetKeys,

    /** Restores an earlier view of the open input, for Back and Forward. */
    showView(next: ViewState): Promise<void> {
      const before = view();
      setView(next);
      const isSame = (field: keyof ViewState) => JSON.stringify(before[field]) === JSON.stringify(view()[field]);
      const isAskedAlike = asksNative(before) === asksNative(view());
      if (!isAskedAlike || !(['type', 'types', 'scope', 'nativeProfile', 'overrides'] as const).every(isSame)) {
        return rerun('analysis', true);
      }
      return isSame('selection') && isSame('shown') ? Promise.resolve() : inspectAgain();
    },

    setTable: (table: TableView): void => setView({ table }),

    chooseQuestion(question: ViewState['question']): void {
      setView({ question, cause: null });
      if (lacksNative(store.getState())) void rerun('analysis');
    },

    /** Zooms the picture and the table into a field; null: back to the whole. */
    zoomInto: (root: string | null): void => setView({ root }),

    showPanel: (panel: Panel): void => setView({ panel }),

    ...adviceActions({ store, client, fail, analysisParams }),

    ...ofMessages,
  };
}

/** The name of an input that has none. */
const PASTED = 'pasted text';

const firstView = ({ nativeProfile, type }: Sample): ViewState => ({ ...initialView(nativeProfile), type });
const NOTHING_CHOSEN = {
  selection: NO_SELECTION,
  changes: [],
  scope: NO_SCOPE,
  types: {},
  shown: null,
  cause: null,
  question: null,
  root: null,
  table: null,
} satisfies Partial<ViewState>;

const partsOf = (view: ViewState, fields: readonly (keyof ViewState)[]): Partial<ViewState> =>
  Object.fromEntries(fields.map((field) => [field, view[field]]));
