/** The compressors that measure a set of changes, some of which replace a compressor by another one. */
import { plural } from '../model/count-text.ts';
import type { AdviceSubject } from './advice.ts';
import { type Change, ImpossibleChange, UNCOMPRESSED } from './change.ts';
import { dictionaryCompressor } from './dictionary.ts';
import type { Measure, MeasuringCompressor } from './measure.ts';

/** Minimum time for which a compressor is measured, in ms. A browser's clock has steps of 0.1 ms, so that a single run may seem to take none. */
const MIN_TIMED = 8;
/** Maximum number of its runs in that time: the clock may stand still. */
const MAX_ROUNDS = 4096;

/** Ten times zstd's default. */
const MAX_DICTIONARY = 1 << 20;

/** undefined: raw bytes rank. */
export const rankingOf = ({ compressors, rankedBy }: AdviceSubject): MeasuringCompressor | undefined =>
  compressors.find(({ id }) => id === rankedBy);

/** The compressors, with a changed one in place of the one that it replaces. @throws ImpossibleChange */
export async function compressorsOf(
  subject: AdviceSubject,
  changes: readonly Change[],
  units: readonly Uint8Array[],
): Promise<readonly MeasuringCompressor[]> {
  let { compressors } = subject;
  for (const change of changes) {
    const other = await otherCompressor(subject, change, units);
    if (other === undefined) continue;
    const { from } = change as { readonly from: string };
    compressors = compressors.map((one) => (one.id === from ? { ...other, id: from } : one));
  }
  return compressors;
}

/** Whether a change compresses the messages in another way, to no fewer bytes than they have without compression. */
export const isAbovePlain = (changes: readonly Change[], { bytes, compressed }: Measure): boolean =>
  changes.some(
    (one) =>
      (one.change === 'compressor' || one.change === 'dictionary') &&
      one.to !== UNCOMPRESSED &&
      compressed[one.from]! >= bytes,
  );

/** undefined: the change does not concern compression. @throws ImpossibleChange */
async function otherCompressor(
  subject: AdviceSubject,
  change: Change,
  units: readonly Uint8Array[],
): Promise<MeasuringCompressor | undefined> {
  if (change.change === 'dictionary') {
    if (units.length < 2) throw new ImpossibleChange('A dictionary takes several messages that are compressed alone');
    const trained = change.to === 'zstd' && change.bytes > 0 && change.bytes <= MAX_DICTIONARY;
    const found = trained ? await dictionaryCompressor(change.from, units, change.bytes) : undefined;
    if (found === undefined)
      throw new ImpossibleChange(`No dictionary of ${plural(change.bytes, 'byte')} can be trained`);
    return found;
  }
  if (change.change !== 'compressor') return undefined;
  if (change.to === UNCOMPRESSED) return { id: change.to, isPlain: true, size: async ({ length }) => length };
  const other = await subject.others?.[change.to]?.();
  if (other === undefined) throw new ImpossibleChange(`There is no compressor ${change.to}`);
  return other;
}

/**
 * The time of the other compressor that a change names, divided by that of the ranking one; undefined: there is no
 * clock, or there is no other compressor.
 */
export async function timeOf(
  subject: AdviceSubject,
  changes: readonly Change[],
  units: readonly Uint8Array[],
): Promise<number | undefined> {
  const { clock } = subject;
  const ranking = rankingOf(subject);
  const change = changes.find(
    (one) => one.change === 'compressor' && one.from === ranking?.id && one.to !== UNCOMPRESSED,
  );
  const other = change && (await otherCompressor(subject, change, units));
  if (clock === undefined || ranking === undefined || other === undefined) return undefined;
  const timed = async ({ size }: MeasuringCompressor): Promise<number> => {
    for (let rounds = 1; ; rounds *= 2) {
      const from = clock();
      for (let round = 0; round < rounds; round++) for (const unit of units) await size(unit);
      const taken = clock() - from;
      if (taken >= MIN_TIMED || rounds >= MAX_ROUNDS) return taken / rounds;
    }
  };
  const [own, others] = [await timed(ranking), await timed(other)];
  return own > 0 ? others / own : undefined;
}
