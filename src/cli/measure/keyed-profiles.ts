/** Profiles by key and type, added up one by one. */
import { mergeProfiles } from '#engine/cost/merge-profiles.ts';
import { PROTOBUF, type Profile, totalIn } from '#engine/cost/profile.ts';

export class KeyedProfiles {
  readonly #byKey = new Map<string, Map<string, Profile>>();

  enter(key: string, profile: Profile): void {
    const profiles = this.#byKey.get(key) ?? new Map<string, Profile>();
    this.#byKey.set(key, profiles);
    const id = `${profile.pair.join(' ')} ${profile.type}`;
    const known = profiles.get(id);
    profiles.set(id, known === undefined ? profile : mergeProfiles(known, profile));
  }

  /** Sorted by key; within a key, most protobuf bytes first. The order of entry does not matter. */
  list(): readonly (readonly [key: string, profiles: readonly Profile[]])[] {
    return [...this.#byKey]
      .sort(([a], [b]) => order(a, b))
      .map(([key, profiles]) => [
        key,
        [...profiles]
          .sort(([idA, a], [idB, b]) => totalIn(b, PROTOBUF) - totalIn(a, PROTOBUF) || order(idA, idB))
          .map(([, profile]) => profile),
      ]);
  }
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
