/** Bits that fields pay, as a link carries them: to a hundredth. */
import type { SharedFigures } from '#permalink/shared.ts';
import { shownBits } from './shown-bits.ts';
import type { AppState } from './store.ts';

type Amounts = Readonly<Partial<Record<string, number>>>;

const rounded = (amounts: Amounts): Record<string, number> =>
  Object.fromEntries(Object.entries(amounts).map(([name, bits]) => [name, Math.round((bits ?? 0) * 100) / 100]));

export function sharedBits(state: AppState): NonNullable<SharedFigures['bits']> | null {
  const bits = shownBits(state);
  if (bits == null || state.view.paid === null) return null;
  const { by, formats, streams, messages, outOf, plainBytes, compressedBytes, container, fields } = bits;
  return {
    ...{ by, formats, streams, messages, outOf, plainBytes, compressedBytes, container: rounded(container) },
    fields: fields.map(({ path, bytes, paid, shared }) => ({
      ...{ path, bytes: rounded(bytes), paid: rounded(paid) },
      ...(shared === undefined ? {} : { shared: rounded(shared) }),
    })),
  };
}
