/** Reserved numbers and names of two versions. */
import { rangeText } from '../range-text.ts';
import { reason } from './symbol-change.ts';
import type { DifferenceReason } from './verdicts.ts';

interface Reserving {
  readonly reservedRanges: readonly { readonly start: number; readonly end: number }[];
  readonly reservedNames: readonly string[];
}

/** Numbers and names that were reserved and no longer are, independent of how ranges are divided. */
export function compareReserved(a: Reserving, b: Reserving, max: number): readonly DifferenceReason[] {
  const reasons: DifferenceReason[] = [];
  const freed = a.reservedRanges.flatMap((range) => uncovered(range, b.reservedRanges));
  if (freed.length > 0) {
    const text = `Numbers are no longer reserved: ${freed.map((range) => rangeText(range, max)).join(', ')}. Old messages may still hold them.`;
    reasons.push(reason('conditional', text, 'binary'));
  }
  const names = a.reservedNames.filter((name) => !b.reservedNames.includes(name));
  if (names.length > 0) {
    const text = `Names are no longer reserved: ${names.join(', ')}. Old JSON and text may still hold them.`;
    reasons.push(reason('conditional', text, 'json'));
  }
  return reasons;
}

/** The parts of a range that no other range covers. */
export function uncovered(range: Reserving['reservedRanges'][number], others: Reserving['reservedRanges']) {
  let left = [range];
  for (const { start, end } of others) {
    left = left.flatMap((one) =>
      start >= one.end || end <= one.start
        ? [one]
        : [
            { start: one.start, end: Math.max(one.start, start) },
            { start: Math.min(one.end, end), end: one.end },
          ].filter((part) => part.start < part.end),
    );
  }
  return left;
}
