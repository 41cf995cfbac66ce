/**
 * Files that are read together, as inputs or in an archive → those that fit different types, each alone. Read as one
 * type or by number, the figures would mix them.
 */
import { AbortError, type ReadControl } from '../../bytes/source.ts';
import type { TypeSource } from '../evidence/classify-type.ts';
import type { Selected } from '../messages-run.ts';
import type { ReadingPlan, UnlikeFiles } from './plan-reading.ts';
import { PlanSample } from './plan-sample.ts';

/** Files that are compared alone, spread over all. */
const COMPARED_ALONE = 16;

/** @param files their number @returns null: no two of the compared files are of different types */
export async function findUnlike(
  selected: Iterable<Selected> | AsyncIterable<Selected>,
  files: number,
  sources: readonly TypeSource[],
  control: ReadControl,
): Promise<UnlikeFiles | null> {
  const oneIn = Math.ceil(files / COMPARED_ALONE);
  const alone: { readonly input: string; readonly path: string | null; readonly sample: PlanSample }[] = [];
  const inputs = new Set<number>();
  let [at, input] = [0, 0];
  for await (const { store, ordinals } of selected) {
    const { kind, messages, source } = store;
    input++;
    // The flows of captures are connections.
    if (kind === 'capture') continue;
    let file = -1;
    let sample: PlanSample | null = null;
    for (const ordinal of ordinals) {
      const next = messages.flowAt(ordinal);
      if (next !== file) {
        sample = at++ % oneIn === 0 ? new PlanSample(sources) : null;
        if (sample !== null) alone.push({ input: source.name, path: messages.flows.wordOf(next), sample });
        inputs.add(input);
      }
      file = next;
      await sample?.add(store, ordinal, control);
    }
  }
  const found: (Alone & { readonly files: string[] })[] = [];
  for (const { input: name, path, sample } of alone) {
    await control.pause?.();
    if (control.signal?.aborted) throw new AbortError();
    const plan = await sample.plan();
    if (plan.why !== 'asserted') continue;
    const file = path === null ? name : inputs.size > 1 ? `${name}/${path}` : path;
    const isNamed = plan.type !== null && sample.named.includes(plan.type);
    const like = found.find((one) => fits({ plan, isNamed }, one.plan.type) || fits(one, plan.type));
    if (like === undefined) found.push({ plan, isNamed, files: [file] });
    else like.files.push(file);
  }
  if (found.length < 2) return null;
  return { types: found.map((one) => ({ type: one.plan.type!, files: one.files })), oneIn };
}

/** A file that was compared alone. */
interface Alone {
  readonly plan: ReadingPlan;
  /** An envelope around its messages names the type, so they are of no other. */
  readonly isNamed: boolean;
}

/** Whether the messages of a file may be of this type, too. */
const fits = ({ plan: { type, twins, candidates }, isNamed }: Alone, other: string | null): boolean =>
  type === other ||
  (!isNamed && candidates.some((one) => one.type === other && (one.score === 1 || twins.includes(one.type))));
