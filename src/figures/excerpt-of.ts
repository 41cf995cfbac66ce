/** An inspected message and the address of a row in it → the excerpt around that row, in words. */

import { createSayValue } from '#charts/row-value.ts';
import { cutExcerpt, type Excerpt } from '#engine/inspect/excerpt.ts';
import type { Inspected } from '#engine/inspect/inspect.ts';
import { type RowAddress, rowsOf } from '#engine/inspect/row-address.ts';
import { inSentence } from '#wording/chart-words.ts';
import { sideWord } from '#wording/excerpt-words.ts';
import { formatBytes, formatCount } from '#wording/number-text.ts';
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

/**
 * The bytes that sharing it reveals: `56 bytes of message 0 as they are, around hits.version: 32 of protobuf, 24 of
 * native`.
 */
export function excerptContents({ ordinal, path, sides }: Excerpt): string {
  const parts = sides.map((side) => `${formatCount(side.bytes.length)} of ${inSentence(sideWord(side))}`);
  const all = sides.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return `${formatBytes(all)} of message ${formatCount(ordinal)} as they are${path === '' ? '' : `, around ${path}`}: ${parts.join(', ')}`;
}
