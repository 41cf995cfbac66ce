/**
 * Opens the analysis in a link or a file, in place of what is open. Loaded with the first of them. Each opening has
 * begun, with this signal.
 */

import { capturedLedger, type Profile, totalIn } from '#engine/cost/profile.ts';
import type { Opening } from '#permalink/fault.ts';
import type { Shared, SharedData } from '#permalink/shared.ts';
import { sharedSampleMissing, sourceNotAllowed, sourceNotFetched } from '#wording/failure-words.ts';
import { faultWords } from '#wording/fault-words.ts';
import { fetchingFrom } from '#wording/progress-notes.ts';
import type { Analysis } from '#worker/analysis-api.ts';
import type { SchemaFile } from '#worker/schema-api.ts';
import { viewOf } from '../addresses/shared-view.ts';
import { loadPart } from '../load-part.ts';
import { bitsOfSide } from '../measured/opened-pair-bits.ts';
import type { CameFrom, Failure, KeptSide, OpenInput, SessionState, SharedFrom } from '../session-state.ts';
import type { StateChange } from '../setters.ts';
import type { ViewState } from '../view-state.ts';
import type { Outside } from './remote-sources.ts';
import type { Sample } from './shipped.ts';

/** The page's actions that opening a link needs. */
interface Page {
  readonly blank: () => SessionState;
  readonly setSession: (change: Partial<SessionState>) => void;
  readonly set: (change: StateChange) => void;
  readonly during: <T>(signal: AbortSignal, getting: Promise<T>) => Promise<T>;
  readonly resume: () => void;
  /** The open input stays open. */
  readonly giveUp: (failure: Failure) => void;
  /**
   * Runs the pipeline on the schema and the input of the state. @param isSettled keeps the view, whose type may be none
   */
  readonly read: (isSettled: boolean) => Promise<void>;
  readonly readSchema: () => Promise<void>;
  /** Compiles the second version of the schema. */
  readonly readOther: (files: readonly SchemaFile[]) => Promise<void>;
  readonly openSample: (sample: Sample, view: ViewState, place: string, baseline: KeptSide | null) => Promise<void>;
  readonly findSample: (id: string) => Sample | undefined;
  readonly outside: Outside;
}

