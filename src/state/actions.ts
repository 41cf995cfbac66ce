/** User actions: the state that each changes, and the stage of the pipeline that it starts. */

import type { Profile } from '#engine/cost/profile.ts';
import { APP_FAULT, MISSING_PART, workerEnded } from '#wording/failure-words.ts';
import { failedTitle, READING_SCHEMA, READING_SECOND_VERSION, UNPACKING_ARCHIVE } from '#wording/progress-notes.ts';
import type { Client } from '#worker/connect.ts';
import type { Failed } from '#worker/protocol.ts';
import { localId, newLocalPlace } from './addresses/local-place.ts';
import type { PageAddress } from './addresses/page-address.ts';
import { type AddressedPlace, fragmentOf as placeAddress } from './addresses/place.ts';
import type { ShareRequest, Sharing } from './addresses/share.ts';
import { adviceActions } from './advice-actions.ts';
import { choiceActions } from './choice-actions.ts';
import { createAsk } from './explore.ts';
import { createKeptInputs, type KeptFacts, type KeptInputs } from './kept/kept-inputs.ts';
import { createSchemaStorage, type SchemaStorage } from './kept/schema-storage.ts';
import { keyActions } from './key-actions.ts';
import { loadPart, MissingPart } from './load-part.ts';
import { measureActions } from './measured/measure-actions.ts';
import { messageActions } from './message-actions.ts';
import { afterReading } from './opening/after-reading.ts';
import { inputOpeners } from './opening/open-inputs.ts';
import { readTextOf } from './opening/read-texts.ts';
import { isFetchable, type Outside } from './opening/remote-sources.ts';
import { createSchemaFiles } from './opening/schema-files.ts';
import type { Sample, Shipped } from './opening/shipped.ts';
import { pairActions } from './pair-actions.ts';
import { createPipeline } from './pipeline.ts';
import { selectionActions } from './selection-actions.ts';
import type { Failure, OpenInput, SessionState } from './session-state.ts';
import { settersOf } from './setters.ts';
import { lacksNative } from './shown-profile.ts';
import type { AppStore } from './store.ts';
import { asksNative, type MatrixView, NO_SELECTION, type Panel, type TableView, type ViewState } from './view-state.ts';

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

  const fail = (work: string, { message: detail, isMissing }: Pick<Failed, 'message' | 'isMissing'>): void => {
    const failure: Failure = isMissing ? MISSING_PART : { title: failedTitle(work), detail, remedy: APP_FAULT };
    setSession({ failure, job: null });
  };

  /** The input that was open when a worker ended. */
  let endedOver: SessionState['input'] = null;

  const pipeline = createPipeline({
    store,
    client,
    shipped,
    fail,
    readSchema: (signal) => schemaFiles.read(signal),
  });
  const { rerun, run, analysisParams, comparedParams, inspection, cancel, fetchBundled } = pipeline;

  const schemaFiles = createSchemaFiles({
    session,
    setSession,
    storage,
    hold: async (files, signal) => (await run(READING_SCHEMA, 'holdFiles', { files }, signal)) !== null,
    unpack: (archive, signal) => run(UNPACKING_ARCHIVE, 'unpackArchive', { archive }, signal),
    compile: (files, shelf, signal) => run(READING_SCHEMA, 'setSchema', { files, shelf }, signal),
    compileOther: async (files, shelf, signal) => {
      const schema = await run(READING_SECOND_VERSION, 'setOther', { files, shelf }, signal);
      // A run that began meanwhile has its own job.
      if (session().job?.label === READING_SECOND_VERSION) setSession({ job: null });
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

  /** A changed input is no longer the one that its address names: from then on it belongs to this browser. */
  function ownCopy(): Partial<OpenInput> {
    const { input } = session();
    return input && (input.file !== null || localId(input.place) === null)
      ? { place: newLocalPlace(), file: null }
      : {};
  }

  const ofMessages = messageActions({
    store,
    client,
    fail,
    comparedParams,
    addUp: () => rerun('analysis'),
    look: inspection.lookAgain,
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

  const shippedFiles = (paths: readonly string[]) =>
    shipped.schemaFiles(paths.filter((path) => shipped.schemaPaths.includes(path)));

  return {
    ...inputOpeners({
      store,
      client,
      shipped,
      outside,
      keptInputs,
      pipeline,
      schemaFiles,
      ofPair,
      ofKeys,
      showProfile: ofMessages.showProfile,
      recalled: () => recalled,
    }),

    /** The parts of the open analysis that are shared, with the current selection. */
    async share(request: ShareRequest): Promise<Sharing> {
      try {
        const { share } = await loadPart(() => import('./addresses/share.ts'));
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
        const { pageAddress } = await loadPart(() => import('./addresses/page-address.ts'));
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

    /** The shipped figures of a sample, shown before it is opened; null: they cannot be loaded. */
    async exampleProfile({ file }: Sample): Promise<Profile | null> {
      try {
        const blob = await shipped.sampleBytes(`${file}.profile.json`);
        return JSON.parse(await blob.text()) as Profile;
      } catch {
        return null;
      }
    },

    overruleReading(reading: Partial<Pick<OpenInput, 'textEncoding' | 'framing' | 'steps'>>) {
      const { input } = session();
      if (!input) return;
      set({ session: { input: { ...input, ...reading, ...ownCopy() } }, view: { selection: NO_SELECTION } });
      return rerun('input');
    },

    cancel(): void {
      schemaFiles.cancelOther();
      cancel();
    },

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
      ofPair.keepSideAgain();
      if (session().otherSchema !== null) await schemaFiles.readOther(session().otherFiles);
      setSession({ failure: workerEnded(isSecondTime) });
    },

    dismissFailure: (): void => setSession({ failure: null }),

    ...selectionActions({ store, chooseMessages: ofMessages.chooseMessages, inspectAgain: inspection.read }),
    ...choiceActions(store, () => rerun('analysis')),
    ...ofPair,
    ...measureActions({ store, client, fail }),

    setPaid: (paid: ViewState['paid']): void => setView({ paid }),

    setMessageForm: (messageForm: ViewState['messageForm']): void => setView({ messageForm }),

    setDrawn: (drawn: ViewState['drawn']): void => setView({ drawn }),

    setMatrix: (change: Partial<MatrixView>): void => setView({ matrix: { ...view().matrix, ...change } }),

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
      return isSame('selection') && isSame('shown') ? Promise.resolve() : inspection.read();
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
