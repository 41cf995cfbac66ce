/** What is looked at of an analysis: one of its profiles, of the messages that were asked for. */
import type { Profile } from '#engine/cost/profile.ts';
import type { Origin } from '#worker/analysis-api.ts';
import type { GroupReading } from '#worker/input-api.ts';
import type { AppState } from './store.ts';

/** Index of the profile whose messages hold the chosen group; 0, the largest, where none does. */
export function shownIndex({ session, view }: AppState): number {
  const { shown } = view;
  const index =
    shown === null ? -1 : (session.analysis?.origins.findIndex(({ groups }) => groups.includes(shown)) ?? -1);
  return Math.max(0, index);
}

export const shownProfile = (state: AppState): Profile | undefined =>
  state.session.analysis?.profiles[shownIndex(state)];

export const shownOrigin = (state: AppState): Origin | undefined => state.session.analysis?.origins[shownIndex(state)];

/** Full name of the type that is looked at; null: none, field numbers or a guess. */
export function shownType(state: AppState): string | null {
  const { inputSummary } = state.session;
  return inputSummary?.kind === 'capture' ? (shownProfile(state)?.type ?? '') || null : state.view.type;
}

/** Why the messages that are looked at are read as they are: of a capture, by its groups. */
export function shownReading(state: AppState): GroupReading['by'] | undefined {
  const group = shownOrigin(state)?.groups[0];
  return group === undefined ? undefined : state.session.groupReadings[group]?.by;
}

/** Whether nothing that was asked for is protobuf, so that there is no type to choose. */
export const isOpaqueShown = (state: AppState): boolean =>
  shownProfile(state) === undefined && (state.session.analysis?.opaque.messages ?? 0) > 0;