export function createSharedOpener({
  readSchema,
  readOther,
  blank,
  setSession,
  set,
  during,
  resume,
  giveUp,
  read,
  openSample,
  findSample,
  outside,
}: Page) {
  const refuse = ({ message, remedy }: ReturnType<typeof faultWords>, what: string): void =>
    giveUp({ title: `This ${what} does not open`, detail: message, remedy });

  async function openShared(signal: AbortSignal, shared: Shared, from: CameFrom): Promise<void> {
    const { data, source, made } = shared;
    const { how } = from;
    const view = from.view ?? viewOf(shared.view);
    const baseline = baselineOf(shared);
    const sharedFrom = {
      how,
      kind: data.kind,
      source,
      made,
      compressed: 'compressed' in data ? data.compressed : null,
      layers: 'layers' in data ? data.layers : null,
      excerpt: 'excerpt' in data ? data.excerpt : null,
      matrix: 'matrix' in data ? data.matrix : null,
      bits: ('bits' in data ? data.bits : null) ?? null,
      pairBits: shared.baseline ? bitsOfSide(shared.baseline, 'b') : {},
      ...(data.kind === 'inline' ? awaitedOf(shared, from) : {}),
    };
    if (data.kind === 'sample') {
      const sample = findSample(data.id);
      if (sample) return openSample(sample, view, from.place, baseline);
      return refuse(sharedSampleMissing(data.id), how);
    }
    if (data.kind === 'address') {
      const origin = outside.originOf(data.address);
      if (!outside.isReadable(origin)) {
        return refuse(sourceNotAllowed(origin, data.address), how);
      }
      if (outside.isAllowed(origin, data.address)) return fetchAddress(signal, shared, from);
      setSession({ ...blank(), consent: { shared, from, origin } });
      return;
    }
    if (data.kind === 'profile') {
      const input: OpenInput = { ...inputOf(source.name, data, from), data: null };
      set({ session: { ...blank(), input, sharedFrom, baseline, analysis: analysisOf(data.profile) }, view });
      return;
    }
    const input = { ...inputOf(source.name, data, from), data: new Blob([data.payload]) };
    set({ session: { ...blank(), ...schemaOf(data), input, sharedFrom, baseline }, view });
    await read(true);
  }

  async function fetchAddress(signal: AbortSignal, shared: Shared, from: CameFrom): Promise<void> {
    const { data, source, made } = shared;
    const { how } = from;
    if (data.kind !== 'address') return;
    setSession({ ...blank(), job: { label: fetchingFrom(data.address), since: Date.now(), progress: null } });
    let fetched: Blob;
    try {
      fetched = await during(signal, outside.fetch(data.address, signal));
    } catch (error) {
      if (signal.aborted) return;
      return refuse(sourceNotFetched(data.address, error), how);
    }
    if (signal.aborted) return;
    const sharedFrom = {
      how,
      kind: data.kind,
      source,
      made,
      compressed: null,
      layers: null,
      excerpt: null,
      matrix: null,
      bits: null,
      ...awaitedOf(shared, from),
    };
    const origin = { kind: 'address', address: data.address } as const;
    const input = { ...inputOf(source.name, data, from), data: fetched, origin };
    set({
      session: { ...blank(), ...schemaOf(data), input, sharedFrom, baseline: baselineOf(shared) },
      view: from.view ?? viewOf(shared.view),
    });
    // `wirecost open` makes links to unread files: their views chose no reading.
    await read(from.view !== null || source.messages > 0);
  }

  async function open(signal: AbortSignal, reading: Promise<Opening<Shared>>, from: CameFrom): Promise<void> {
    const opened = await during(signal, reading);
    if (signal.aborted) return;
    if (opened.ok) await openShared(signal, opened.value, from);
    else refuse(faultWords(opened.fault), from.how);
  }

  return {
    openSharedFile: (signal: AbortSignal, file: Blob, place: string, view: ViewState | null): Promise<void> =>
      open(
        signal,
        loadPart(() => import('#permalink/file.ts')).then(async ({ readFile }) => readFile(await file.text())),
        { how: 'file', place, file, view },
      ),

    openFragment: (signal: AbortSignal, fragment: string, place: string, view: ViewState | null): Promise<void> =>
      open(
        signal,
        loadPart(() => import('#permalink/fragment.ts')).then(({ decodeFragment }) => decodeFragment(fragment)),
        { how: 'link', place, file: null, view },
      ),

    async openSchemaLink(signal: AbortSignal, link: string): Promise<void> {
      const opened = await during(
        signal,
        loadPart(() => import('#permalink/fragment.ts')).then(({ decodeFragment }) => decodeFragment(link)),
      );
      if (signal.aborted) return;
      if (!opened.ok) return refuse(faultWords(opened.fault), 'link');
      const { data } = opened.value;
      if (!('schema' in data)) return resume();
      const other = ('otherSchema' in data ? data.otherSchema : null) ?? null;
      const schemaLink = { link, files: data.schema, other };
      setSession({ ...blank(), ...schemaOf(data), schemaLink, otherFiles: other ?? [] });
      await readSchema();
      if (other !== null && !signal.aborted) await readOther(other);
    },

    fetchAddress,
  };
}

/** The view's messages. A view of this browser has chosen its own; links of `wirecost open` know no messages. */
const awaitedOf = ({ source, view }: Shared, from: CameFrom): Pick<SharedFrom, 'awaited'> =>
  from.view === null && source.messages > 0
    ? { awaited: { ordinals: view.scope.ordinals, selection: view.selection } }
    : {};

/** A as figures, with its measurements. */
function baselineOf({ baseline }: Shared): KeptSide | null {
  if (!baseline) return null;
  const { bits, ...figures } = baseline;
  return { ...figures, ...(bits === undefined ? {} : { bits: bitsOfSide(baseline, 'a') }) };
}

function analysisOf(profile: Profile): Analysis {
  const none = { groups: [], messages: 0, first: 0, bytes: 0, capturedBytes: 0, headerBytes: 0 };
  const bytes = totalIn(profile, capturedLedger(profile));
  const findings = { diagnostics: [], head: null };
  const origin = { ...none, findings, messages: profile.messages, bytes, capturedBytes: bytes };
  return { profiles: [profile], origins: [origin], opaque: { ...none, findings }, diagnostics: [] };
}

const inputOf = (name: string, data: SharedData, { place, file }: CameFrom): Omit<OpenInput, 'data'> => ({
  name,
  place,
  file,
  textEncoding: ('textEncoding' in data ? data.textEncoding : null) ?? undefined,
  framing: ('framing' in data ? data.framing : null) ?? undefined,
  ...('steps' in data && data.steps ? { steps: data.steps } : {}),
  origin: null,
});

const schemaOf = ({ schema }: Extract<SharedData, { schema: unknown }>) => ({
  schemaFiles: schema,
  openFile: schema[0]?.path ?? null,
});
