/**
 * *Plan* for captures: each group whose messages name no type, or contradict the type that an address, a header or a
 * method names, is compared with candidate types. The evidence decides the type of a group, as it does for payloads. Groups
 * that it does not decide get the ranking and its reasons.
 */
import { AbortError, type ReadControl } from '../bytes/source.ts';
import { TypeClassifier, type TypeSource } from './classify-type.ts';
import { type GroupTypes, type TypeLibrary, typeOfGroup } from './group-readings.ts';
import { bodyAt } from './message-body.ts';
import type { MessageGroup } from './message-groups.ts';
import type { MessageStore } from './message-store.ts';
import { isNative } from './native-reading.ts';
import { type Planned, planGroup } from './plan-group.ts';
import { type ReadingPlan, withLeftOut } from './plan-reading.ts';

/** Maximum number of planned groups; the groups with the most bytes are planned. */
const MAX_GROUPS = 64;

/** By group key. */
export type GroupPlans = ReadonlyMap<string, ReadingPlan>;

/**
 * Plans each group by all of its messages in all inputs, selected or not.
 * @param groups of all inputs @param types chosen by the user: such groups need no plan
 */
export async function planGroups(
  stores: Iterable<MessageStore> | AsyncIterable<MessageStore>,
  groups: Iterable<MessageGroup>,
  library: TypeLibrary,
  types: GroupTypes,
  sources: readonly TypeSource[],
  control: ReadControl = {},
): Promise<GroupPlans> {
  const planned = plannedOf(groups, library, types);
  const classifiers = new Map([...planned.keys()].map((key) => [key, new TypeClassifier(sources)]));
  if (classifiers.size === 0) return new Map();
  for await (const store of stores) {
    const { messages } = store;
    const byGroup = messages.groups.all().map(({ key }) => classifiers.get(key)?.sample);
    for (let ordinal = 0; ordinal < messages.length; ordinal++) {
      const sample = byGroup[messages.groupAt(ordinal)];
      if (sample === undefined) continue;
      if (!sample.wantsNext) sample.skip();
      else {
        if (control.signal?.aborted) throw new AbortError();
        sample.add(await bodyAt(store, ordinal, control));
      }
    }
  }
  const plans = new Map<string, ReadingPlan>();
  for (const [key, classifier] of classifiers) {
    const plan = planGroup(classifier, planned.get(key)!, sources);
    if (plan !== null) plans.set(key, withLeftOut(plan, sources));
  }
  return plans;
}

/** The types that evidence decided, by group key; null: it contradicts the named type, or leaves the group open. */
export const decidedBy = (plans: GroupPlans): GroupTypes =>
  Object.fromEntries([...plans].map(([key, { type }]) => [key, type]));

/** The named types that messages contradict, by group key. */
export const contradictedBy = (plans: GroupPlans): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...plans].flatMap(([key, { contradicted }]) => (contradicted === undefined ? [] : [[key, contradicted]])),
  );

/**
 * The groups that need a plan, most bytes first, by key: those whose messages name no type, and those whose named type
 * a schema has.
 */
function plannedOf(
  groups: Iterable<MessageGroup>,
  library: TypeLibrary,
  types: GroupTypes,
): ReadonlyMap<string, Planned> {
  const found = new Map<string, Planned & { bytes: number }>();
  for (const group of groups) {
    if (isNative(group) || types[group.key] !== undefined) continue;
    const named = typeOfGroup(library, group, {}, {});
    if (named === undefined && group.typeHint !== null) continue;
    const bytes = (found.get(group.key)?.bytes ?? 0) + group.bytes;
    found.set(group.key, { format: group.format, typeHint: group.typeHint, named, bytes });
  }
  return new Map([...found].sort(([, a], [, b]) => b.bytes - a.bytes).slice(0, MAX_GROUPS));
}
