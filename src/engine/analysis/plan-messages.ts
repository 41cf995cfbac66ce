/** *Plan*: compares the selected messages of inputs with candidate types. */
import { AbortError, type ReadControl } from '../bytes/source.ts';
import { FRAMINGS } from '../frame/framing/framings.ts';
import { needed } from '../model/needed-file.ts';
import { TypeClassifier, type TypeSource } from './classify-type.ts';
import { bodyAt } from './message-body.ts';
import type { Selected } from './messages-run.ts';
import { isNative } from './native-reading.ts';
import { planReading, type ReadingPlan, withLeftOut } from './plan-reading.ts';
import { TextSamples } from './text-samples.ts';

/**
 * Native messages are skipped, because their actions name their types. Texts are planned if they outnumber protobuf
 * messages, and protobuf messages otherwise.
 */
export async function planMessages(
  selected: Iterable<Selected> | AsyncIterable<Selected>,
  sources: readonly TypeSource[],
  control: ReadControl = {},
): Promise<ReadingPlan> {
  const classifier = new TypeClassifier(sources);
  const texts = new TextSamples();
  const named = new Set<string | undefined>();
  for await (const { store, ordinals } of selected) {
    const { groups } = store.messages;
    for (const ordinal of ordinals) {
      const group = groups.at(store.messages.groupAt(ordinal));
      if (isNative(group)) continue;
      named.add(FRAMINGS.find(({ id }) => id === group.transport)?.type);
      const sample = group.format === undefined ? classifier.sample : texts.of(group.format);
      if (!sample.wantsNext) sample.skip();
      else {
        if (control.signal?.aborted) throw new AbortError();
        sample.add(await bodyAt(store, ordinal, control));
      }
    }
  }
  const most = texts.most;
  if (most === null || most.sample.seen <= classifier.sample.seen)
    return withLeftOut(asNamed(planReading(classifier), named), sources);
  const { classifyText } = await needed(() => import('./classify-text.ts'));
  return withLeftOut(classifyText(sources, most.sample, most.format), sources);
}

/** A type that the framing names for all messages needs no more evidence than to fit best. */
function asNamed(plan: ReadingPlan, names: ReadonlySet<string | undefined>): ReadingPlan {
  const [name] = names;
  const isBest = name !== undefined && names.size === 1 && name === plan.candidates[0]?.type;
  return isBest && plan.type === null ? { ...plan, type: name, why: 'asserted', twins: [] } : plan;
}
