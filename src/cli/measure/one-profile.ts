/** The profile of commands that show one. */
import type { Profile } from '#engine/cost/profile.ts';
import { encodingName } from '#wording/side-words.ts';
import { Refusal } from '../output/outcome.ts';

/** @param what `A budget` @throws Refusal where there are several, of which one type can be in several formats */
export function oneProfile(profiles: readonly Profile[], what: string): Profile {
  if (profiles.length === 1) return profiles[0]!;
  const types = new Set(profiles.map(({ type }) => type));
  const [type] = types;
  if (types.size > 1 || !type) {
    const names = [...types].map((name) => name || 'messages without a type');
    throw new Refusal(`${what} is of one type; choose by --type: ${names.join(', ')}`);
  }
  const formats = profiles.map((profile) => encodingName(profile)).join(', ');
  throw new Refusal(`${what} is of one format; messages of ${type} are here in ${formats}: give the inputs of one`);
}
