/** The page's choice of a native profile → its rules. */
import { isNative } from '#engine/analysis/native-reading.ts';
import { NATIVE_PROFILES, type NativeProfile, SCHEMA_LAYOUT_PROFILE } from '#engine/native/profiles.ts';
import type { Session } from './session-state.ts';

/**
 * @param id null: nothing was chosen. Then native messages are as their schema lays them out, and all others as
 * OpenSearch usually writes. An unknown id gives the latter, too.
 */
export function nativeProfileOf(session: Session, id: string | null): NativeProfile {
  if (id === null && holdsNative(session)) return SCHEMA_LAYOUT_PROFILE;
  return NATIVE_PROFILES.find((profile) => profile.id === id) ?? NATIVE_PROFILES[0]!;
}

/** Whether some messages of the open input were captured in a native layout. */
export const holdsNative = ({ input }: Session): boolean => input?.messages.groups.all().some(isNative) ?? false;
