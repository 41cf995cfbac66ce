/**
 * *Plan*, of captures: each group whose messages name no type, held against the types that may be theirs. What the
 * evidence decides is their type, as it is of payloads; of the others there are the ranking and its reasons.
 */
import { AbortError, type ReadControl } from '../bytes/source.ts';
import { TypeClassifier, type TypeSource } from './classify-type.ts';
import { type GroupTypes, type TypeLibrary, typeOfGroup } from './group-readings.ts';
import { bodyAt } from './message-body.ts';
import type { MessageStore } from './message-store.ts';
import { isNative } from './native-reading.ts';
import { planOf, type ReadingPlan } from './plan-reading.ts';

/** Groups that are planned, those with the most bytes. */
const MOST_GROUPS = 64;

/** By group key. */
export type GroupPlans = ReadonlyMap<string, ReadingPlan>;

/**
 * Of all messages of a group in all inputs, whichever of them are looked at.
 * @param types decided by hand: such groups need no plan
 */
export async function planGroups(
  stores: readonly MessageStore[],
  library: TypeLibrary,
  types: GroupTypes,
  sources: readonly TypeSource[],
  { signal }: ReadControl = {},
): Promise<GroupPlans> {
  const classifiers = new Map(keysOf(stores, library, types).map((key) => [key, new TypeClassifier(sources)]));
  if (classifiers.size === 0) return new Map();
  for (const store of stores) {
    const { messages } = store;
    const byGroup = messages.groups.all().map(({ key }) => classifiers.get(key)?.sample);
    for (let ordinal = 0; ordinal < messages.length; ordinal++) {
      const sample = byGroup[messages.groupAt(ordinal)];
      if (sample === undefined) continue;
      if (!sample.wantsNext) sample.skip();
      else {
        if (signal?.aborted) throw new AbortError();
        sample.add(await bodyAt(store, ordinal));
      }
    }
  }
  return new Map([...classifiers].map(([key, classifier]) => [key, planOf(classifier.classify(true))]));
}

/** What the evidence decides. */
export const decidedBy = (plans: GroupPlans): GroupTypes =>
  Object.fromEntries([...plans].flatMap(([key, { type }]) => (type === null ? [] : [[key, type]])));

/** Of the groups that need a plan, most bytes first. A type that the transport names and no schema has is no other one. */
function keysOf(stores: readonly MessageStore[], library: TypeLibrary, types: GroupTypes): readonly string[] {
  const bytes = new Map<string, number>();
  for (const { messages } of stores) {
    for (const group of messages.groups.all()) {
      const isNamed = isNative(group) || group.typeHint !== null || types[group.key] !== undefined;
      if (isNamed || typeOfGroup(library, group, types, {}) !== undefined) continue;
      bytes.set(group.key, (bytes.get(group.key) ?? 0) + group.bytes);
    }
  }
  return [...bytes]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_GROUPS)
    .map(([key]) => key);
}
