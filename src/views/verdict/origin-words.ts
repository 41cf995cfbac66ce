/** The messages that are added up, in words. */
import type { MessageGroup, Origin } from '#state/session-state.ts';

/** `ExecuteBatch request`, `GET /a and 3 others` */
export function methodsOf({ groups }: Pick<Origin, 'groups'>, all: readonly MessageGroup[]): string {
  const members = groups.flatMap((key) => all.find((group) => group.key === key) ?? []);
  const words = [
    ...new Set(members.map(({ method, transport, direction }) => wordsOf(method ?? transport, direction))),
  ];
  const [first = 'messages', ...others] = words;
  if (others.length === 0) return first;
  return `${first} and ${others.length} ${others.length === 1 ? 'other' : 'others'}`;
}

const wordsOf = (method: string, direction: string | null): string =>
  direction === null ? method : `${method} ${direction}`;
