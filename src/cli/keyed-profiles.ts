/** Profiles by key and type, added up as they come. */
import { mergeProfiles } from '#engine/cost/merge-profiles.ts';
import type { Profile } from '#engine/cost/profile.ts';

export class KeyedProfiles {
  readonly #byKey = new Map<string, Map<string, Profile>>();

  enter(key: string, profile: Profile): void {
    const profiles = this.#byKey.get(key) ?? new Map<string, Profile>();
    this.#byKey.set(key, profiles);
    const id = `${profile.nativeProfile ?? ''} ${profile.type}`;
    const known = profiles.get(id);
    profiles.set(id, known === undefined ? profile : mergeProfiles(known, profile));
  }

  /** In the order of their keys; of a key, most protobuf bytes first. However they were entered, the order is the same. */
  list(): readonly (readonly [key: string, profiles: readonly Profile[]])[] {
    return [...this.#byKey]
      .sort(([a], [b]) => order(a, b))
      .map(([key, profiles]) => [
        key,
        [...profiles]
          .sort(([idA, a], [idB, b]) => b.bytes.protobuf - a.bytes.protobuf || order(idA, idB))
          .map(([, profile]) => profile),
      ]);
  }
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
