/** The page's choice of a native profile → its rules. */

import { typeNamed } from '#engine/analysis/plan/group-readings.ts';
import { isNative } from '#engine/analysis/plan/native-reading.ts';
import { defaultProfile } from '#engine/native/default-profile.ts';
import { NATIVE_PROFILES, type NativeProfile, SCHEMA_LAYOUT_PROFILE } from '#engine/native/profiles.ts';
import { type Session, sessionLibrary } from './session-state.ts';

/**
 * @param id null: nothing was chosen. An unknown id gives the first profile @param type full name of the messages' type;
 * null: they have none, or several
 */
export function nativeProfileOf(session: Session, id: string | null, type: string | null): NativeProfile {
  if (id !== null) return profileOf(id);
  return defaultProfile(holdsNative(session), type === null ? null : typeNamed(sessionLibrary(session), type));
}

/** Shows layouts of any types: where a schema has no options, they are as OpenSearch usually writes. */
export const layoutProfileOf = (id: string | null): NativeProfile =>
  id === null ? SCHEMA_LAYOUT_PROFILE : profileOf(id);

const profileOf = (id: string): NativeProfile =>
  NATIVE_PROFILES.find((profile) => profile.id === id) ?? NATIVE_PROFILES[0]!;

/** Whether some messages of the open input were captured in a native layout. */
export const holdsNative = ({ input }: Session): boolean => input?.messages.groups.all().some(isNative) ?? false;
