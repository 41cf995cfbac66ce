/** Groups of messages → a tree of two levels: by method with its directions, or by type with its methods. */
import type { GroupReading, MessageGroup } from '#state/session-state.ts';
import { distinctMethods } from '#wording/distinct-names.ts';
import { groupTypes } from './group-types.ts';

export const GROUPINGS = { method: 'Method', type: 'Type' } as const;
export type Grouping = keyof typeof GROUPINGS;

export interface GroupNode {
  readonly id: string;
  readonly label: string;
  /** The label in full: a method with its package. */
  readonly title: string;
  /** Shown beside the label: direction and type. The transport is added if another node has the same label and note. */
  readonly note: string;
  readonly groups: readonly MessageGroup[];
  readonly messages: number;
  readonly bytes: number;
  readonly capturedBytes: number;
  readonly children: readonly GroupNode[];
}

/** Most bytes first. A node of one group has no children. */
export function groupTree(
  groups: readonly MessageGroup[],
  readings: Readonly<Record<string, GroupReading>>,
  by: Grouping,
): readonly GroupNode[] {
  const types = groupTypes(groups, readings);
  const typeOf = ({ key }: MessageGroup): string => types.get(key)!;
  const methodOf = ({ method, transport }: MessageGroup): string => method ?? transport;
  const short = distinctMethods(groups.map(methodOf));
  const shown = (word: string): string => short.get(word) ?? word;
  const wordOf = by === 'method' ? methodOf : typeOf;
  const heads = new Map<string, MessageGroup[]>();
  for (const group of groups) {
    const head = wordOf(group);
    const list = heads.get(head);
    if (list === undefined) heads.set(head, [group]);
    else list.push(group);
  }
  const leaf = (group: MessageGroup, label: string, ...notes: readonly (string | null)[]): GroupNode =>
    nodeOf(group.key, shown(label), label, notes.filter(Boolean).join(' · '), [group], []);
  return [...heads]
    .map(([label, members]) => {
      const [only] = members;
      if (members.length === 1 && only) {
        return by === 'method'
          ? leaf(only, label, only.direction, typeOf(only))
          : leaf(only, label, only.direction, shown(methodOf(only)));
      }
      const words = members.map((group) =>
        by === 'method'
          ? ([group.direction ?? group.transport, typeOf(group)] as const)
          : ([methodOf(group), group.direction] as const),
      );
      const children = members.map((group, index) => {
        const [word, note] = words[index]!;
        const isAlone = words.every((other, at) => at === index || other[0] !== word || other[1] !== note);
        // The transport separates groups with the same label and note.
        return leaf(group, word, note, isAlone ? null : group.transport);
      });
      return nodeOf(`${by} ${label}`, shown(label), label, '', members, children.sort(byBytes));
    })
    .sort(byBytes);
}

const byBytes = (a: GroupNode, b: GroupNode): number => b.capturedBytes - a.capturedBytes;

function nodeOf(
  id: string,
  label: string,
  title: string,
  note: string,
  groups: readonly MessageGroup[],
  children: readonly GroupNode[],
): GroupNode {
  const sum = (of: (group: MessageGroup) => number): number => groups.reduce((total, group) => total + of(group), 0);
  return {
    id,
    label,
    title,
    note,
    groups,
    messages: sum(({ messages }) => messages),
    bytes: sum(({ bytes }) => bytes),
    capturedBytes: sum(({ capturedBytes }) => capturedBytes),
    children,
  };
}
