/**
 * Opens inputs in place of what is open: dropped files, pasted text, samples, links, and what the browser keeps. Of
 * several openings, the one that a person asked for last goes first.
 */

import { isSharedFile } from '#permalink/file-head.ts';
import { MISSING_PART, NOT_KEPT, noSuchSample, unopenedAddress } from '#wording/failure-words.ts';
import type { Client } from '#worker/connect.ts';
import { newLocalPlace, readPlace } from '../addresses/local-place.ts';
import { parsePlace } from '../addresses/place.ts';
import { schemaLinkOf } from '../addresses/schema-link.ts';
import { readView } from '../addresses/shared-view.ts';
import type { FolderHandle } from '../kept/kept-folders.ts';
import type { KeptInputs } from '../kept/kept-inputs.ts';
import type { keyActions } from '../key-actions.ts';
import { loadPart, MissingPart } from '../load-part.ts';
import type { pairActions } from '../pair-actions.ts';
import type { createPipeline } from '../pipeline.ts';
import type { KeptSide, OpenInput, SessionState } from '../session-state.ts';
import { settersOf } from '../setters.ts';
import type { AppStore } from '../store.ts';
import type { ViewState } from '../view-state.ts';
import { CLASSIFY_BYTES, classifyDrop, isWrapped } from './classify-drop.ts';
import type { DroppedFolders, NamedFile } from './dropped-folder.ts';
import type { Needs as FileNeeds } from './open-files.ts';
import { createSampleOpener } from './open-samples.ts';
import type { createSharedOpener } from './open-shared.ts';
import type { Outside } from './remote-sources.ts';
import { createInputOpener, NOTHING_CHOSEN } from './replace-input.ts';
import type { createSchemaFiles } from './schema-files.ts';
import type { CaptureSample, Sample, Shipped } from './shipped.ts';

interface Needs {
  readonly store: AppStore;
  readonly client: Client;
  readonly shipped: Shipped;
  readonly outside: Outside;
  readonly keptInputs: KeptInputs;
  readonly pipeline: ReturnType<typeof createPipeline>;
  readonly schemaFiles: ReturnType<typeof createSchemaFiles>;
  readonly ofPair: ReturnType<typeof pairActions>;
  readonly ofKeys: ReturnType<typeof keyActions>;
  readonly showProfile: (group: string) => Promise<void>;
  /** Resolves once the files of the last visit are loaded. */
  readonly recalled: () => Promise<void>;
}

type Consent = NonNullable<SessionState['consent']>;

