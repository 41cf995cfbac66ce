/**
 * Names of the two sides of a profile: first: protobuf or the captured encoding; second: native or the chosen encoding.
 */
import { PROTOBUF, type Profile } from '#engine/cost/profile.ts';

type Sided = Pick<Profile, 'other'>;

/** In a sentence: `native`, `JSON`. */
export const sideName = ({ other }: Sided): string => other?.label ?? 'native';

/** The first side in a sentence: `protobuf`, `JSON`. */
export const firstName = ({ pair: [first], ledgers }: Pick<Profile, 'pair' | 'ledgers'>): string =>
  first === PROTOBUF ? 'protobuf' : (ledgers[first]?.label ?? first);

/** The same as a column title or at the beginning of a sentence: `Protobuf`, `JSON`. */
export const firstTitle = (profile: Pick<Profile, 'pair' | 'ledgers'>): string => {
  const name = firstName(profile);
  return name.charAt(0).toUpperCase() + name.slice(1);
};

/** As a column title: `Native`, `JSON`. */
export const sideTitle = ({ other }: Sided): string => other?.label ?? 'Native';
