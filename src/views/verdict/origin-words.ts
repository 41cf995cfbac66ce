/** The messages that are added up, in words. */
import type { Analysis, MessageGroup, Origin } from '#state/session-state.ts';
import { distinctMethods, distinctNames } from '#wording/distinct-names.ts';
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
  const names = distinctNames([...profiles.map(({ type }) => type), ...others]);
  return profiles.map(
    (profile, index) =>
      names.get(profile.type) || (profiles.length > 1 ? methodsOf(origins[index]!, all) : untypedFields(profile)),
  );
}

/** `ExecuteBatch request`, `GET /a and 3 others` */
export function methodsOf({ groups }: Pick<Origin, 'groups'>, all: readonly MessageGroup[]): string {
  const members = groups.flatMap((key) => all.find((group) => group.key === key) ?? []);
  const short = distinctMethods(all.flatMap(({ method }) => method ?? []));
  const words = [
    ...new Set(
      members.map(({ method, transport, direction }) =>
        wordsOf(method === null ? transport : short.get(method)!, direction),
      ),
    ),
  ];
  const [first = 'messages', ...others] = words;
  if (others.length === 0) return first;
  return `${first} and ${others.length} ${others.length === 1 ? 'other' : 'others'}`;
}

const wordsOf = (method: string, direction: string | null): string =>
  direction === null ? method : `${method} ${direction}`;
