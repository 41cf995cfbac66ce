/** Groups of messages → the types that their messages are read as. */
import { ownType } from '#engine/analysis/assign-type.ts';
import { isNative } from '#engine/analysis/native-reading.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import type { GroupReading, GroupTypes, MessageGroup } from './input-api.ts';
import type { Session } from './session-state.ts';

export const typeNamed = ({ schema, bundled }: Session, fullName: string): MessageDescriptor | undefined =>
  schema.registry.messages.get(fullName) ?? bundled.registry.messages.get(fullName);

/** The type of a group: the one decided by hand, else the one its transport names. undefined: none is known. */
export function typeOfGroup(session: Session, group: MessageGroup, types: GroupTypes): MessageDescriptor | undefined {
  if (isNative(group)) return undefined;
  const decided = types[group.key];
  if (decided !== undefined) return decided === null ? undefined : typeNamed(session, decided);
  return ownType(session.schema.registry, group) ?? ownType(session.bundled.registry, group);
}

export function readingOfGroup(session: Session, group: MessageGroup, types: GroupTypes): GroupReading {
  if (isNative(group)) {
    const [candidate] = session.layouts.typesOf({ ...group, status: null });
    return candidate === undefined ? { type: null, by: 'opaque' } : { type: candidate.fullName, by: 'layout' };
  }
  const type = typeOfGroup(session, group, types)?.fullName ?? null;
  if (type === null) return { type, by: types[group.key] === null ? 'hand' : 'guess' };
  return { type, by: types[group.key] === undefined ? 'transport' : 'hand' };
}
