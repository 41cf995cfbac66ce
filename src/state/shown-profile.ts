/** The profile that is looked at: of the type that was chosen among those the analysis met, else its largest. */
import type { Profile } from '#engine/cost/profile.ts';
import type { AppState } from './store.ts';

export const shownProfile = ({ session }: AppState): Profile | undefined => session.analysis?.profiles[0];
