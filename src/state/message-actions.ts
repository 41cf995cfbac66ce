/** Chooses the messages that are listed and added up, and reads the rows of the list. */

import type { LostValues } from '#engine/model/diagnostic.ts';
import { CHOOSING, COMPARING_TYPES, DRAWING_TIMELINE, LISTING, SEARCHING } from '#wording/progress-notes.ts';
import type { AnalyzeParams, LossPlace, ReadingPlan } from '#worker/analysis-api.ts';
import type { Client } from '#worker/connect.ts';
import type { MessageOrder, MessageScope, MessageWindow, Timeline } from '#worker/input-api.ts';
import type { Failed } from '#worker/protocol.ts';
import { settersOf } from './setters.ts';
import { shownOrigin } from './shown-profile.ts';
import type { AppStore } from './store.ts';
import { NO_SCOPE } from './view-state.ts';

interface Needs {
  readonly store: AppStore;
  readonly client: Client;
  readonly fail: (work: string, failed: Failed) => void;
  readonly comparedParams: () => AnalyzeParams;
  /** Runs the analysis and all later stages again. */
  readonly addUp: () => Promise<void>;
  /** The shown part of the analysis. */
  readonly look: () => Promise<void>;
}

/** Milliseconds between a key stroke in a filter and the messages being added up again. */
const FILTER_PAUSE = 300;

export function messageActions({ store, client, fail, comparedParams, addUp, look }: Needs) {
  let filtering: ReturnType<typeof setTimeout> | undefined;
  const view = () => store.getState().view;
  const { setView } = settersOf(store);
  const setScope = (scope: MessageScope): void => setView({ scope, table: null, root: null, cause: null });

  return {
    /** Adds or removes a condition: the list changes at once, the sums when typing pauses. */
    filterMessages(change: Partial<MessageScope>): void {
      setScope({ ...view().scope, ordinals: [], ...change });
      clearTimeout(filtering);
      filtering = setTimeout(() => void addUp(), FILTER_PAUSE);
    },

    /** Exactly the messages of these groups; none: all. */
    chooseGroups(groups: readonly string[]): Promise<void> {
      clearTimeout(filtering);
      setScope({ ...view().scope, groups, ordinals: [] });
      return addUp();
    },

    /** Exactly these messages of the list, as half-open ranges of ordinals; none: all of it. */
    chooseMessages(ordinals: MessageScope['ordinals']): Promise<void> {
      clearTimeout(filtering);
      setScope({ ...view().scope, ordinals });
      return addUp();
    },

    chooseAllMessages(): Promise<void> {
      clearTimeout(filtering);
      setScope(NO_SCOPE);
      return addUp();
    },

    /** Shows the profile whose messages hold this group, if there are several. */
    showProfile(group: string): Promise<void> {
      setView({ shown: group, table: null, root: null, cause: null });
      return look();
    },

    /** A window of the message list; null when it was cancelled or failed. */
    async messages(
      params: { readonly from: number; readonly to: number; readonly order: MessageOrder },
      signal: AbortSignal,
    ): Promise<MessageWindow | null> {
      const { scope, types } = view();
      const outcome = await client.call('messages', { ...params, scope, types }, { signal });
      if (outcome.ok) return outcome.value;
      if (!outcome.cancelled) fail(LISTING, outcome);
      return null;
    },

    /** The row of a message in the list; null: it is not listed, or the call was cancelled or failed. */
    async rowOf(
      params: { readonly ordinal: number; readonly order: MessageOrder },
      signal: AbortSignal,
    ): Promise<number | null> {
      const { scope, types } = view();
      const outcome = await client.call('rowOf', { ...params, scope, types }, { signal });
      if (outcome.ok) return outcome.value;
      if (!outcome.cancelled) fail(LISTING, outcome);
      return null;
    },

    /** The rows [from, to) of the list as ranges of ordinals. */
    async rangesOf(params: {
      readonly from: number;
      readonly to: number;
      readonly order: MessageOrder;
    }): Promise<MessageScope['ordinals']> {
      const { scope, types } = view();
      const outcome = await client.call('rangesOf', { ...params, scope, types });
      if (!outcome.ok && !outcome.cancelled) fail(CHOOSING, outcome);
      return outcome.ok ? outcome.value : [];
    },

    /** The first message of the shown figures that has a field, or null; null: cancelled, or failed. */
    async firstWith(path: string, signal: AbortSignal): Promise<{ readonly ordinal: number | null } | null> {
      const groups = shownOrigin(store.getState())?.groups ?? [];
      const params = { ...comparedParams(), scope: { ...view().scope, groups }, path };
      const outcome = await client.call('firstWith', params, { signal });
      if (outcome.ok) return { ordinal: outcome.value };
      if (!outcome.cancelled) fail(SEARCHING, outcome);
      return null;
    },

    /** The first value among the listed messages that an encoding does not carry, or null; null: cancelled, or failed. */
    async firstLoss(lost: LostValues, signal: AbortSignal): Promise<{ readonly place: LossPlace | null } | null> {
      const outcome = await client.call('firstLoss', { ...comparedParams(), scope: view().scope, lost }, { signal });
      if (outcome.ok) return { place: outcome.value };
      if (!outcome.cancelled) fail(SEARCHING, outcome);
      return null;
    },

    /** How well each type explains the shown message; null when it was cancelled or failed. */
    async rankTypes(signal: AbortSignal): Promise<ReadingPlan | null> {
      const { selection, types } = view();
      const scope: MessageScope = { ...NO_SCOPE, ordinals: [[selection.ordinal, selection.ordinal + 1]] };
      const outcome = await client.call('planReading', { scope, types }, { signal });
      if (outcome.ok) return outcome.value;
      if (!outcome.cancelled) fail(COMPARING_TYPES, outcome);
      return null;
    },

    async timeline(bins: number, signal: AbortSignal): Promise<Timeline | null> {
      const { scope, types } = view();
      const outcome = await client.call('timeline', { bins, scope, types }, { signal });
      if (outcome.ok) return outcome.value;
      if (!outcome.cancelled) fail(DRAWING_TIMELINE, outcome);
      return null;
    },
  };
}
