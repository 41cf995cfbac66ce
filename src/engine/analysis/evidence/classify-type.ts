/**
 * Sampled messages and candidate types → the one type that the messages are of, or none, with the ranking and reasons.
 *
 * A type is asserted on evidence only. Three conditions must hold: the bits for it exceed the bits against it by more
 * than chance gives among the candidates; no field contradicts it; and no type that reads the bytes differently has
 * nearly as many bits. docs/type-evidence.md: what counts, and how often it is right.
 */
import { latin1 } from '../../bytes/latin1.ts';
import { countText } from '../../model/count-text.ts';
import { fieldsOf, type MessageDescriptor, type Registry } from '../../schema/descriptor.ts';
import type { SchemaFaults } from '../../schema/faults.ts';
import { SpreadSample } from '../measure/spread-sample.ts';
import { versionOf } from '../version-of.ts';
import { EVIDENCE, EVIDENCE_IDS, type EvidenceId } from './type-evidence.ts';
import { TypeReading } from './type-reading.ts';

/** Types that messages may be of. */
export interface TypeSource {
  readonly registry: Registry;
  /** Shipped with the app. If two types are equivalent, the loaded one is preferred to the bundled one. */
  readonly isBundled?: boolean;
  readonly isOffered?: (type: MessageDescriptor) => boolean;
  /** Types that errors touch are not compared, because they may read messages wrongly. */
  readonly faults?: SchemaFaults | undefined;
  /** Decides by the name alone, so that other types are not read. */
  readonly isNameOffered?: (fullName: string) => boolean;
}

export interface RankedType {
  readonly type: MessageDescriptor;
  readonly isBundled: boolean;
  /** Bits for the type minus bits against it. The ranking is ordered by it. */
  readonly bits: number;
  /** Share of the bytes that belong to a field that fits, 0 to 1. */
  readonly share: number;
  readonly contradictions: number;
  /** The evidence against the type, with the number of occurrences. */
  readonly found: Readonly<Partial<Record<EvidenceId, number>>>;
}

export interface Classification {
  /**
   * `asserted`: the messages are of `type`. `presumed`: they fit it, and its schema of a few types was probably written
   * for them, but messages of other types may look the same. `alike`: several types read them in the same way, or have nearly as many
   * bits; if all have one name and read them in the same way, `type` is that of the newest package. `short`,
   * `unproven`: the first type fits, but the evidence for it is too weak, because the messages have too few bytes, or
   * because other types' messages may look the same. `none`: nothing fits.
   */
  readonly verdict: 'asserted' | 'presumed' | 'alike' | 'short' | 'unproven' | 'none';
  /** The type that the messages are shown as. */
  readonly type: MessageDescriptor | undefined;
  /** Other types that read the messages in the same way, with the same names. */
  readonly twins: readonly MessageDescriptor[];
  /** Whether `type` ships with the app although other types are loaded: none of them fits as well. */
  readonly isBundled: boolean;
  /** Best first, without the types that have no evidence for them. If the verdict is `none`, by share. */
  readonly ranking: readonly RankedType[];
  /** Number of candidates, and number of messages that they were compared with. */
  readonly candidates: number;
  readonly messages: number;
}

/** Limits of the sample that types are compared with: messages, and bytes in total. */
const SAMPLE_MESSAGES = 50;
const SAMPLE_BYTES = 1 << 20;
/** Every type is tried on this many messages; the best ones are then tried on the whole sample. */
const TRIAL_MESSAGES = 8;
const TRIAL_BYTES = 4096;
const LEADERS = 40;
/**
 * Maximum number of bytes that further types read which nothing contradicted, as the trial is too short to rank them, or
 * which explain most bytes.
 */
const FURTHER_BYTES = 64 << 20;

/** Bits required beyond chance: odds of 2^12 to one, because the bits of one message are not independent. */
export const MIN_MARGIN = 12;
/**
 * Additional bits required of a type that other messages contain and that no service uses: such types are rarely sent
 * alone.
 */
export const HELD_BITS = 6;
/** Bits required between a type and the next one that reads the messages differently. */
export const MIN_LEAD = 4;
/**
 * A schema with at most this many types was probably written for the messages. A type of it is presumed without further
 * bits if it explains every byte, has some bits (packed runs do not count against it) and no other type comes near.
 */
