/** Groups → the type of their messages, in as few segments of its name as distinguish the types; or the reason for none. */
import type { GroupReading, MessageGroup } from '#state/session-state.ts';
import { distinctNames } from '#wording/distinct-names.ts';

/** By the group's key. */
export function groupTypes(
  groups: readonly MessageGroup[],
  readings: Readonly<Record<string, GroupReading>>,
): ReadonlyMap<string, string> {
  const typeOf = ({ key, typeHint }: MessageGroup): string | null => {
    const reading = readings[key];
    return reading === undefined ? typeHint : reading.type;
  };
  const names = distinctNames(groups.map(typeOf).filter((type) => type !== null));
  return new Map(
    groups.map((group) => {
      const type = typeOf(group);
      return [group.key, type === null ? reasonFor(readings[group.key]) : names.get(type)!];
    }),
  );
}

function reasonFor(reading: GroupReading | undefined): string {
  if (reading === undefined) return '';
  return reading.by === 'opaque' ? 'native' : reading.by === 'hand' ? 'by number' : 'guess';
}
