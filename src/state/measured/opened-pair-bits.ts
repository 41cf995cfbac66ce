/** Bits that fields of A and B pay, as a link brings them. */
import type { Shared } from '#permalink/shared.ts';
import type { BitsFacts } from '#wording/bits-words.ts';
import type { PairBits } from '../session-state.ts';
import type { PairStreams } from './measured.ts';

/** The bits of one side of a link's comparison. */
export function bitsOfSide({ bits = {} }: NonNullable<Shared['baseline']>, side: 'a' | 'b'): PairBits {
  const found: Partial<Record<PairStreams, BitsFacts>> = {};
  for (const [asked, sides] of Object.entries(bits)) {
    const of = sides[side];
    if (of !== null) found[asked as PairStreams] = of;
  }
  return found;
}
