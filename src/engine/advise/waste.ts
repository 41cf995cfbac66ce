/** The cost of waste in the captured messages: each kind separately, and all kinds together. */
import type { Advisor } from './advise.ts';
import { type Change, type Compatibility, type Effort, ImpossibleChange } from './change.ts';
import { difference, joinUnits, type Measure, type MeasuringCompressor, measureUnits } from './measure.ts';
import { signed } from './proposals/integers.ts';
import { leaveOut } from './rewrite.ts';
import { FieldValues } from './uses.ts';
import { LOSSLESS_WASTE, WITHOUT_ANY, WRITER_RULES, WRITER_WASTE, type WriterWaste } from './writer-rules.ts';

export type WasteKind = WriterWaste | 'replaced values' | 'negatives in ten bytes';

export interface MeasuredWaste {
  readonly kind: WasteKind;
  /** Number of records, lengths or values; of replaced values, number of messages. */
  readonly places: number;
  /** Captured bytes minus bytes without the waste. */
  readonly saved: Measure;
  readonly effort: Effort;
  readonly compatibility: Compatibility;
}

export interface WasteReport {
  /** The captured bytes of the messages that the advice is about. */
  readonly captured: Measure;
  /** Kinds that occur, highest cost first. */
  readonly kinds: readonly MeasuredWaste[];
  /** All kinds that the writer alone can avoid, except unknown fields, together. */
  readonly writer: Measure;
}

export async function measureWaste(
  advisor: Pick<Advisor, 'forms' | 'trees' | 'captured' | 'shortest' | 'measure'>,
  type: string,
  compressors: readonly MeasuringCompressor[],
): Promise<WasteReport> {
  const { forms, captured: units } = advisor;
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
  const named = leaveOut(units, forms, type, LOSSLESS_WASTE).units;
  const { shortest } = advisor;
  const least = await measureUnits(joinUnits(shortest), compressors);
  const saved = difference(await measureUnits(joinUnits(named), compressors), least);
  if (saved.bytes > 0) {
    const left = named.flatMap(({ messages }) => messages);
    const places = shortest.flatMap(({ messages }) => messages).filter(({ length }, at) => length < left[at]!.length);
    const { compatibility } = WITHOUT_ANY;
    kinds.push({ kind: 'replaced values', places: places.length, saved, effort: 'writer only', compatibility });
  }
  return {
    captured,
    kinds: kinds.sort((a, b) => b.saved.bytes - a.saved.bytes),
    writer: difference(captured, least),
  };
}

/** Negative numbers need a sint type in the schema: it is the only kind of waste that the writer alone cannot avoid. */
async function negativesOf(
  advisor: Pick<Advisor, 'forms' | 'trees' | 'measure'>,
  type: string,
): Promise<MeasuredWaste | undefined> {
  const uses = new FieldValues(advisor.trees, advisor.forms, type);
  const [all] = signed(uses);
  if (all === undefined) return undefined;
  const places = all.changes.reduce((sum, change) => sum + negativesIn(change, uses), 0);
  try {
    const { saved, effort, compatibility } = await advisor.measure(all.changes);
    return { kind: 'negatives in ten bytes', places, saved, effort, compatibility };
  } catch (error) {
    if (error instanceof ImpossibleChange) return undefined;
    throw error;
  }
}

/** Number of negative values in the field of the change. */
function negativesIn(change: Change, uses: FieldValues): number {
  if (change.change !== 'type') return 0;
  const lists = uses.get(change.message, change.field)?.lists ?? [];
  return lists.reduce((sum, values) => sum + values.filter((value) => (value as number) < 0).length, 0);
}
