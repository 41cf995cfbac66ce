/** Puts an input in place of the open one: alone, or as B beside an A. */

import { nothingToCompare } from '#wording/failure-words.ts';
import { newLocalPlace } from '../addresses/local-place.ts';
import { isWide } from '../is-wide.ts';
import type { pairActions } from '../pair-actions.ts';
import type { createPipeline } from '../pipeline.ts';
import { type Failure, INITIAL_SESSION, NO_HOVER, type OpenInput, type SessionState } from '../session-state.ts';
import { settersOf } from '../setters.ts';
import { awaitsB, shownProfile, shownType } from '../shown-profile.ts';
import type { AppStore } from '../store.ts';
import { NO_SCOPE, NO_SELECTION, type ViewState } from '../view-state.ts';
import { isNamedAsCapture } from './classify-drop.ts';

interface Needs {
  readonly store: AppStore;
  readonly pipeline: ReturnType<typeof createPipeline>;
  readonly ofPair: ReturnType<typeof pairActions>;
  readonly showProfile: (group: string) => Promise<void>;
}

export type InputOpener = ReturnType<typeof createInputOpener>;

export function createInputOpener({ store, pipeline, ofPair, showProfile }: Needs) {
  const session = (): SessionState => store.getState().session;
  const { set, setSession } = settersOf(store);
  const { begin, resume, rerun } = pipeline;

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

  /** Back to the home page. The person's schema stays loaded. */
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

  /** An input becomes B, on the same type as A where it has it. */
  async function openB(signal: AbortSignal, name: string, data: Blob, isCapture?: boolean): Promise<void> {
    const type = session().baseline?.profile.type;
    await openInput(name, data, undefined, null, isCapture);
    if (signal.aborted) return;
    const { analysis } = session();
    const same = analysis?.profiles.findIndex((profile) => profile.type === type) ?? -1;
    const group = analysis?.origins[same]?.groups[0];
    if (group !== undefined && shownProfile(store.getState())?.type !== type) await showProfile(group);
  }

  /** Two at once: the figures of the first are A, the second is opened as B. */
  async function openPair(signal: AbortSignal, a: File, b: File): Promise<void> {
    ofPair.forgetBaseline();
    await openInput(a.name, a);
    if (signal.aborted) return;
    ofPair.keepBaseline();
    if (session().failure !== null) return;
    if (session().baseline === null) setSession({ failure: nothingToCompare(a.name, b.name) });
    else await openB(signal, b.name, b);
  }

  /** An input that a person opens is B if A and B are compared; without an A yet, the open input becomes A. */
  async function openNext(signal: AbortSignal, name: string, data: Blob, isCapture?: boolean): Promise<void> {
    if (awaitsB(store.getState())) ofPair.keepBaseline();
    if (session().baseline === null) await openInput(name, data, undefined, null, isCapture);
    else await openB(signal, name, data, isCapture);
  }

  /** The open input stays open. */
  function giveUp(failure: Failure): void {
    setSession({ job: null });
    resume();
    setSession({ failure });
  }

  return { openInput, openPair, openNext, ownSchema, blank, close, giveUp };
}

/** A view without the choices that belong to another input. */
export const NOTHING_CHOSEN = {
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
