/**
 * *Plan* for captures: each group whose messages name no type, or contradict the type that an address, a header or a
 * method names, is compared with candidate types. The evidence decides the type of a group, as it does for payloads. Groups
 * that it does not decide get the ranking and its reasons.
 */
import { AbortError, type ReadControl } from '../../bytes/source.ts';
import { TypeClassifier, type TypeSource } from '../evidence/classify-type.ts';
import { bodyAt } from '../store/message-body.ts';
import { addGroups, type MessageGroup } from '../store/message-groups.ts';
import type { MessageStore } from '../store/message-store.ts';
import { type GroupTypes, type TypeLibrary, typeOfGroup } from './group-readings.ts';
import { isNative } from './native-reading.ts';
import { type Planned, planGroup } from './plan-group.ts';
import { type ReadingPlan, withLeftOut } from './plan-reading.ts';

/** Maximum number of groups with a plan of their own, and of plans that others share; those with the most bytes. */
const MAX_PLANS = 64;

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
  const toPlan = plannedOf(groups, library, types).map((joined) => ({
    ...joined,
    classifier: new TypeClassifier(sources),
  }));
  if (toPlan.length === 0) return new Map();
  const samples = new Map(toPlan.flatMap(({ keys, classifier }) => keys.map((key) => [key, classifier.sample])));
  for await (const store of stores) {
    const { messages } = store;
    const byGroup = messages.groups.all().map(({ key }) => samples.get(key));
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
  for (const { keys, planned, classifier } of toPlan) {
    const plan = planGroup(classifier, planned, sources);
    if (plan === null) continue;
    const whole = withLeftOut(plan, sources);
    for (const key of keys) plans.set(key, whole);
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

/** Groups that have one plan. */
interface Joined {
  readonly planned: Planned;
  readonly keys: string[];
  bytes: number;
}

/**
 * The groups that need a plan: those whose messages name no type, and those whose named type a schema has. The largest
 * have one each; of the others, those whose paths differ only in ids share one.
 */
function plannedOf(groups: Iterable<MessageGroup>, library: TypeLibrary, types: GroupTypes): readonly Joined[] {
  const sums = new Map<string, MessageGroup>();
  for (const group of groups) sums.set(group.key, addGroups(sums.get(group.key), group));
  const found = [...sums.values()].flatMap((group) => {
    if (isNative(group) || types[group.key] !== undefined) return [];
    const named = typeOfGroup(library, group, {}, {});
    return named === undefined && group.typeHint !== null ? [] : [{ group, named }];
  });
  found.sort((a, b) => b.group.bytes - a.group.bytes);
  const own = found.slice(0, MAX_PLANS).map(({ group, named }) => joinedOf(group, named));
  const shared = new Map<string, Joined>();
  for (const { group, named } of found.slice(MAX_PLANS)) {
    const key = named === undefined ? withoutIds(group) : group.key;
    const known = shared.get(key);
    if (known === undefined) shared.set(key, joinedOf(group, named));
    else {
      known.keys.push(group.key);
      known.bytes += group.bytes;
    }
  }
  return [...own, ...[...shared.values()].sort((a, b) => b.bytes - a.bytes).slice(0, MAX_PLANS)];
}

const joinedOf = ({ key, format, typeHint, method, bytes }: MessageGroup, named: Planned['named']): Joined => ({
  planned: { format, typeHint, method, named },
  keys: [key],
  bytes,
});

/** The key of a group, with `*` for each part of its path that holds a digit: `POST /v1/users/*`. */
function withoutIds({ key, method }: MessageGroup): string {
  return method === null ? key : key.replace(method, (path) => path.replace(ID, '/*'));
}

/** Parts of a path that hold a digit, without versions, and without names of services, which have points. */
const ID = /\/(?!v\d+(?:\/|$))[^/.]*\d[^/.]*(?=\/|$)/g;
