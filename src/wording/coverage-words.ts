/** How much of a capture's messages the headline is about: what layouts and types explain of all their bytes. */
import type { Profile } from '#engine/cost/profile.ts';
import { formatBytes, formatCount, formatPercent, shareOf } from './number-text.ts';

/** Messages, and their payload bytes, decompressed. */
interface Amount {
  readonly messages: number;
  readonly bytes: number;
}

/** What was added up: a profile with its origin for each type, and the messages that no layout explains. */
export interface AddedUp {
  readonly profiles: readonly Pick<Profile, 'type' | 'unattributed'>[];
  readonly origins: readonly Amount[];
  readonly opaque: Amount;
}

export interface Coverage {
  readonly all: Amount;
  /** Read by a type or a layout, less the bytes that it does not explain. */
  readonly explained: Amount;
}

/** Of all inputs together. */
export function coverageOf(runs: readonly AddedUp[]): Coverage {
  const all = { messages: 0, bytes: 0 };
  const explained = { messages: 0, bytes: 0 };
  for (const { profiles, origins, opaque } of runs) {
    all.messages += opaque.messages;
    all.bytes += opaque.bytes;
    for (const [index, { messages, bytes }] of origins.entries()) {
      const { type, unattributed } = profiles[index]!;
      all.messages += messages;
      all.bytes += bytes;
      if (type === '') continue;
      explained.messages += messages;
      explained.bytes += Math.max(0, bytes - unattributed);
    }
  }
  return { all, explained };
}

/** Of figures that came without their messages; null: they are of all. */
export const partWords = (messages: number, all: number): string | null =>
  messages >= all ? null : `These figures are of ${formatCount(messages)} of them.`;

/** `Layouts and types explain 405 of 8,133 bytes (4.98 %), in 3 of 34 messages.`; null: all of them. */
export function coverageWords({ all, explained }: Coverage): string | null {
  if (explained.bytes === all.bytes && explained.messages === all.messages) return null;
  const messages = `${formatCount(all.messages)} ${all.messages === 1 ? 'message' : 'messages'}`;
  if (explained.messages === 0)
    return `No layout or type explains any of the ${formatBytes(all.bytes)} in ${messages}.`;
  const share = formatPercent(shareOf(explained.bytes, all.bytes));
  const of = `${formatCount(explained.bytes)} of ${formatBytes(all.bytes)} (${share})`;
  return `Layouts and types explain ${of}, in ${formatCount(explained.messages)} of ${messages}.`;
}