export const FEW_TYPES = 8;
/**
 * Fewer bytes are too few for most types: about 30 bits are required, and a field of three bytes gives one or two.
 * With more bytes, weak evidence has other reasons.
 */
const FEW_BYTES = 64;

/** The type that fits best is not asserted, because it has too few bits. */
export const weakVerdict = (messages: readonly { readonly bytes: Uint8Array }[]): 'short' | 'unproven' =>
  messages.reduce((sum, { bytes }) => sum + bytes.length, 0) < FEW_BYTES ? 'short' : 'unproven';

/** A type that explains a smaller share is at best an older version of the right one. */
export const MIN_SHARE = 0.7;

/** Accepts any number of messages, and keeps a sample of them. */
export class TypeClassifier {
  readonly #sources: readonly TypeSource[];
  readonly sample: SpreadSample;

  constructor(sources: readonly TypeSource[], sample = new SpreadSample(SAMPLE_MESSAGES, SAMPLE_BYTES)) {
    this.#sources = sources;
    this.sample = sample;
  }

  typeNamed(fullName: string): MessageDescriptor | undefined {
    for (const { registry } of this.#sources) {
      const type = registry.messages.get(fullName);
      if (type !== undefined) return type;
    }
    return undefined;
  }

  /**
   * @param isOfGroup the messages are one group of a capture, so a small schema may belong to another group
   * @param sampled messages of the sample
   */
  classify(isOfGroup = false, sampled = this.sample.kept): Classification {
    const kept = sampled.filter(({ bytes }) => bytes.length > 0);
    const samples = distinct(kept);
    const bundled = new Set<MessageDescriptor>();
    const candidates = candidatesOf(this.#sources, bundled).map((type) => new TypeReading(type));
    const isTrialAll = samples.length <= TRIAL_MESSAGES && samples.every(({ bytes }) => bytes.length <= TRIAL_BYTES);
    for (const { bytes, isCut } of samples.slice(0, TRIAL_MESSAGES)) {
      const head = bytes.subarray(0, TRIAL_BYTES);
      for (const candidate of candidates) candidate.add(head, isCut || head.length < bytes.length);
    }
    const further = FURTHER_BYTES / samples.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const tried = standingsOf(candidates, this.#sources, bundled);
    const leaders = isTrialAll
      ? tried
      : standingsOf(
          tried
            .filter((one, at) => at < LEADERS || (at < further && (isFlawless(one) || one.ranked.share >= MIN_SHARE)))
            .map(({ ranked }) => {
              const reading = new TypeReading(ranked.type);
              for (const { bytes, isCut } of samples) reading.add(bytes, isCut);
              return reading;
            }),
          this.#sources,
          bundled,
        );
    const loaded = candidates.length - bundled.size;
    const weak = weakVerdict(samples);
    // Every type fits messages without bytes.
    const judged =
      samples.length === 0
        ? { verdict: weak, ...NO_TYPE }
        : judge(leaders, candidates.length, isOfGroup ? 0 : loaded, weak);
    const ranking = leaders.map(({ ranked }) => ranked).filter(({ share }) => share > 0);
    return {
      ...judged,
      isBundled: loaded > 0 && judged.type !== undefined && bundled.has(judged.type),
      // Where nothing fits, a type that explains more bytes is of more use than one with less against it.
      ranking: judged.verdict === 'none' ? ranking.sort((a, b) => b.share - a.share) : ranking,
      candidates: candidates.length,
      messages: kept.length,
    };
  }
}

/** For messages that are already in memory. */
export function classifyType(sources: readonly TypeSource[], messages: Iterable<Uint8Array>): Classification {
  const classifier = new TypeClassifier(sources);
  for (const message of messages) classifier.sample.add(message);
  return classifier.classify();
}

/** If several sources have a type of the same name, the first source wins. */
export function candidatesOf(
  sources: readonly TypeSource[],
  bundled: Set<MessageDescriptor>,
): readonly MessageDescriptor[] {
  const byName = new Map<string, MessageDescriptor>();
  for (const source of sources) {
    const { isBundled = false } = source;
    for (const type of comparedTypes(source)) {
      if (type.fullName.startsWith('google.protobuf.') || byName.has(type.fullName)) continue;
      byName.set(type.fullName, type);
      if (isBundled) bundled.add(type);
    }
  }
  return [...byName.values()];
}

/** The types of a source, without the entries of maps, and without those that errors touch. */
export function* comparedTypes({
  registry: { messages },
  isOffered = () => true,
  isNameOffered = () => true,
  faults,
}: TypeSource): Generator<MessageDescriptor, void> {
  const touched = faults?.touched();
  for (const name of messages.keys()) {
    if (!isNameOffered(name)) continue;
    const type = messages.get(name)!;
    if (!type.isMapEntry && isOffered(type) && !touched?.has(type)) yield type;
  }
}

interface Standing {
  readonly reading: TypeReading;
  readonly ranked: RankedType;
  readonly support: number;
  readonly against: number;
  readonly doubt: number;
  /**
   * Orders types with equal evidence: loaded types before bundled ones, types of service methods before types of
   * fields.
   */
  readonly role: number;
}

function standingsOf(
  readings: readonly TypeReading[],
  sources: readonly TypeSource[],
  bundled: ReadonlySet<MessageDescriptor>,
): readonly Standing[] {
  const roles = rolesOf(sources);
  const sorted = readings
    .filter(({ isHopeless, share }) => !isHopeless || share > 0)
    .map((reading): Standing => {
      const { type, share } = reading;
      const { support, against, doubt, contradictions, found } = reading.weigh();
      const isBundled = bundled.has(type);
      return {
        reading,
        ranked: { type, isBundled, bits: support - against, share, contradictions, found },
        support,
        against,
        doubt,
        role: (isBundled ? 0 : 4) + roles(type),
      };
    })
    .sort(inOrder);
  // Types that read the messages in the same way are sorted by their roles.
  const [first] = sorted;
  const signature = first?.reading.signature();
  const isTwin = ({ ranked, reading }: Standing): boolean =>
    ranked.bits > first!.ranked.bits - MIN_LEAD && reading.signature() === signature;
  const twins = sorted
    .filter(isTwin)
    .sort((a, b) => b.role - a.role || versionOf(b.ranked.type.fullName) - versionOf(a.ranked.type.fullName));
  return [...twins, ...sorted.filter((one) => !twins.includes(one))];
}

/** Equal evidence is ordered by role, then by name, so that the order is deterministic. */
function inOrder(a: Standing, b: Standing): number {
  const lead = b.ranked.bits - a.ranked.bits;
  if (Math.abs(lead) > 1e-6) return lead;
  return b.role - a.role || (a.ranked.type.fullName < b.ranked.type.fullName ? -1 : 1);
}

/** 2: a service method uses the type. 1: no other message contains it. The values add up. */
export function rolesOf(sources: readonly TypeSource[]): (type: MessageDescriptor) => number {
  const called = new Set<MessageDescriptor>();
  const held = new Set<MessageDescriptor>();
  for (const source of sources) {
    const { services } = source.registry;
    for (const name of services.keys()) {
      if (source.isNameOffered?.(name) === false) continue;
      for (const { input, output } of services.get(name)!.methods) called.add(input).add(output);
    }
    for (const type of comparedTypes(source)) {
      for (const { message } of fieldsOf(type)) if (message !== undefined) held.add(message);
    }
  }
  return (type) => (called.has(type) ? 2 : 0) + (held.has(type) ? 0 : 1);
}

type Judgement = Pick<Classification, 'verdict' | 'type' | 'twins'>;

/**
 * @param loaded types of a schema that was written for the messages; 0: no such schema is known
 * @param weak the verdict if the bits do not suffice
 */
function judge(
  standings: readonly Standing[],
  candidates: number,
  loaded: number,
  weak: 'short' | 'unproven',
): Judgement {
  const proven = prove(standings, candidates, weak);
  const isFew = loaded > 0 && loaded <= FEW_TYPES;
  const few = isFew ? lead(standings.filter(({ ranked }) => !ranked.isBundled)) : undefined;
  if (few === undefined || !isWhole(few.best) || few.best.ranked.bits + few.best.doubt <= 0) return proven;
  if (few.verdict !== 'asserted' || proven.type === few.type) return few;
  return { ...few, verdict: 'presumed' };
}

/** The verdict of the evidence alone. */
function prove(standings: readonly Standing[], candidates: number, weak: 'short' | 'unproven'): Judgement {
  const judged = lead(standings);
  if (judged === undefined) return { verdict: 'none', ...NO_TYPE };
  const { ranked, support, against, role } = judged.best;
  if (support === 0 || !isWhole(judged.best)) {
    if (ranked.bits <= 0 || ranked.contradictions > 0) return { verdict: 'none', ...NO_TYPE };
    if (ranked.share < MIN_SHARE || against > 0.4 * support) return { verdict: 'none', ...NO_TYPE };
  }
  const needed = Math.log2(candidates) + MIN_MARGIN + (role % 4 === 0 ? HELD_BITS : 0);
  return ranked.bits < needed ? { verdict: weak, ...NO_TYPE } : judged;
}

const NO_TYPE = { type: undefined, twins: [] } as const;

/**
 * The best type. It is asserted only if each type with nearly as many bits reads the messages in the same way and has a
 * lesser role. Types of one name that read them in the same way, as those of two versions, are alike, but the names of
 * the fields are known.
 */
function lead(standings: readonly Standing[]): (Judgement & { readonly best: Standing }) | undefined {
  const [best] = standings;
  if (best === undefined) return undefined;
  const near = standings.slice(1).filter(({ ranked }) => ranked.bits > best.ranked.bits - MIN_LEAD);
  const signature = near.length === 0 ? '' : best.reading.signature();
  const { type } = best.ranked;
  const isSame = near.every((other) => other.reading.signature() === signature);
  const twins = near.map(({ ranked }) => ranked.type);
  if (isSame && near.every((other) => other.role < best.role)) return { verdict: 'asserted', type, twins, best };
  if (isSame && twins.every(({ name }) => name === type.name)) return { verdict: 'alike', type, twins, best };
  return { verdict: 'alike', type: undefined, twins: [type, ...twins], best };
}

/** Each message once: its repetition is not evidence. */
function distinct(kept: SpreadSample['kept']): SpreadSample['kept'] {
  const seen = new Set<string>();
  return kept.filter(({ bytes }) => seen.size < seen.add(latin1(bytes)).size);
}

const isFlawless = (standing: Standing): boolean => standing.ranked.bits > 0 && isWhole(standing);

/** An encoder of the type may have written it. Only its bits count. */
const MAY_BE: ReadonlySet<EvidenceId> = new Set<EvidenceId>(['writtenDefault', 'heldMessage']);

/** Every byte has a field, and no field has anything that an encoder of the type would not have written. */
const isWhole = ({ ranked: { share, found } }: Standing): boolean =>
  share > 0.99999 && EVIDENCE_IDS.every((id) => MAY_BE.has(id) || found[id] === undefined);

/**
 * Weight of oddities that valid data may have. They count only against a type that leaves bytes unexplained, or that has
 * no more evidence for it than against it.
 */
const SLIGHT_BITS = 4;

/** The reason for a type's rank: `2 field numbers that it does not have`, `a field for every byte`. */
export function explainRank({ bits, share, found, contradictions }: Omit<RankedType, 'type' | 'isBundled'>): string {
  const isWhole = share > 0.99999;
  const against = EVIDENCE_IDS.filter((id) => {
    const isValid = bits > 0 ? EVIDENCE[id].bits <= SLIGHT_BITS : MAY_BE.has(id);
    const isSlight = isWhole && contradictions === 0 && isValid;
    return found[id] !== undefined && !isSlight;
  }).map((id) => {
    const count = found[id]!;
    return `${countText(count)} ${count === 1 ? EVIDENCE[id].one : EVIDENCE[id].many}`;
  });
  if (against.length > 0) return against.slice(0, MAX_REASONS).join(', ');
  return isWhole ? 'a field for every byte' : 'a field for some bytes';
}

const MAX_REASONS = 4;
