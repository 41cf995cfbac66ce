/** The messages that are added up, in words. */
import type { Profile } from '#engine/cost/profile.ts';
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
  const names = shortNames(profiles, others);
  return profiles.map(
    (profile, index) =>
      names[index] || (profiles.length > 1 ? methodsOf(origins[index]!, all) : untypedFields(profile)),
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

/** `ExecuteBatch request`, `GET /a and 3 others` */
export function methodsOf({ groups }: Pick<Origin, 'groups'>, all: readonly MessageGroup[]): string {
  const members = groups.flatMap((key) => all.find((group) => group.key === key) ?? []);
  const short = distinctMethods(all.flatMap(({ method }) => method ?? []));
  const words = [...new Set(members.map((group) => wordsOf(group, all, short)))];
  const [first = 'messages', ...others] = words;
  if (others.length === 0) return first;
  return `${first} and ${others.length} ${others.length === 1 ? 'other' : 'others'}`;
}

/** With the transport, the format and the outcome, if groups of the same method differ in them: `GET /a request, http` */
function wordsOf(group: MessageGroup, all: readonly MessageGroup[], short: ReadonlyMap<string, string>): string {
  const { method, transport, direction, format, status } = group;
  const name = [method === null ? transport : short.get(method)!, ...(direction === null ? [] : [direction])].join(' ');
  const alike = all.filter((other) => other.method === method && other.direction === direction);
  const marks = [
    method !== null && alike.some((other) => other.transport !== transport) && transport,
    alike.some((other) => other.format !== format) && format,
    alike.some((other) => other.status !== status) && status,
  ];
  return [name, ...marks.filter(Boolean)].join(', ');
}
