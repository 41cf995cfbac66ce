/**
 * The plan: how the messages of an input will be read, and why. It is plain data. The page shows it, and the command
 * line prints it (`--explain`).
 */
import type { MessageDescriptor, Registry } from '../../schema/descriptor.ts';
import { inferDescriptor } from '../../wire/infer-descriptor.ts';
import { type Classification, explainRank, type TypeSource } from '../evidence/classify-type.ts';
import { SpreadSample } from '../measure/spread-sample.ts';

/** A type that was compared. */
export interface PlanCandidate {
  readonly type: string;
  /** Share of the sampled bytes that belong to a field that fits, 0 to 1. */
  readonly score: number;
  readonly reason: string;
}

/** At least two types, with the names of their files. */
export interface UnlikeFiles {
  readonly types: readonly { readonly type: string; readonly files: readonly string[] }[];
  /** One file in this number was compared alone. */
  readonly oneIn: number;
}

export interface ReadingPlan {
  /** Full name; null: messages are read by field numbers and nested as far as the bytes show. */
  readonly type: string | null;
  /** `chosen`: by the user. `by number`: the user wanted no type. The others are verdicts of the evidence. */
  readonly why: 'chosen' | 'by number' | Classification['verdict'];
  /** The type that their address, header or method names, if the messages contradict it. */
  readonly contradicted?: string;
  /** The messages are text. Without a type, they are shown with their own names. */
  readonly isText?: true;
  /** Types that read the messages in the same way. For `alike`, all such types. */
  readonly twins: readonly string[];
  /** The type ships with the app although other types are loaded: none of them fits as well. */
  readonly isBundled?: true;
  /** Best first. */
  readonly candidates: readonly PlanCandidate[];
  /** Full names of loaded types that were not compared, because errors of the schema touch them. */
  readonly leftOut?: readonly string[];
  /** Files that fit different types, each alone: the figures mix them. */
  readonly unlike?: UnlikeFiles;
  /** Number of types and messages that were compared. */
  readonly compared: { readonly types: number; readonly messages: number };
}

/**
 * Types that are never candidates: layouts of OpenSearch's and Kafka's native formats, and messages of OpenSearch's
 * API and of gRPC's own services, which the path of a call names.
 */
const NOT_COMPARED = ['org.opensearch.stream.', 'org.opensearch.protobufs.', 'org.apache.kafka.', 'grpc.', 'xds.'];

/** The types that ship with the app, as candidates. */
export const bundledSource = (registry: Registry) =>
  ({
    registry,
    isBundled: true,
    isNameOffered: (fullName: string) => !NOT_COMPARED.some((name) => fullName.startsWith(name)),
  }) satisfies TypeSource;

/** Types that a plan lists. */
export const SHOWN_CANDIDATES = 20;

export function planOf({
  verdict,
  type,
  twins,
  isBundled,
  ranking,
  candidates,
  messages,
}: Classification): ReadingPlan {
  return {
    type: type?.fullName ?? null,
    why: verdict,
    twins: twins.map(({ fullName }) => fullName),
    ...(isBundled ? { isBundled } : {}),
    candidates: ranking
      .slice(0, SHOWN_CANDIDATES)
      .map((one) => ({ type: one.type.fullName, score: one.share, reason: explainRank(one) })),
    compared: { types: candidates, messages },
  };
}

/** The plan, with the types of its sources that were left out of the comparison. */
export function withLeftOut(plan: ReadingPlan, sources: readonly TypeSource[]): ReadingPlan {
  const leftOut = sources.flatMap(({ faults, isOffered = () => true }) =>
    [...(faults?.touched() ?? [])]
      .filter((type) => !type.isMapEntry && isOffered(type))
      .map(({ fullName }) => fullName),
  );
  return leftOut.length === 0 ? plan : { ...plan, leftOut };
}

/** The plan without a comparison, for a type that the caller named. */
export const planChosen = (type: MessageDescriptor | null): ReadingPlan => ({
  type: type?.fullName ?? null,
  why: type === null ? 'by number' : 'chosen',
  twins: [],
  candidates: [],
  compared: { types: 0, messages: 0 },
});

/** Limits of the sample for a guess: messages, and bytes in total. */
const GUESSED_MESSAGES = 256;
const GUESSED_BYTES = 8 << 20;

export const guessSample = (): SpreadSample => new SpreadSample(GUESSED_MESSAGES, GUESSED_BYTES);

/** A type made from field numbers, guessed from a sample. */
export const guessFrom = (sample: SpreadSample): MessageDescriptor =>
  inferDescriptor(sample.kept.map(({ bytes }) => bytes));
