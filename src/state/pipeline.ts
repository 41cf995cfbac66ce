/**
 * The pipeline of the open input: the calls to the worker, their order, and where the answers go. `inspection.ts` has
 * the selected message.
 *
 *   schema ─▶ input ─▶ ranking ─▶ analysis ─▶ inspection
 *
 * A change reruns its stage and all later stages. A run that has not reached that stage yet includes the change.
 * Otherwise it is cancelled, and the new run begins with the pending work. Earlier results stay on the screen until
 * the new ones are ready.
 *
 * An opening has a signal, from before its first wait until it is read: aborted by a later opening or by cancelling.
 * After each wait, an opening whose signal is aborted changes nothing.
 */

import { isForCaptures } from '#engine/analysis/plan/capture-schemas.ts';
import { MISSING_PART } from '#wording/failure-words.ts';
import {
  ADDING_UP,
  COMPARING_TYPES,
  FETCHING_SCHEMAS,
  LOOKING_UP_TYPES,
  READING_INPUT,
  READING_SCHEMAS,
} from '#wording/progress-notes.ts';
import type { Client } from '#worker/connect.ts';
import type { InputSummary } from '#worker/input-api.ts';
import type { Api, CallResult, Failed, Progress } from '#worker/protocol.ts';
import type { SchemaSummary } from '#worker/schema-api.ts';
import { createInspection, firstPath, takeAnalysis } from './inspection.ts';
import { isWide } from './is-wide.ts';
import { isNamedAsCapture } from './opening/classify-drop.ts';
import type { Shipped } from './opening/shipped.ts';
import { REFLECTED_FILE, type SchemaFile } from './session-state.ts';
import { settersOf } from './setters.ts';
import type { AppStore } from './store.ts';
import { asksNative } from './view-state.ts';

/** The stage that a change reruns from; `open` is a schema and an input at once. */
type Stage = 'open' | 'schema' | 'input' | 'analysis';

const ORDER: Readonly<Record<Stage, number>> = { open: 0, schema: 0, input: 1, analysis: 2 };

/**
 * Work that must be done before the messages are added up, kept until it is done. A pipeline that is cancelled early
 * leaves it to the next one.
 */
interface Pending {
  readonly schema: boolean;
  readonly input: boolean;
  /** Type and selection must be chosen again. */
  readonly isAnew: boolean;
  /** They are final: the messages do not change them. */
  readonly isSettled: boolean;
}

const NOTHING_PENDING: Pending = { schema: false, input: false, isAnew: false, isSettled: false };

interface Needs {
  readonly store: AppStore;
  readonly client: Client;
  readonly shipped: Shipped;
  readonly fail: (work: string, failed: Failed) => void;
  /** The compiled schema of the current files; null: cancelled or failed. */
  readonly readSchema: (signal: AbortSignal) => Promise<SchemaSummary | null>;
}

