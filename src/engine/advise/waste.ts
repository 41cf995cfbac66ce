/** What waste costs: each kind left out of the messages by itself, as they were captured, and all of it together. */
import type { Advisor } from './advise.ts';
import { type Compatibility, type Effort, ImpossibleChange } from './change.ts';
import type { Forms } from './forms.ts';
import { type Compressor, difference, joinUnits, type Measure, measureUnits } from './measure.ts';
import type { Unit } from './payload.ts';
import { signed } from './proposals/integers.ts';
import { type Rewritten, rewrite, WRITER_WASTE, type WriterWaste } from './rewrite.ts';
import { PACKED, PRESENCE, UNKNOWN_FIELDS, UPDATING, WIRE_FORMAT } from './rule-links.ts';
import { Uses } from './uses.ts';

export type WasteKind = WriterWaste | 'negatives in ten bytes';

export interface Waste {
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
  readonly kinds: readonly Waste[];
  /** Of all that the writer alone can change, unknown fields kept: left out together. */
  readonly writer: Measure;
}

export async function wasteOf(
  units: readonly Unit[],
  advisor: Pick<Advisor, 'forms' | 'trees' | 'measure'>,
  type: string,
  compressors: readonly Compressor[],
): Promise<WasteReport> {
  const { forms } = advisor;
  const captured = await measureUnits(joinUnits(units), compressors);
  const kinds: Waste[] = [];
  for (const kind of WRITER_WASTE) {
    const { units: without, places } = leaveOut(units, forms, type, [kind]);
    if (places === 0) continue;
    const saved = difference(captured, await measureUnits(joinUnits(without), compressors));
    kinds.push({ kind, places, saved, effort: 'writer only', compatibility: COMPATIBILITY[kind] });
  }
  const negatives = await negativesOf(advisor, type);
  if (negatives !== undefined) kinds.push(negatives);
  const safe = WRITER_WASTE.filter((kind) => kind !== 'unknown fields');
  const writer = await measureUnits(joinUnits(leaveOut(units, forms, type, safe).units), compressors);
  return {
    captured,
    kinds: kinds.sort((a, b) => b.saved.bytes - a.saved.bytes),
    writer: difference(captured, writer),
  };
}

/** A message that cannot be read whole stays as it is. */
function leaveOut(units: readonly Unit[], forms: Forms, type: string, kinds: readonly WriterWaste[]) {
  const without = new Set(kinds);
  let places = 0;
  const rewritten = units.map(({ isDelimited, messages }) => ({
    isDelimited,
    messages: messages.map((bytes) => {
      const found: Rewritten | undefined = rewrite(bytes, forms, type, without);
      places += found?.places ?? 0;
      return found?.bytes ?? bytes;
    }),
  }));
  return { units: rewritten, places };
}

/** The schema has to say sint: the one kind of waste that the writer alone cannot stop. */
async function negativesOf(
  advisor: Pick<Advisor, 'forms' | 'trees' | 'measure'>,
  type: string,
): Promise<Waste | undefined> {
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

const safe = (text: string, link: string): Compatibility => ({
  binary: 'safe',
  json: 'safe',
  source: 'safe',
  reasons: [{ about: 'binary', text, link }],
});

const COMPATIBILITY: Readonly<Record<WriterWaste, Compatibility>> = {
  'overlong varints': safe('Every parser reads the shortest varint as the same number.', WIRE_FORMAT),
  'padded lengths': safe('Every parser reads the shortest length as the same number.', WIRE_FORMAT),
  'defaults written': safe('A field without presence has its default where it is not written.', PRESENCE),
  'unpacked runs': safe('Parsers must take both forms, packed and expanded.', PACKED),
  'repeated scalars': safe('Of a singular scalar field that comes several times, the last one counts.', UPDATING),
  'unknown fields': {
    binary: 'conditional',
    json: 'safe',
    source: 'safe',
    reasons: [{ about: 'binary', text: 'A reader of a newer schema may need them.', link: UNKNOWN_FIELDS }],
  },
};
