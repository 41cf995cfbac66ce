/**
 * *Plan* for captures: each group whose messages name no type is compared with candidate types. The evidence decides
 * the type of a group, as it does for payloads. Groups that it does not decide get the ranking and its reasons.
 */
import { AbortError, type ReadControl } from '../bytes/source.ts';
import { needed } from '../model/needed-file.ts';
import { TypeClassifier, type TypeSource } from './classify-type.ts';
import { type GroupTypes, type TypeLibrary, typeOfGroup } from './group-readings.ts';
import { bodyAt } from './message-body.ts';
import type { MessageStore } from './message-store.ts';
import { isNative } from './native-reading.ts';
import { planOf, type ReadingPlan } from './plan-reading.ts';

/** Maximum number of planned groups; the groups with the most bytes are planned. */
const MAX_GROUPS = 64;

/** By group key. */
export type GroupPlans = ReadonlyMap<string, ReadingPlan>;

/**
 * Plans each group by all of its messages in all inputs, selected or not.
 * @param types chosen by the user: such groups need no plan
 */
export async function planGroups(
  stores: readonly MessageStore[],
  library: TypeLibrary,
  types: GroupTypes,
  sources: readonly TypeSource[],
  control: ReadControl = {},
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
        if (control.signal?.aborted) throw new AbortError();
        sample.add(await bodyAt(store, ordinal, control));
      }
    }
  }
  const formats = new Map(
    stores.flatMap(({ messages }) =>
      messages.groups.all().flatMap(({ key, format }) => (format === undefined ? [] : [[key, format] as const])),
    ),
  );
  const { classifyText } =
    formats.size === 0 ? { classifyText: null } : await needed(() => import('./classify-text.ts'));
  return new Map(
    [...classifiers].map(([key, classifier]) => {
      const format = formats.get(key);
      const isText = classifyText !== null && format !== undefined;
      return [key, isText ? classifyText(sources, classifier.sample, format) : planOf(classifier.classify(true))];
    }),
  );
}

/** The types that evidence decided, by group key. */
export const decidedBy = (plans: GroupPlans): GroupTypes =>
  Object.fromEntries([...plans].flatMap(([key, { type }]) => (type === null ? [] : [[key, type]])));

/**
 * Keys of the groups that need a plan, most bytes first. A group whose messages name a type needs no plan, even if no
 * schema has the type.
 */
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
    .slice(0, MAX_GROUPS)
    .map(([key]) => key);
}
