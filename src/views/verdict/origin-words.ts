/** The messages that are added up, in words. */

import type { Profile } from '#engine/cost/profile.ts';
import { plural } from '#engine/model/count-text.ts';
import type { Analysis, MessageGroup, Origin } from '#state/session-state.ts';
import { distinctMethods, distinctNames } from '#wording/distinct-names.ts';
import { groupMarks } from '#wording/group-marks.ts';
import { untypedFields } from '#wording/type-words.ts';

/**
 * Distinct names of the types of the open input: among several, messages without a type have the name of their method.
 * @param others types that stand beside them
 */
export function namesOfTypes(
  { profiles, origins }: Pick<Analysis, 'profiles' | 'origins'>,
  all: readonly MessageGroup[],
  others: readonly string[] = [],
): readonly string[] {
  const names = shortNames(profiles, others);
  const ofGroups = namesOfGroups(all);
  return profiles.map(
    (profile, index) =>
      names[index] || (profiles.length > 1 ? methodsOf(origins[index]!, ofGroups) : untypedFields(profile)),
  );
}

/** Distinct names of types, with the encoding of one that is also captured as protobuf: `Report, JSON`; empty: no type. */
export function shortNames(
  profiles: readonly Pick<Profile, 'type' | 'other'>[],
  others: readonly string[] = [],
): readonly string[] {
  const names = distinctNames([...profiles.map(({ type }) => type), ...others]);
  return profiles.map(({ type, other }) => {
    const isTwice = profiles.filter((profile) => profile.type === type).length > 1;
    return `${names.get(type)}${type !== '' && isTwice && other?.isCaptured ? `, ${other.label}` : ''}`;
  });
}

/** The names of all groups, by key: `Dispatch/Orders request`; `GET /a request, http` beside the same of another transport. */
export function namesOfGroups(all: readonly MessageGroup[]): ReadonlyMap<string, string> {
  const short = distinctMethods(all.flatMap(({ method }) => method ?? []));
  const marks = groupMarks(all);
  return new Map(
    all.map(({ key, method, direction, transport }) => {
      const name = method === null ? transport : short.get(method)!;
      return [key, [direction === null ? name : `${name} ${direction}`, ...marks.get(key)!].join(', ')];
    }),
  );
}

/** `ExecuteBatch request`, `GET /a and 3 others` @param names of all groups, by key */
export function methodsOf({ groups }: Pick<Origin, 'groups'>, names: ReadonlyMap<string, string>): string {
  const words = [...new Set(groups.flatMap((key) => names.get(key) ?? []))];
  const [first = 'messages', ...others] = words;
  if (others.length === 0) return first;
  return `${first} and ${plural(others.length, 'other')}`;
}