export function createPipeline({ store, client, shipped, fail, readSchema }: Needs) {
  const { setSession, setView, setSelection } = settersOf(store);
  const session = () => store.getState().session;
  const view = () => store.getState().view;
  /** Messages stand beside the costs. On a narrow screen they are one tab of several, and the costs stay open. */
  const openRail = (): void => {
    if (isWide() && view().panel === 'costs') setView({ panel: 'messages' });
  };
  /** It was opened for a capture, but the input is something else. */
  const closeRail = (): void => {
    if (view().panel === 'messages') setView({ panel: 'costs' });
  };
  let running = new AbortController();
  /** The stage of the current run, and the run's end; `fetch`: an opening waits for its input. null: nothing runs. */
  let at: Stage | 'fetch' | null = null;
  let end = Promise.resolve();
  let fetched: Promise<unknown> = end;
  /** Whether an opening holds back a run. */
  let isHeld = false;
  /** Openings are counted in the order in which they were asked for; the one that was asked for last goes first. */
  let asked = 0;
  let latest = 0;
  let opening = new AbortController();
  let pending = NOTHING_PENDING;
  /** The schema whose types are all checked. */
  let lookedThrough: SchemaSummary | null = null;

  const analysisParams = () => {
    const { type, types, nativeProfile, overrides } = view();
    return { type, types, nativeProfile, overrides };
  };
  const comparedParams = () => ({ ...analysisParams(), compares: asksNative(view()) });
  const inspection = createInspection({ store, client, fail, comparedParams });

  /** Runs one stage as the visible job. null: cancelled, or failed and reported. */
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
    const outcome: CallResult<ReturnType<Api[M]>> = await client.call(method, params, { signal, onProgress, onSoFar });
    if (outcome.ok) return signal.aborted ? null : outcome.value;
    if (!outcome.cancelled) fail(label, outcome);
    return null;
  }

  /** Cancels the current run. The signal is aborted when the next run begins. */
  function restart(): AbortSignal {
    running.abort();
    inspection.stop();
    running = new AbortController();
    at = null;
    return running.signal;
  }

  /** The place of an opening in their order, before it is known whether it opens an input. */
  const ask = (): number => ++asked;

  /** Cancels earlier openings. The current run continues. @returns aborted: a later opening was first */
  function supersede(order = ask()): AbortSignal {
    if (order < latest) return AbortSignal.abort();
    latest = order;
    opening.abort();
    opening = new AbortController();
    if (at === 'fetch') at = null;
    return opening.signal;
  }

  /** The same for an opening that waits for its input: cancels the current run, too. */
  function begin(order?: number): AbortSignal {
    const signal = supersede(order);
    if (!signal.aborted) hold();
    return signal;
  }

  function hold(): void {
    isHeld ||= at !== null;
    restart();
  }

  /** An opening without an input ends: the run that it held back is done. */
  function resume(): void {
    if (isHeld) void rerun('analysis');
  }

  /** A stage before all others of the opening that has begun: runs that are asked for meanwhile are part of its run. */
  async function during<T>(signal: AbortSignal, getting: Promise<T>): Promise<T> {
    if (!signal.aborted) {
      hold();
      at = 'fetch';
      fetched = getting.catch(() => {});
    }
    try {
      return await getting;
    } finally {
      if (!signal.aborted) at = null;
    }
  }

  /** `isSettled`: type and selection are final: the messages do not change them. */
  function rerun(from: Stage, isSettled = false): Promise<void> {
    const { inputSummary } = session();
    const isByTypes = inputSummary?.kind === 'payloads' && inputSummary.isByTypes;
    const isInput = from === 'open' || from === 'input';
    pending = {
      schema: pending.schema || from === 'open' || from === 'schema',
      input: pending.input || isInput || (from === 'schema' && isByTypes),
      isAnew: pending.isAnew || from !== 'analysis',
      isSettled: isInput || !pending.isAnew ? isSettled : pending.isSettled,
    };
    if (at === 'fetch') {
      isHeld = true;
      return Promise.resolve();
    }
    if (at === null || ORDER[at] >= ORDER[from]) end = runStages(restart());
    return settled();
  }

  /** A run that replaces the current one is waited for, too. */
  async function settled(): Promise<void> {
    for (let waited: typeof end | null = null; waited !== end; ) {
      waited = end;
      await waited;
    }
  }

  /** After cancelling or a failure. The next run reads the schema that this one did not: its files are listed. */
  function leaveUndone(): void {
    pending = { ...NOTHING_PENDING, schema: pending.schema };
  }

  async function runStages(signal: AbortSignal): Promise<void> {
    isHeld = false;
    setSession({ failure: null });
    await stages(signal);
    if (running.signal !== signal) return;
    at = null;
    leaveUndone();
    setSession({ job: null });
    void lookThrough(signal);
  }

  /**
   * Work that waits until the requested result is shown: the faults of a set's types, and the names of their members.
   */
  async function lookThrough(signal: AbortSignal): Promise<void> {
    const { schema } = session();
    if (schema === null || schema === lookedThrough) return;
    const found = await client.call('lookThrough', {}, { signal });
    if (!found.ok || signal.aborted || session().schema !== schema) return;
    const diagnostics = [...schema.diagnostics, ...found.value];
    lookedThrough = found.value.length === 0 ? schema : { ...schema, diagnostics };
    setSession({ schema: lookedThrough });
  }

  async function stages(signal: AbortSignal): Promise<void> {
    at = 'schema';
    if (pending.schema && !(await schemaStage(signal))) return;
    at = 'input';
    if (pending.input && !((await inputStage(signal)) && (await reflectedStage(signal)))) return;
    at = 'analysis';
    const { inputSummary } = session();
    if (!inputSummary?.complete) return;
    if (inputSummary.messages === 0) {
      setSession({ analysis: null, inspection: null, plan: null });
      pending = NOTHING_PENDING;
      return;
    }
    if (inputSummary.kind === 'capture') await captureStage(signal);
    // The type of a native message may be any layout, and it is compared with its own bytes.
    else await payloadStage(signal, inputSummary.framing.id === 'native');
  }

  /** @returns false: cancelled, or failed and reported */
  async function schemaStage(signal: AbortSignal): Promise<boolean> {
    const schema = await readSchema(signal);
    if (!schema || signal.aborted) return false;
    setSession({ schema });
    pending = { ...pending, schema: false };
    return true;
  }

  /** @returns false: cancelled, or failed and reported */
  async function inputStage(signal: AbortSignal): Promise<boolean> {
    const { input, keyLog } = session();
    if (!input?.data) return true;
    const { name, data, textEncoding, framing, steps } = input;
    const params = {
      name,
      data,
      ...(textEncoding === undefined ? {} : { textEncoding }),
      ...(framing === undefined ? {} : { framing }),
      ...(steps === undefined ? {} : { steps }),
      ...(keyLog === null ? {} : { keyLog: keyLog.lines }),
    };
    const grow = (inputSummary: InputSummary): void => {
      if (session().inputSummary === null && !pending.isSettled) openRail();
      if (!signal.aborted) setSession({ inputSummary });
    };
    const inputSummary = await run(READING_INPUT, 'openInput', params, signal, grow);
    const isFirst = session().inputSummary === null && !pending.isSettled;
    if (!inputSummary) {
      if (isFirst && session().failure !== null) closeRail();
      return false;
    }
    if (isFirst && inputSummary.kind === 'capture') openRail();
    else if (isFirst && isNamedAsCapture(name)) closeRail();
    setSession({ inputSummary });
    chooseAwaited(inputSummary.messages);
    pending = { ...pending, input: false };
    return true;
  }

  /**
   * A capture is read with the descriptors that servers sent in it, unless a schema is loaded.
   * @returns false: cancelled, or failed and reported
   */
  async function reflectedStage(signal: AbortSignal): Promise<boolean> {
    const { inputSummary, schemaFiles } = session();
    if (inputSummary?.kind !== 'capture' || schemaFiles.length > 0) return true;
    const reflected = await run(READING_SCHEMAS, 'reflectedSchema', {}, signal);
    if (!reflected) return false;
    if (reflected.set === null) return true;
    const file: SchemaFile = { path: REFLECTED_FILE, content: new Blob([reflected.set]) };
    setSession({ schemaFiles: [file], setAside: session().setAside ?? schemaFiles });
    return schemaStage(signal);
  }

  /** The messages have one type, which is chosen by comparing them with the known ones. */
  async function payloadStage(signal: AbortSignal, isNative: boolean): Promise<void> {
    const { isAnew, isSettled } = pending;
    if (!(await bundled(signal, isNative))) return;
    const { scope, types } = view();
    if (isAnew) {
      const plan = await run(COMPARING_TYPES, 'planReading', { scope, types }, signal);
      if (!plan) return;
      setSession({ plan });
      const { type } = view();
      const known = type === null || isSettled ? null : await client.call('hasType', { name: type }, { signal });
      if (signal.aborted) return;
      const isKnown = isSettled || (known?.ok && known.value);
      if (!isKnown) setView({ type: plan.type, table: null });
    }
    const analysis = await run(ADDING_UP, 'analyze', { ...comparedParams(), scope }, signal);
    if (!analysis) return;
    takeAnalysis(store, analysis);
    pending = NOTHING_PENDING;
    const [profile] = analysis.profiles;
    const selects = isAnew && !isSettled && view().selection.path === null;
    if (selects && profile) setSelection({ path: firstPath(store.getState(), profile) });
    if (!isAnew) await inspection.stayWithin(analysis.origins[0], signal);
    if (signal.aborted) return;
    await inspection.read();
    if (selects) await inspection.meetField(signal);
  }

  /** The transports name the types, so the messages can be added up at once. */
  async function captureStage(signal: AbortSignal): Promise<void> {
    const { isAnew, isSettled } = pending;
    if (!(await bundled(signal, true))) return;
    const { scope, types } = view();
    const groupReadings = await run(LOOKING_UP_TYPES, 'groupReadings', { types }, signal);
    if (!groupReadings) return;
    setSession({ groupReadings });
    const analysis = await run(ADDING_UP, 'analyze', { ...comparedParams(), scope }, signal);
    if (!analysis) return;
    takeAnalysis(store, analysis);
    pending = NOTHING_PENDING;
    const isSelected = isSettled || (isAnew && view().selection.path !== null);
    await inspection.lookAtShown(signal, isAnew && !isSelected, isSelected);
  }

  /** The messages that a link or a file chose, or the first one if theirs cannot be known. */
  function chooseAwaited(messages: number): void {
    const { sharedFrom } = session();
    if (!sharedFrom?.awaited) return;
    const { awaited, ...arrived } = sharedFrom;
    const { scope, selection } = view();
    if (messages === sharedFrom.source.messages) {
      setSession({ sharedFrom: arrived });
      setView({ scope: { ...scope, ordinals: awaited.ordinals }, selection: awaited.selection });
    } else setView({ scope: { ...scope, ordinals: [] }, selection: { ...selection, ordinal: 0, row: null } });
  }

  /**
   * Sends the shipped schemas to the worker, all of them or without the layouts. false: cancelled, or failed.
   */
  async function bundled(signal: AbortSignal, isWhole: boolean): Promise<boolean> {
    const { bundled: known } = session();
    if (known !== null && (known.isWhole || !isWhole)) return true;
    setSession({ job: { label: FETCHING_SCHEMAS, since: Date.now(), progress: null } });
    const paths = shipped.schemaPaths.filter((path) => isWhole || !isForCaptures(path));
    const files = await shipped.schemaFiles(paths).catch(() => null);
    if (signal.aborted) return false;
    if (files === null) {
      // Without them messages are read by field numbers; the next input requests them again.
      setSession({ failure: MISSING_PART });
      return true;
    }
    const summary = await run(READING_SCHEMAS, 'setBundled', { files }, signal);
    if (summary !== null) setSession({ bundled: { ...summary, isWhole } });
    return summary !== null;
  }

  return {
    ask,
    supersede,
    begin,
    during,
    resume,
    rerun,
    run,
    analysisParams,
    comparedParams,
    inspection,

    /** For browsing. A schema or an input that is opened meanwhile goes first. */
    async fetchBundled(): Promise<void> {
      for (;;) {
        while (at !== null) await (at === 'fetch' ? fetched : end);
        if (session().bundled?.isWhole) return;
        const { signal } = running;
        await bundled(signal, true);
        if (!signal.aborted) return setSession({ job: null });
        // The user cancelled it; no other run did.
        if (at === null) return;
      }
    },

    cancel(): void {
      begin();
      isHeld = false;
      leaveUndone();
      setSession({ job: null });
      // No run has shown a message of an input that is not read to its end.
      if (session().inputSummary?.complete === false) void inspection.read();
    },
  };
}
