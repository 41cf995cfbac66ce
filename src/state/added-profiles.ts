/** All messages that are added up, which the explorer's figures are of. */
import type { Profile } from '#engine/cost/profile.ts';
import type { ShownMessages } from '#worker/matrix-api.ts';
import { messagesAt } from './shown-profile.ts';
import type { AppState } from './store.ts';

const NONE: readonly Profile[] = [];

/** The profiles, one for each type and captured format. */
export const addedProfiles = ({ session }: AppState): readonly Profile[] => session.analysis?.profiles ?? NONE;

/** The messages of each profile, as the worker measures them. */
export const addedMessages = (state: AppState): readonly ShownMessages[] =>
  addedProfiles(state).map((_, index) => messagesAt(state, index));
