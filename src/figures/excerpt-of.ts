/** An inspected message and the address of a row in it → the excerpt around that row, in words. */

import { createSayValue } from '#charts/row-value.ts';
import { cutExcerpt, type Excerpt } from '#engine/inspect/excerpt.ts';
import type { Inspected } from '#engine/inspect/inspect.ts';
import { type RowAddress, rowsOf } from '#engine/inspect/row-address.ts';
import { byteWords } from '#wording/row-words.ts';

/** If `address` is null, or names a row that the message does not have: the first bytes of the message. */
export function excerptOf(inspected: Inspected, address: RowAddress | null, ordinal: number): Excerpt {
  const sayValue = createSayValue(inspected);
  const row = address === null ? -1 : rowsOf(inspected, address)[address.encoding];
  const chosen = address === null || row < 0 ? null : { encoding: address.encoding, row };
  return cutExcerpt(inspected, chosen, ordinal, (side, of, messageOffset) =>
    byteWords(side, of, messageOffset, sayValue(side, of)),
  );
}