export function inputOpeners({
  store,
  client,
  shipped,
  outside,
  keptInputs,
  pipeline,
  schemaFiles,
  ofPair,
  ofKeys,
  showProfile,
  recalled,
}: Needs) {
  const session = (): SessionState => store.getState().session;
  const { set, setSession, setView } = settersOf(store);
  const { ask, supersede, begin, during, resume, rerun } = pipeline;
  const inputs = createInputOpener({ store, pipeline, ofPair, showProfile });
  const { openInput, openPair, openNext, ownSchema, blank, close, giveUp } = inputs;
  const samples = createSampleOpener({ store, shipped, pipeline, inputs });

  function refusePlace(detail: string): void {
    close();
    setSession({ failure: unopenedAddress(detail) });
  }

  const neededForShared = {
    readSchema: () => rerun('schema'),
    readOther: schemaFiles.readOther,
    blank,
    setSession,
    set,
    during,
    resume,
    giveUp,
    read: (isSettled: boolean) => rerun('open', isSettled),
    openSample: (sample: Sample, view: ViewState, place: string, baseline: KeptSide | null) =>
      samples.openSample(sample, view, {}, place, baseline),
    findSample: shipped.findSample,
    outside,
  };

  /**
   * Loads what opens links and shared files. false: a later opening, or cancelling, went first.
   * @param order its place in the order of openings; undefined: the last
   */
  async function withShared(
    open: (shared: ReturnType<typeof createSharedOpener>, signal: AbortSignal) => Promise<void>,
    order?: number,
  ): Promise<boolean> {
    const signal = begin(order);
    try {
      const part = await during(
        signal,
        loadPart(() => import('./open-shared.ts')),
      );
      if (!signal.aborted) await open(part.createSharedOpener(neededForShared), signal);
    } catch (error) {
      if (!(error instanceof MissingPart)) throw error;
      if (!signal.aborted) giveUp(MISSING_PART);
    }
    return !signal.aborted;
  }

  const openSharedFile = (
    file: Blob,
    place = newLocalPlace(),
    view: ViewState | null = null,
    order?: number,
  ): Promise<boolean> => withShared((shared, signal) => shared.openSharedFile(signal, file, place, view), order);

  /** Called with the fragment of the address, with its `#`, when the page opens and whenever it changes. */
  async function openFragment(hash: string, view: ViewState | null = null): Promise<void> {
    const fragment = hash.replace(/^#/, '').replace(/^\/(?=w\d)/, '');
    const place = `#${fragment}`;
    if (fragment === '' || place === session().input?.place || parsePlace(hash) !== null) return;
    await withShared((shared, signal) => shared.openFragment(signal, fragment, place, view));
  }

  /** For files that were asked for at this place in the order of openings. */
  function fileNeeds(order: number): FileNeeds {
    /** false: a later opening, or cancelling, went first. */
    const inTurn = async (open: (signal: AbortSignal) => Promise<void>): Promise<boolean> => {
      const signal = supersede(order);
      if (!signal.aborted) await open(signal);
      return !signal.aborted;
    };
    return {
      session,
      setSession,
      setView,
      client,
      openSharedFile: (file) => openSharedFile(file, undefined, undefined, order),
      openAlone: (name, data, isCapture) =>
        inTurn(async () => {
          ofPair.forgetBaseline();
          await openInput(name, data, undefined, null, isCapture);
        }),
      openNext: (name, data, isCapture) => inTurn((signal) => openNext(signal, name, data, isCapture)),
      openPair: (a, b) => inTurn((signal) => openPair(signal, a, b)),
      addSchemas: schemaFiles.add,
      readSchema: () => rerun('schema'),
      ...ofKeys,
      later: () => fileNeeds(ask()),
    };
  }

  async function withFiles(
    use: (part: typeof import('./open-files.ts'), needs: FileNeeds) => Promise<void>,
  ): Promise<void> {
    const needs = fileNeeds(ask());
    try {
      await use(await loadPart(() => import('./open-files.ts')), needs);
    } catch (error) {
      if (!(error instanceof MissingPart)) throw error;
      setSession({ failure: MISSING_PART });
    }
  }

  return {
    openSharedFile,
    openFragment,

    /** Opens the schema in the address of a page; it replaces the open input. */
    async openSchemaLink(link: string): Promise<void> {
      if (schemaLinkOf(session()) === link) return;
      await withShared((shared, signal) => shared.openSchemaLink(signal, link));
    },

    /** Answers the question whether a link may fetch. */
    async answerConsent({ shared, from, origin }: Consent, isGiven: boolean): Promise<void> {
      setSession({ consent: null });
      if (!isGiven) return;
      outside.allow(origin);
      await withShared(({ fetchAddress }, signal) => fetchAddress(signal, shared, from));
    },

    /**
     * Opens what an address of the app names: nothing, a sample, an input that this browser keeps, or a link.
     * `shown`: its last view, if the browser's history has it.
     */
    async openPlace(fragment: string, shown: ViewState | null): Promise<void> {
      const { place, sample, local, view: asked, said } = readPlace(fragment);
      if (place === '' || place === '#') return close();
      if (sample === null && local === null) return openFragment(fragment, shown);
      const signal = begin();
      const [read, kept] = await during(
        signal,
        Promise.all([
          asked === null || shown !== null ? null : readView(asked),
          local === null ? null : keptInputs.get(local),
          local === null ? null : recalled(),
        ]),
      );
      if (signal.aborted) return;
      const view = shown ?? (said === null ? read : null);
      const parts = read !== null && said !== null ? partsOf(read, said) : {};
      if (sample !== null) {
        const found = shipped.findSample(sample);
        if (found) return samples.openSample(found, view, parts, place);
        const capture = shipped.findCapture(sample);
        if (capture) return samples.openCaptureSample(capture, view, parts);
        return refusePlace(noSuchSample(sample));
      }
      if (kept === null) return refusePlace(NOT_KEPT);
      if (kept.isShared) return void (await openSharedFile(kept.data, place, view));
      const { name, data, textEncoding, framing, steps, schema, baseline = null } = kept;
      const files = schema ?? ownSchema().schemaFiles;
      const input: OpenInput = { name, data, textEncoding, framing, steps, place, file: null, origin: null };
      const setAside = schema === null ? null : ownSchema().schemaFiles;
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

    /** Dropped or picked files; files of folders come with their paths. */
    openFiles: (files: readonly File[], folder: readonly NamedFile[] = []): Promise<void> =>
      withFiles(({ openFiles }, needs) => openFiles(files, folder, needs)),

    openDropped: (folders: DroppedFolders): Promise<void> =>
      withFiles(({ openDropped }, needs) => openDropped(folders, needs)),

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
      if (link) return openFragment(link[1]!);
      if (isSharedFile(text.slice(0, CLASSIFY_BYTES))) return void (await openSharedFile(new Blob([text])));
      const kind = classifyDrop('', new TextEncoder().encode(text.slice(0, CLASSIFY_BYTES)));
      if (kind === 'key-log') await ofKeys.addKeys([text]);
      else if (kind === 'schema-text') {
        setView({ panel: 'schema' });
        await schemaFiles.actions.addSchemaText(text);
      } else if (isWrapped(new TextEncoder().encode(text.slice(0, CLASSIFY_BYTES)))) {
        await withFiles(({ openFiles }, needs) => openFiles([new File([text], PASTED)], [], needs));
      } else {
        await openNext(supersede(), PASTED, new Blob([text]));
      }
    },

    openSample: (sample: Sample): Promise<void> => samples.openSample(sample),
    openCaptureSample: (sample: CaptureSample): Promise<void> => samples.openCaptureSample(sample),
    openSamplePair: samples.openSamplePair,
    closeInput: close,
  };
}

/** The name of an input that has none. */
const PASTED = 'pasted text';

const partsOf = (view: ViewState, fields: readonly (keyof ViewState)[]): Partial<ViewState> =>
  Object.fromEntries(fields.map((field) => [field, view[field]]));
