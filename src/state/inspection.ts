/**
 * The selected field and message: kept when other figures arrive, chosen for the user until they choose, and read into
 * rows.
 */

import { defaultFieldPath, largestField } from '#engine/cost/default-field.ts';
import type { Profile } from '#engine/cost/profile.ts';
import { samePath } from '#engine/cost/same-field.ts';
import { firstRow, rowsOf } from '#engine/inspect/row-address.ts';
import { readingMessage } from '#wording/progress-notes.ts';
import type { Analysis, Origin, ReadingPlan, WantedPart } from '#worker/analysis-api.ts';
import type { Client } from '#worker/connect.ts';
import type { Api, Failed } from '#worker/protocol.ts';
import { settersOf } from './setters.ts';
import { shownIndex, shownOrigin, shownProfile, shownQuestion } from './shown-profile.ts';
import type { AppState, AppStore } from './store.ts';
import { isNarrowed } from './view-state.ts';

interface Needs {
  readonly store: AppStore;
  readonly client: Client;
  readonly fail: (work: string, failed: Failed) => void;
  readonly comparedParams: () => Omit<Parameters<Api['inspect']>[0], 'ordinal' | 'part'>;
}

/** Messages after the one to be shown first among which the selected field is looked for. */
const LOOKED_THROUGH = 1000;

/** The field that is selected until the user selects one: the most important one for the shown question. */
export const firstPath = (state: AppState, profile: Profile): string | null =>
  shownQuestion(state) === 'native' ? defaultFieldPath(profile) : (largestField(profile)?.field.path ?? null);

/** The selected field stays selected, and so does the field that is zoomed into, where a schema names them otherwise. */
export function takeAnalysis(store: AppStore, analysis: Analysis): void {
  const { session, view } = store.getState();
  const { selection, root } = view;
  const before = shownProfile(store.getState());
  const after = shownProfile({ view, session: { ...session, analysis } });
  const kept = (path: string | null): string | null => {
    if (path === null || before === undefined || after === undefined) return path;
    // Other messages of the same type may lack the field, and have it again with the next choice.
    return samePath(before, after, path) ?? (before.type === after.type ? path : null);
  };
  const path = kept(selection.path);
  const row = path === selection.path ? selection.row : selection.row && path && { ...selection.row, path };
  settersOf(store).set({
    session: { analysis },
    view: { selection: { ...selection, path, row: row || null }, root: kept(root) },
  });
}

