/**
 * A partial profile: one line of JSON with a key and the cost of some messages of one type. Any number of them merge
 * exactly into the profile of all their messages. It has the versions of links (`upgrades.ts`), so that a newer version
 * of the tool merges the output of an older one. docs/partial-profiles.md
 */
import * as v from 'valibot';
import type { Profile } from '#engine/cost/profile.ts';
import type { Json } from './columns.ts';
import { packProfile, unpackProfile } from './pack-profile.ts';
import { SHARED_PROFILE } from './shared-profile.ts';
import { upgrade, VERSION } from './upgrades.ts';

export interface PartialProfile {
  /** An hour, a file, or a user's choice; partial profiles of one key and type are added up. */
  readonly key: string;
  readonly profile: Profile;
}

const MARK = 'wirecost';
const KIND = 'partial profile';

/** Without a line end. */
export const printPartial = ({ key, profile }: PartialProfile): string =>
  JSON.stringify({
    [MARK]: KIND,
    version: VERSION,
    key,
    profile: packProfile(profile as unknown as Readonly<Record<string, Json>>),
  });

const LINE = v.object({
  [MARK]: v.literal(KIND),
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
  key: v.string(),
  profile: v.unknown(),
});

/** A string describes the fault of the line. */
export function readPartial(line: string): PartialProfile | string {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return 'it is not JSON';
  }
  const read = v.safeParse(LINE, json);
  if (!read.success) return 'it is not a partial profile';
  const { version, key, profile: packed } = read.output;
  if (version > VERSION) return `it is of version ${version}; this tool reads versions up to ${VERSION}`;
  const unpacked = unpackProfile(packed);
  if (unpacked === undefined) return 'its fields cannot be read';
  const current = upgrade({ data: { kind: 'profile', profile: unpacked } }, version);
  const checked = v.safeParse(v.object({ data: v.object({ profile: SHARED_PROFILE }) }), current, { abortEarly: true });
  return checked.success ? { key, profile: checked.output.data.profile } : checked.issues[0].message;
}
