/** The share of messages that a headline covers, in a sentence. */

import type { Coverage } from '#engine/analysis/coverage.ts';
import { capturedLedger, type Profile, totalIn } from '#engine/cost/profile.ts';
import { plural } from '#engine/model/count-text.ts';
import { formatBytes, formatCount, formatPercent, shareOf } from './number-text.ts';

/** The messages that shared figures cover; null: all of them. */
export const partWords = (messages: number, all: number): string | null =>
  messages >= all ? null : `These figures are of ${formatCount(messages)} of them.`;

/**
 * For a headline of `shown` messages: `4.98 % of 8,133 bytes explained.` Without an explained one, the amount:
 * `8,133 bytes in 34 messages.`; empty if the headline is of all of them and says it.
 */
export function coverageShare({ all, explained }: Coverage, shown: number): string {
  if (explained.bytes > 0)
    return `${formatPercent(shareOf(explained.bytes, all.bytes))} of ${formatBytes(all.bytes)} explained.`;
  if (shown === all.messages) return '';
  return `${formatBytes(all.bytes)} in ${plural(all.messages, 'message')}.`;
}

/** `Layouts and types explain 405 of 8,133 bytes (4.98 %), in 3 of 34 messages.`; null: all of them. */
export function coverageWords({ all, explained }: Coverage): string | null {
  if (explained.bytes === all.bytes && explained.messages === all.messages) return null;
  const messages = plural(all.messages, 'message');
  if (explained.messages === 0)
    return `No layout or type explains any of the ${formatBytes(all.bytes)} in ${messages}.`;
  const share = formatPercent(shareOf(explained.bytes, all.bytes));
  const of = `${formatCount(explained.bytes)} of ${formatBytes(all.bytes)} (${share})`;
  return `Layouts and types explain ${of}, in ${formatCount(explained.messages)} of ${messages}.`;
}

/** `Compressed as captured: 12,506 bytes (39.0 % of plain).` The headline's bytes are plain; empty: they were captured so. */
export function capturedWords(captured: number, profile: Profile): string {
  const plain = totalIn(profile, capturedLedger(profile));
  return captured < plain
    ? `Compressed as captured: ${formatBytes(captured)} (${formatPercent(shareOf(captured, plain))} of plain).`
    : '';
}
