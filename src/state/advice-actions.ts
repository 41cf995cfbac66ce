/** Advice on the shown messages, and changes that are tried together. */
import {
  APPLYING_CHANGES,
  LOOKING_FOR_WAY,
  MEASURING_CHANGES,
  READING_SCHEMA,
  WRITING_MESSAGE,
} from '#wording/progress-notes.ts';
import type { AdviseApi, Advised, AdviseParams } from '#worker/advise-api.ts';
import type { AnalyzeParams } from '#worker/analysis-api.ts';
import type { Client } from '#worker/connect.ts';
import type { CallResult, Failed, Progress } from '#worker/protocol.ts';
import { settersOf } from './setters.ts';
import { formatOf, shownOrigin, shownType } from './shown-profile.ts';
import type { AppStore } from './store.ts';
import type { TriedChange } from './view-state.ts';

export type { AdviceRow, Advised, Applied, AppliedMessage, Faulty, RefusedAdvice } from '#worker/advise-api.ts';

interface Asking {
  readonly store: AppStore;
  readonly client: Client;
  readonly fail: (work: string, failed: Failed) => void;
  readonly analysisParams: () => AnalyzeParams;
}

type Answer<M extends keyof AdviseApi> = Promise<ReturnType<AdviseApi[M]> | null>;

export function adviceActions({ store, client, fail, analysisParams }: Asking) {
  const view = () => store.getState().view;
  const { setView } = settersOf(store);

  const params = (): AdviseParams => {
    return {
      ...analysisParams(),
      scope: view().scope,
      shown: shownType(store.getState()) ?? '',
      ...formatOf(store.getState(), shownOrigin(store.getState())),
      compressor: view().compressor as AdviseParams['compressor'],
    };
  };
  const answered = <T>(work: string, outcome: CallResult<T>): T | null => {
    if (outcome.ok) return outcome.value;
    if (!outcome.cancelled) fail(work, outcome);
    return null;
  };

  return {
    /** null: cancelled, or failed. */
    async advise(
      signal: AbortSignal,
      onSoFar: (advised: Advised) => void,
      onProgress: (progress: Progress) => void,
    ): Answer<'advise'> {
      const grow = (advised: ReturnType<AdviseApi['advise']>): void => {
        if ('rows' in advised) onSoFar(advised);
      };
      return answered(MEASURING_CHANGES, await client.call('advise', params(), { signal, onSoFar: grow, onProgress }));
    },

    async applyChanges(changes: readonly TriedChange[], signal: AbortSignal): Answer<'applyChanges'> {
      const asked = { ...params(), changes };
      return answered(APPLYING_CHANGES, await client.call('applyChanges', asked, { signal }));
    },

    async editableFiles(signal: AbortSignal): Answer<'editableFiles'> {
      return answered(READING_SCHEMA, await client.call('editableFiles', params(), { signal }));
    },

    async appliedMessage(changes: readonly TriedChange[], at: number, signal: AbortSignal): Answer<'appliedMessage'> {
      const asked = { ...params(), changes, at };
      return answered(WRITING_MESSAGE, await client.call('appliedMessage', asked, { signal }));
    },

    async belowLimit(limit: number, signal: AbortSignal): Answer<'belowLimit'> {
      return answered(LOOKING_FOR_WAY, await client.call('belowLimit', { ...params(), limit }, { signal }));
    },

    /** Sets the changes to apply, and opens the panel that shows their result. */
    tryChanges: (changes: readonly TriedChange[]): void => setView({ changes, panel: 'advice' }),

    /** One field with another declaration; it replaces the last one tried on that field. */
    tryOnField(changes: readonly TriedChange[]): void {
      const isOfSame = (change: TriedChange): boolean =>
        changes.some(({ message, field }) => change['message'] === message && change['field'] === field);
      const others = view().changes.filter((change) => !isOfSame(change));
      setView({ changes: [...others, ...changes], panel: 'advice' });
    },

    rankAdviceBy: (compressor: string | null): void => setView({ compressor }),
  };
}
