/** The cost of waste: each kind left out of the captured messages by itself, and all kinds together. */
import type { Advisor } from './advise.ts';
import { type Compatibility, type Effort, ImpossibleChange } from './change.ts';
import { difference, joinUnits, type Measure, type MeasuringCompressor, measureUnits } from './measure.ts';
import type { Unit } from './payload.ts';
import { signed } from './proposals/integers.ts';
import { leaveOut } from './rewrite.ts';
import { Uses } from './uses.ts';
import { LOSSLESS_WASTE, WRITER_RULES, WRITER_WASTE, type WriterWaste } from './writer-rules.ts';

export type WasteKind = WriterWaste | 'negatives in ten bytes';

export interface MeasuredWaste {
  readonly kind: WasteKind;
  /** Records, lengths or values; of negatives, the fields. */
  readonly places: number;
  /** As captured minus without it. */
  readonly saved: Measure;
  readonly effort: Effort;
  readonly compatibility: Compatibility;
}

export interface WasteReport {
  readonly captured: Measure;
  /** Kinds that occur, those that cost most first. */
  readonly kinds: readonly MeasuredWaste[];
  /** Everything that the writer alone can change, except unknown fields, left out together. */
  readonly writer: Measure;
}

export async function measureWaste(
  units: readonly Unit[],
  advisor: Pick<Advisor, 'forms' | 'trees' | 'measure'>,
  type: string,
  compressors: readonly MeasuringCompressor[],
): Promise<WasteReport> {
  const { forms } = advisor;
  const captured = await measureUnits(joinUnits(units), compressors);
  const kinds: MeasuredWaste[] = [];
  for (const kind of WRITER_WASTE) {
    const { units: without, places } = leaveOut(units, forms, type, [kind]);
    if (places === 0) continue;
    const saved = difference(captured, await measureUnits(joinUnits(without), compressors));
    kinds.push({ kind, places, saved, effort: 'writer only', compatibility: WRITER_RULES[kind].compatibility });
  }
  const negatives = await negativesOf(advisor, type);
  if (negatives !== undefined) kinds.push(negatives);
  const writer = await measureUnits(joinUnits(leaveOut(units, forms, type, LOSSLESS_WASTE).units), compressors);
  return {
    captured,
    kinds: kinds.sort((a, b) => b.saved.bytes - a.saved.bytes),
    writer: difference(captured, writer),
  };
}

/** The schema has to say sint: the one kind of waste that the writer alone cannot stop. */
async function negativesOf(
  advisor: Pick<Advisor, 'forms' | 'trees' | 'measure'>,
  type: string,
): Promise<MeasuredWaste | undefined> {
  const [all] = signed(new Uses(advisor.trees, advisor.forms, type));
  if (all === undefined) return undefined;
  try {
    const { saved, effort, compatibility } = await advisor.measure(all.changes);
    return { kind: 'negatives in ten bytes', places: all.changes.length, saved, effort, compatibility };
  } catch (error) {
    if (error instanceof ImpossibleChange) return undefined;
    throw error;
  }
}
