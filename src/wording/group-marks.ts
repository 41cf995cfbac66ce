/** Marks that distinguish groups of messages whose method and direction are the same. */
import type { MessageGroup } from '#engine/analysis/store/message-groups.ts';

type Group = Pick<MessageGroup, 'key' | 'method' | 'direction' | 'transport' | 'format' | 'status'>;

/** By key of the group: its transport, format and outcome, where groups of its method differ in them. */
export function groupMarks(all: readonly Group[]): ReadonlyMap<string, readonly string[]> {
  const alike = new Map<string, Group[]>();
  const keyOf = ({ method, direction, transport }: Group): string =>
    method === null ? `${direction} ${transport}` : `${direction} ${method}`;
  for (const group of all) {
    const key = keyOf(group);
    const known = alike.get(key);
    if (known === undefined) alike.set(key, [group]);
    else known.push(group);
  }
  const marks = new Map<string, readonly string[]>();
  for (const groups of alike.values()) {
    const [first] = groups as [Group];
    const differing = (['transport', 'format', 'status'] as const).filter((of) =>
      groups.some((group) => group[of] !== first[of]),
    );
    for (const group of groups) {
      marks.set(
        group.key,
        differing.flatMap((of) => group[of] ?? []),
      );
    }
  }
  return marks;
}