export function createInspection({ store, client, fail, comparedParams }: Needs) {
  const { setSession, setView, setSelection } = settersOf(store);
  const session = () => store.getState().session;
  const view = () => store.getState().view;
  let reading = new AbortController();
  let looking = new AbortController();

  /** The shown profile's first field to select, its first message, and the possible types if none is known. */
  async function lookAtShown(signal: AbortSignal, isAnew: boolean, isSettled = false): Promise<void> {
    const { analysis, inspection } = session();
    if (!analysis) return;
    const origin = shownOrigin(store.getState()) ?? analysis.opaque;
    const profile = shownProfile(store.getState());
    const isElsewhere = inspection === null || !origin.groups.includes(inspection.group);
    if (isAnew || (isElsewhere && !isSettled)) {
      setSelection({
        ordinal: origin.first,
        row: null,
        path: profile === undefined ? null : firstPath(store.getState(), profile),
      });
    } else if (!isSettled) await stayWithin(origin, signal);
    if (signal.aborted) return;
    await read();
    if (isAnew) await meetField(signal);
    if (signal.aborted) return;
    let plan: ReadingPlan | null = null;
    if (profile?.type === '') {
      const { scope, types } = view();
      const within = { ...scope, groups: origin.groups };
      const outcome = await client.call('planReading', { scope: within, types }, { signal });
      if (outcome.ok) plan = outcome.value;
    }
    if (!signal.aborted) setSession({ plan });
  }

  /** Field and message were selected together, and the first message may lack the field: a near one with it is shown. */
  async function meetField(signal: AbortSignal): Promise<void> {
    const { scope, selection } = view();
    const { inspection } = session();
    const { path, ordinal, row } = selection;
    if (path === null || row !== null || inspection?.ordinal !== ordinal || inspection.part || signal.aborted) return;
    const groups = shownOrigin(store.getState())?.groups ?? [];
    const ordinals = scope.ordinals.length > 0 ? scope.ordinals : ([[0, ordinal + LOOKED_THROUGH]] as const);
    const params = { ...comparedParams(), scope: { ...scope, groups, ordinals }, path };
    const found = await client.call('firstWith', params, { signal });
    if (!found.ok || found.value === null || signal.aborted || view().selection !== selection) return;
    setSelection({ ordinal: found.value, row: null });
    await read();
  }

  /** A message that the filter leaves out is not shown beside the figures of those that pass. */
  async function stayWithin(origin: Origin | undefined, signal: AbortSignal): Promise<void> {
    const { scope, types, selection } = view();
    if (!origin?.messages || !isNarrowed(scope)) return;
    const order = { column: 'ordinal', descending: false } as const;
    const row = await client.call('rowOf', { ordinal: selection.ordinal, order, scope, types }, { signal });
    if (signal.aborted || view().selection.ordinal !== selection.ordinal) return;
    if (row.ok && row.value === null) setSelection({ ordinal: origin.first, row: null });
  }

  /** The part with the first record of the selected field; 0: nothing is selected. */
  function selectedPart(): WantedPart {
    const { path } = view().selection;
    const isAbove = (above: string): boolean => above === path || path?.startsWith(`${above}.`) === true;
    const top = shownProfile(store.getState())?.fields.find((field) => field.parent === '' && isAbove(field.path));
    return top === undefined ? 0 : { field: top.number };
  }

  /**
   * The last one is shown, be it of a run or of a selection.
   * @param part of a message too large to be shown at once
   */
  async function read(part: WantedPart = selectedPart()): Promise<void> {
    reading.abort();
    reading = new AbortController();
    const { signal } = reading;
    const { inputSummary } = session();
    if (!inputSummary || inputSummary.messages === 0) {
      setSession({ inspection: null });
      return;
    }
    const ordinal = Math.min(view().selection.ordinal, inputSummary.messages - 1);
    const outcome = await client.call('inspect', { ...comparedParams(), ordinal, part }, { signal });
    if (!outcome.ok) {
      if (!outcome.cancelled) fail(readingMessage(ordinal), outcome);
      return;
    }
    if (signal.aborted) return;
    const left = session().inspection?.group;
    setSession({ inspection: outcome.value });
    // A message outside the shown ones is loaded with its profile.
    const { group } = outcome.value;
    const index = session().analysis?.origins.findIndex(({ groups }) => groups.includes(group)) ?? -1;
    if (index >= 0) {
      // From a message of another type: its fields are others, and the table and the zoom are not of them.
      const isLeft = left !== undefined && shownOrigin(store.getState())?.groups.includes(left) === true;
      const isOther = isLeft && index !== shownIndex(store.getState());
      setView({ shown: group, ...(isOther && { table: null, root: null, cause: null }) });
    }
    const { path, row } = view().selection;
    const { protobuf, native } = rowsOf(outcome.value, row);
    const isThere = row !== null && (protobuf >= 0 || native >= 0);
    setSelection({ ordinal, row: isThere ? row : path === null ? null : firstRow(outcome.value, path) });
  }

  return {
    lookAtShown,
    stayWithin,
    meetField,
    read,

    /** Updates the shown parts after another part of the analysis is chosen. */
    lookAgain(): Promise<void> {
      looking.abort();
      looking = new AbortController();
      return lookAtShown(looking.signal, true);
    },

    /** Cancels what is being read. */
    stop(): void {
      looking.abort();
      reading.abort();
    },
  };
}
