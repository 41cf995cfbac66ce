/** Bits that fields pay, as a link carries them: to a 64th, so that sums of them are exact. */
import type { Shared, SharedFigures } from '#permalink/shared.ts';
import type { BitsFacts } from '#wording/bits-words.ts';
import type { AppState } from '../store.ts';
import { shownBits } from './shown-bits.ts';
import { pairBitsOf } from './shown-pair-bits.ts';

type Amounts = Readonly<Partial<Record<string, number>>>;
type SharedBits = NonNullable<SharedFigures['bits']>;
type SharedBaseline = NonNullable<Shared['baseline']>;

/** The sum is rounded, not each amount: half of a shown digit would fall to the other side. */
function rounded(amounts: Amounts): Record<string, number> {
  let [sum, carried] = [0, 0];
  return Object.fromEntries(
    Object.entries(amounts).map(([name, bits = 0]) => {
      sum += bits;
      const part = Math.round(sum * 64) / 64 - carried;
      carried += part;
      return [name, part];
    }),
  );
}

export function sharedBits(state: AppState): SharedBits | null {
  const bits = shownBits(state);
  return bits == null || state.view.paid === null ? null : roundedBits(bits);
}

function roundedBits(bits: BitsFacts): SharedBits {
  const { by, formats, streams, messages, outOf, plainBytes, compressedBytes, container, fields } = bits;
  return {
    ...{ by, formats, streams, messages, outOf, plainBytes, compressedBytes, container: rounded(container) },
    fields: fields.map(({ path, bytes, paid, shared }) => ({
      ...{ path, bytes: rounded(bytes), paid: rounded(paid) },
      ...(shared === undefined ? {} : { shared: rounded(shared) }),
    })),
  };
}

/** A, with the measurements of both sides after the shown compressors. */
export function sharedBaseline(state: AppState): SharedBaseline | null {
  const { baseline } = state.session;
  if (baseline === null) return null;
  const { name, profile, captured } = baseline;
  const bits = Object.fromEntries(
    state.view.pair.after.flatMap((asked) => {
      const { a, b } = pairBitsOf(state, asked);
      return a == null || b == null ? [] : [[asked, { a: roundedBits(a), b: roundedBits(b) }] as const];
    }),
  );
  return {
    ...{ name, profile, ...(captured !== undefined && { captured }) },
    ...(Object.keys(bits).length > 0 && { bits }),
  };
}
