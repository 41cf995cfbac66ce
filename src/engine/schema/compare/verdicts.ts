/** How far two versions of a schema understand each other: verdicts by side, and their reasons. */
import type { CompatibilityLevel } from './type-verdicts.ts';

/** The interfaces that two versions share: bytes, JSON, and code that is compiled with the schema. */
export const SIDES = ['binary', 'json', 'source'] as const;
export type CompatibilitySide = (typeof SIDES)[number];

export interface DifferenceReason {
  readonly verdict: CompatibilityLevel;
  /** The reason, in one sentence. */
  readonly message: string;
  /** The affected sides. */
  readonly about: readonly CompatibilitySide[];
}

/** The sides that programs exchange. */
export const EXCHANGED_SIDES: readonly CompatibilitySide[] = ['binary', 'json'];

export type SideVerdicts = Readonly<Record<CompatibilitySide, CompatibilityLevel>>;

const WORSE: Readonly<Record<CompatibilityLevel, number>> = { safe: 0, conditional: 1, unsafe: 2 };

export const worstOf = (verdicts: readonly CompatibilityLevel[]): CompatibilityLevel =>
  verdicts.reduce<CompatibilityLevel>((worst, verdict) => (WORSE[verdict] > WORSE[worst] ? verdict : worst), 'safe');

/** A part of two versions: whether messages can be read, and the verdict of each side. */
interface Judged {
  readonly verdict: CompatibilityLevel;
  readonly sides: SideVerdicts;
}

/** The order in which changes are listed: first what breaks messages; changes that break the same keep their order. */
export function worstFirst(a: Judged, b: Judged): number {
  const levels = ({ verdict, sides }: Judged) => [verdict, ...SIDES.map((side) => sides[side])];
  const [ours, theirs] = [levels(a), levels(b)];
  const at = ours.findIndex((level, index) => level !== theirs[index]);
  return at < 0 ? 0 : WORSE[theirs[at]!] - WORSE[ours[at]!];
}

/**
 * Whether old messages can still be read: the bytes, and JSON with restrictions. A change that breaks only JSON does
 * not break messages.
 */
export function compatibilityOf(reasons: readonly DifferenceReason[]): CompatibilityLevel {
  const { binary, json } = sidesOf(reasons);
  return worstOf([binary, json === 'unsafe' ? 'conditional' : json]);
}

export function sidesOf(reasons: readonly DifferenceReason[]): SideVerdicts {
  const of = (side: CompatibilitySide): CompatibilityLevel =>
    worstOf(reasons.filter(({ about }) => about.includes(side)).map(({ verdict }) => verdict));
  return { binary: of('binary'), json: of('json'), source: of('source') };
}

/** The worst verdict of each side. */
export const worstSides = (all: readonly SideVerdicts[]): SideVerdicts => ({
  binary: worstOf(all.map(({ binary }) => binary)),
  json: worstOf(all.map(({ json }) => json)),
  source: worstOf(all.map(({ source }) => source)),
});

/** Affects the exchanged sides, unless others are given. */
export type Add = (verdict: CompatibilityLevel, message: string, ...about: readonly CompatibilitySide[]) => void;
