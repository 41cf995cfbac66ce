/** *Plan*: compares the selected messages of inputs with candidate types. */
import type { ReadControl } from '../../bytes/source.ts';
import { needed } from '../../model/needed-file.ts';
import type { TypeSource } from '../evidence/classify-type.ts';
import type { Selected } from '../messages-run.ts';
import type { ReadingPlan } from './plan-reading.ts';
import { PlanSample } from './plan-sample.ts';

/**
 * All messages are read as one type. If it does not fit every byte, or if they name several types, messages of payloads
 * are compared file by file, too.
 * @param selected is gone through twice if there are several files
 */
export async function planMessages(
  selected: Iterable<Selected> | AsyncIterable<Selected>,
  sources: readonly TypeSource[],
  control: ReadControl = {},
): Promise<ReadingPlan> {
  const sample = new PlanSample(sources);
  let files = 0;
  for await (const { store, ordinals } of selected) {
    let file = -1;
    for (const ordinal of ordinals) {
      const next = store.messages.flowAt(ordinal);
      if (next !== file) files++;
      file = next;
      await sample.add(store, ordinal, control);
    }
  }
  const plan = await sample.plan();
  const isWhole = plan.type !== null && plan.candidates[0]?.score === 1;
  if (files < 2 || (isWhole && sample.named.length < 2)) return plan;
  const { findUnlike } = await needed(() => import('./unlike-files.ts'));
  const unlike = await findUnlike(selected, files, sources, control);
  return unlike === null ? plan : { ...plan, unlike };
}
