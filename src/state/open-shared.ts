/** Opens the analysis in a link or a file, in place of what is open. */

import { capturedLedger, type Profile, totalIn } from '#engine/cost/profile.ts';
import type { Opening, ShareFault } from '#permalink/fault.ts';
import type { Shared, SharedData } from '#permalink/shared.ts';
import { MISSING_PART, sharedSampleMissing, sourceNotAllowed, sourceNotFetched } from '#wording/failure-words.ts';
import type { Analysis } from '#worker/analysis-api.ts';
import type { SchemaFile } from '#worker/schema-api.ts';
import { loadPart, MissingPart } from './load-part.ts';
import { newLocalPlace } from './local-place.ts';
import { bitsOfSide } from './opened-pair-bits.ts';
import { parsePlace } from './place.ts';
import type { Outside } from './remote-sources.ts';
import type { CameFrom, Failure, KeptSide, OpenInput, SessionState } from './session-state.ts';
import type { StateChange } from './setters.ts';
import { viewOf } from './shared-view.ts';
import type { Sample } from './shipped.ts';
import type { ViewState } from './view-state.ts';

/** The page's actions that opening a link needs. */
interface Page {
  readonly session: () => SessionState;
  readonly blank: () => SessionState;
  readonly setSession: (change: Partial<SessionState>) => void;
  readonly set: (change: StateChange) => void;
  readonly begin: (order?: number) => AbortSignal;
  readonly during: <T>(signal: AbortSignal, getting: Promise<T>) => Promise<T>;
  readonly resume: () => void;
  /** Runs the pipeline on the schema and the input of the state, and keeps the view. */
  readonly read: () => Promise<void>;
  readonly readSchema: () => Promise<void>;
  /** Compiles the second version of the schema. */
  readonly readOther: (files: readonly SchemaFile[]) => Promise<void>;
  readonly openSample: (sample: Sample, view: ViewState, place: string, baseline: KeptSide | null) => Promise<void>;
  readonly placeOfOpen: () => string | null;
  readonly findSample: (id: string) => Sample | undefined;
  readonly outside: Outside;
}

export function createSharedOpener({
  session,
  readSchema,
  readOther,
  blank,
  setSession,
  set,
  begin,
  during,
  resume,
  read,
  openSample,
  placeOfOpen,
  findSample,
  outside,
}: Page) {
  /** The open input stays open. */
  const fail = (failure: Failure): void => {
    setSession({ job: null });
    resume();
    setSession({ failure });
  };
  const refuse = ({ message, remedy }: ShareFault, what: string): void => {
    fail({ title: `This ${what} does not open`, detail: message, remedy });
  };

  async function openShared(shared: Shared, from: CameFrom): Promise<void> {
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
    };
    if (data.kind === 'sample') {
      const sample = findSample(data.id);
      if (sample) return openSample(sample, view, from.place, baseline);
      return refuse({ code: 'malformed', ...sharedSampleMissing(data.id) }, how);
    }
    if (data.kind === 'address') {
      const origin = outside.originOf(data.address);
      if (!outside.isReadable(origin)) {
        return refuse({ code: 'malformed', ...sourceNotAllowed(origin, data.address) }, how);
      }
      if (outside.isAllowed(origin, data.address)) return fetchAddress(shared, from);
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
    await read();
  }

  async function fetchAddress(shared: Shared, from: CameFrom): Promise<void> {
    const { data, source, made } = shared;
    const { how } = from;
    if (data.kind !== 'address') return;
    const signal = begin();
    setSession({ ...blank(), job: { label: `Fetching ${data.address}`, since: Date.now(), progress: null } });
    let fetched: Blob;
    try {
      fetched = await during(signal, outside.fetch(data.address, signal));
    } catch (error) {
      if (signal.aborted) return;
      return refuse({ code: 'malformed', ...sourceNotFetched(data.address, error) }, how);
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
    };
    const origin = { kind: 'address', address: data.address } as const;
    const input = { ...inputOf(source.name, data, from), data: fetched, origin };
    set({
      session: { ...blank(), ...schemaOf(data), input, sharedFrom, baseline: baselineOf(shared) },
      view: from.view ?? viewOf(shared.view),
    });
    await read();
  }

  async function open(
    reading: () => Promise<Opening<Shared>>,
    from: CameFrom,
    order: number | undefined = undefined,
  ): Promise<void> {
    const signal = begin(order);
    if (signal.aborted) return;
    const opened = await during(signal, reading()).catch(missing);
    if (signal.aborted) return;
    if (opened === null) fail(MISSING_PART);
    else if (opened.ok) await openShared(opened.value, from);
    else refuse(opened.fault, from.how);
  }

  return {
    /** @param order its place in the order of openings; undefined: the last */
    openSharedFile: (
      file: Blob,
      place = newLocalPlace(),
      view: ViewState | null = null,
      order?: number,
    ): Promise<void> =>
      open(
        () => loadPart(() => import('#permalink/file.ts')).then(async ({ readFile }) => readFile(await file.text())),
        { how: 'file', place, file, view },
        order,
      ),

    /** Called with the fragment of the address, with its `#`, when the page opens and whenever it changes. */
    async openFragment(hash: string, view: ViewState | null = null): Promise<void> {
      const fragment = hash.replace(/^#/, '').replace(/^\/(?=w\d)/, '');
      const place = `#${fragment}`;
      if (fragment === '' || place === placeOfOpen() || parsePlace(hash) !== null) return;
      await open(
        () => loadPart(() => import('#permalink/fragment.ts')).then(({ decodeFragment }) => decodeFragment(fragment)),
        { how: 'link', place, file: null, view },
      );
    },

    /** Opens the schema in the address of a page; it replaces the open input. */
    async openSchemaLink(link: string): Promise<void> {
      if (schemaLinkOf(session()) === link) return;
      const signal = begin();
      const part = await during(
        signal,
        loadPart(() => import('#permalink/fragment.ts')),
      ).catch(missing);
      if (signal.aborted) return;
      if (part === null) return fail(MISSING_PART);
      const opened = part.decodeFragment(link);
      if (!opened.ok) return refuse(opened.fault, 'link');
      const { data } = opened.value;
      if (!('schema' in data)) return resume();
      const other = ('otherSchema' in data ? data.otherSchema : null) ?? null;
      const schemaLink = { link, files: data.schema, other };
      setSession({ ...blank(), ...schemaOf(data), schemaLink, otherFiles: other ?? [] });
      await readSchema();
      if (other !== null && !signal.aborted) await readOther(other);
    },

    /** Answers the question whether a link may fetch. */
    async answerConsent(consent: NonNullable<SessionState['consent']>, isGiven: boolean): Promise<void> {
      setSession({ consent: null });
      if (!isGiven) return;
      outside.allow(consent.origin);
      await fetchAddress(consent.shared, consent.from);
    },
  };
}

/** null: a part of the app is missing. */
function missing(error: unknown): null {
  if (error instanceof MissingPart) return null;
  throw error;
}

/** A as figures, with its measurements. */
function baselineOf({ baseline }: Shared): KeptSide | null {
  if (!baseline) return null;
  const { name, profile, bits } = baseline;
  return { name, profile, ...(bits === undefined ? {} : { bits: bitsOfSide(baseline, 'a') }) };
}

/** The link that brought the loaded schema; null: it has another source, or was changed since. */
export const schemaLinkOf = ({ schemaLink, schemaFiles, otherFiles }: SessionState): string | null =>
  schemaLink?.files === schemaFiles && (schemaLink.other === null || schemaLink.other === otherFiles)
    ? schemaLink.link
    : null;

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
