/**
 * The plan: how the messages of an input will be read, and why. It is plain data. The page shows it, and the command
 * line prints it (`--explain`).
 */
import type { MessageDescriptor, Registry } from '../schema/descriptor.ts';
import { inferDescriptor } from '../wire/infer-descriptor.ts';
import { type Classification, explainRank, type TypeClassifier, type TypeSource } from './classify-type.ts';
import { SpreadSample } from './spread-sample.ts';

/** A type that was compared. */
export interface PlanCandidate {
  readonly type: string;
  /** Share of the sampled bytes that have a field in it which fits, 0 to 1. */
  readonly score: number;
  readonly reason: string;
}

export interface ReadingPlan {
  /** Full name; null: by field numbers, nested as far as the bytes show. */
  readonly type: string | null;
  /** `chosen`: by hand. `by number`: no type was wanted. Else what the evidence says. */
  readonly why: 'chosen' | 'by number' | Classification['verdict'];
  /** The messages are text: without a type, they are shown by their own names. */
  readonly isText?: true;
  /** Types that read the messages in the same way; of `alike`, all of them. */
  readonly twins: readonly string[];
  /** Best first. */
  readonly candidates: readonly PlanCandidate[];
  /** Types and messages that were compared. */
  readonly compared: { readonly types: number; readonly messages: number };
}

/**
 * Types that no bytes are compared with: layouts of what OpenSearch and Kafka write natively, and the messages of
 * OpenSearch's API, which a call's path names.
 */
const NOT_COMPARED = ['org.opensearch.stream.', 'org.opensearch.protobufs.', 'org.apache.kafka.'];

/** The types that ship with the app, as candidates. */
export const bundledSource = (registry: Registry): Required<TypeSource> => ({
  registry,
  isBundled: true,
  isOffered: ({ fullName }) => !NOT_COMPARED.some((name) => fullName.startsWith(name)),
});

const SHOWN_CANDIDATES = 20;

export const planReading = (classifier: TypeClassifier): ReadingPlan => planOf(classifier.classify());

export function planOf({ verdict, type, twins, ranking, candidates, messages }: Classification): ReadingPlan {
  return {
    type: type?.fullName ?? null,
    why: verdict,
    twins: twins.map(({ fullName }) => fullName),
    candidates: ranking
      .slice(0, SHOWN_CANDIDATES)
      .map((one) => ({ type: one.type.fullName, score: one.share, reason: explainRank(one) })),
    compared: { types: candidates, messages },
  };
}

/** The plan without a comparison: the caller named the type of the messages. */
export const planChosen = (type: MessageDescriptor | null): ReadingPlan => ({
  type: type?.fullName ?? null,
  why: type === null ? 'by number' : 'chosen',
  twins: [],
  candidates: [],
  compared: { types: 0, messages: 0 },
});

/** Messages that a type is guessed from, and bytes of all of them. */
const GUESSED_MESSAGES = 256;
const GUESSED_BYTES = 8 << 20;

export const guessSample = (): SpreadSample => new SpreadSample(GUESSED_MESSAGES, GUESSED_BYTES);

/** A type by field numbers, guessed from a sample. */
export const guessFrom = (sample: SpreadSample): MessageDescriptor =>
  inferDescriptor(sample.kept.map(({ bytes }) => bytes));
