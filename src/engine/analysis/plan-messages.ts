/** *Plan*: the selected messages of inputs held against the types that may be theirs. */
import { AbortError, type ReadControl } from '../bytes/source.ts';
import { TypeClassifier, type TypeSource } from './classify-type.ts';
import { bodyAt } from './message-body.ts';
import { isNative } from './native-reading.ts';
import { planReading, type ReadingPlan } from './plan-reading.ts';
import type { Selected } from './run-messages.ts';

/** Native messages are left aside: their actions name their types. */
export async function planMessages(
  selected: readonly Selected[],
  sources: readonly TypeSource[],
  { signal }: ReadControl = {},
): Promise<ReadingPlan> {
  const classifier = new TypeClassifier(sources);
  const { sample } = classifier;
  for (const { store, ordinals } of selected) {
    const { groups } = store.messages;
    for (const ordinal of ordinals) {
      if (isNative(groups.at(store.messages.groupAt(ordinal)))) continue;
      if (!sample.wantsNext) sample.skip();
      else {
        if (signal?.aborted) throw new AbortError();
        sample.add(await bodyAt(store, ordinal));
      }
    }
  }
  return planReading(classifier);
}
