/** Messages that are sampled one by one → the plan of reading them as one type. */
import { AbortError, type ReadControl } from '../../bytes/source.ts';
import { FRAMINGS } from '../../frame/framing/framings.ts';
import { needed } from '../../model/needed-file.ts';
import { type Classification, MIN_SHARE, TypeClassifier, type TypeSource } from '../evidence/classify-type.ts';
import { TextSamples } from '../evidence/text-samples.ts';
import { bodyAt } from '../store/message-body.ts';
import type { MessageStore } from '../store/message-store.ts';
import { isNative } from './native-reading.ts';
import { planOf, type ReadingPlan, withLeftOut } from './plan-reading.ts';

/**
 * Native messages are skipped, because their actions name their types. Texts are planned if they outnumber protobuf
 * messages, and protobuf messages otherwise.
 */
export class PlanSample {
  readonly #sources: readonly TypeSource[];
  readonly #classifier: TypeClassifier;
  readonly #texts = new TextSamples();
  readonly #named = new Set<string | undefined>();
  readonly #places = new Set<string | undefined>();

  constructor(sources: readonly TypeSource[]) {
    this.#sources = sources;
    this.#classifier = new TypeClassifier(sources);
  }

  async add(store: MessageStore, ordinal: number, control: ReadControl): Promise<void> {
    const group = store.messages.groups.at(store.messages.groupAt(ordinal));
    if (isNative(group)) return;
    this.#places.add(group.typePlace);
    this.#named.add(group.typeHint ?? FRAMINGS.find(({ id }) => id === group.transport)?.type);
    const sample = group.format === undefined ? this.#classifier.sample : this.#texts.of(group.format);
    if (!sample.wantsNext) sample.skip();
    else {
      if (control.signal?.aborted) throw new AbortError();
      sample.add(await bodyAt(store, ordinal, control));
    }
  }

  /** The types that envelopes or framings name. */
  get named(): readonly string[] {
    return [...this.#named].filter((name) => name !== undefined);
  }

  async plan(): Promise<ReadingPlan> {
    const [sources, classifier] = [this.#sources, this.#classifier];
    const { most } = this.#texts;
    if (most === null || most.sample.seen <= classifier.sample.seen) {
      const placed = await asPlaced(classifier, this.#places, sources);
      return withLeftOut(placed ?? asNamed(classifier.classify(), this.#named), sources);
    }
    const { classifyText } = await needed(() => import('../evidence/classify-text.ts'));
    return withLeftOut(classifyText(sources, most.sample, most.format), sources);
  }
}

/**
 * Where all messages state one place of their type, the type there needs no more evidence than to fit; if the places of
 * several files fit, only their types are compared. null: none fits, so the loaded files are not laid out as the registry's.
 */
async function asPlaced(
  { sample }: TypeClassifier,
  places: ReadonlySet<string | undefined>,
  sources: readonly TypeSource[],
): Promise<ReadingPlan | null> {
  const [place] = places;
  if (places.size !== 1 || place === undefined) return null;
  const { sourcesAt } = await needed(() => import('../evidence/types-at.ts'));
  const found = new TypeClassifier(sourcesAt(place, sources), sample).classify();
  const ranking = found.ranking.filter(({ share }) => share >= MIN_SHARE);
  if (ranking.length === 0) return null;
  return planOf(ranking.length > 1 ? { ...found, ranking } : asserted(found, ranking));
}

/** A type that the framing or the envelope names for all messages needs no more evidence than to fit. */
function asNamed(found: Classification, names: ReadonlySet<string | undefined>): ReadingPlan {
  const [name] = names;
  const one = names.size === 1 ? found.ranking.find(({ type }) => type.fullName === name) : undefined;
  if (one === undefined || one.share < MIN_SHARE) return planOf(found);
  const ranking = [one, ...found.ranking.filter((other) => other !== one)];
  return planOf(asserted(found, ranking));
}

/** The first type is the one. */
const asserted = (found: Classification, ranking: Classification['ranking']): Classification => ({
  ...found,
  verdict: 'asserted',
  type: ranking[0]!.type,
  twins: [],
  isBundled: false,
  ranking,
});
