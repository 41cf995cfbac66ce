/** The name of a profile's second side: `native`, or the encoding in its place. */
import type { Profile } from '#engine/cost/profile.ts';

type Sided = Pick<Profile, 'other'>;

/** In a sentence: `native`, `JSON`. */
export const sideName = ({ other }: Sided): string => other?.label ?? 'native';

/** At the head of a column: `Native`, `JSON`. */
export const sideTitle = ({ other }: Sided): string => other?.label ?? 'Native';
