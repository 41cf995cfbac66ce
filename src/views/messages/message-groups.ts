/**
 * Groups of messages → a tree of two levels: by method with its directions, or by type with its methods. Requests to a
 * URL are one node, with any queries.
 */
import type { GroupReading, MessageGroup } from '#state/session-state.ts';
import { sayType, withoutQuery } from './message-columns.ts';

export const GROUPINGS = { method: 'Method', type: 'Type' } as const;
export type Grouping = keyof typeof GROUPINGS;

export interface GroupNode {
  readonly id: string;
  readonly label: string;
  /** Shown beside the label: direction and type. The transport is added if another node has the same label and note. */
  readonly note: string;
  readonly groups: readonly MessageGroup[];
  readonly messages: number;
  readonly bytes: number;
  readonly capturedBytes: number;
  readonly children: readonly GroupNode[];
}

/** Most bytes first. A node whose groups are alike has no children. */
export function groupTree(
  groups: readonly MessageGroup[],
  readings: Readonly<Record<string, GroupReading>>,
  by: Grouping,
): readonly GroupNode[] {
  const typeOf = (group: MessageGroup): string => sayType(readings[group.key], group);
  const methodOf = ({ method, transport }: MessageGroup): string => withoutQuery(method ?? transport);
  const wordOf = by === 'method' ? methodOf : typeOf;
  const leaf = (alike: Alike, label: string, ...notes: readonly (string | null)[]): GroupNode =>
    nodeOf(alike[0].key, label, notes.filter(Boolean).join(' · '), alike, []);
  return gathered(groups, wordOf)
    .map((all) => {
      const label = wordOf(all[0]);
      const members = gathered(all, (group) => `${withoutQuery(group.key)} ${typeOf(group)}`);
      const [only] = members;
      if (members.length === 1 && only) {
        const [{ direction }] = only;
        return leaf(only, label, direction, (by === 'method' ? typeOf : methodOf)(only[0]));
      }
      const words = members.map(([group]) =>
        by === 'method'
          ? ([group.direction ?? group.transport, typeOf(group)] as const)
          : ([methodOf(group), group.direction] as const),
      );
      const children = members.map((alike, index) => {
        const [word, note] = words[index]!;
        const isAlone = words.every((other, at) => at === index || other[0] !== word || other[1] !== note);
        // The transport separates groups with the same label and note.
        return leaf(alike, word, note, isAlone ? null : alike[0].transport);
      });
      return nodeOf(`${by} ${label}`, label, '', all, children.sort(byBytes));
    })
    .sort(byBytes);
}

/** Groups with the same words. In a node without children, they differ in the queries of their URLs only. */
type Alike = readonly [MessageGroup, ...MessageGroup[]];

/** In the order in which the words are seen. */
function gathered(groups: readonly MessageGroup[], wordOf: (group: MessageGroup) => string): readonly Alike[] {
  const found = new Map<string, [MessageGroup, ...MessageGroup[]]>();
  for (const group of groups) {
    const word = wordOf(group);
    const alike = found.get(word);
    if (alike === undefined) found.set(word, [group]);
    else alike.push(group);
  }
  return [...found.values()];
}

const byBytes = (a: GroupNode, b: GroupNode): number => b.capturedBytes - a.capturedBytes;

function nodeOf(
  id: string,
  label: string,
  note: string,
  groups: readonly MessageGroup[],
  children: readonly GroupNode[],
): GroupNode {
  const sum = (of: (group: MessageGroup) => number): number => groups.reduce((total, group) => total + of(group), 0);
  return {
    id,
    label,
    note,
    groups,
    messages: sum(({ messages }) => messages),
    bytes: sum(({ bytes }) => bytes),
    capturedBytes: sum(({ capturedBytes }) => capturedBytes),
    children,
  };
}
