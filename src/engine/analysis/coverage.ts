/** The share of a capture that the figures cover: the messages and bytes that layouts and types explain. */
import type { Profile } from '../cost/profile.ts';

/** Number of messages, and their payload bytes, decompressed. */
interface Amount {
  readonly messages: number;
  readonly bytes: number;
}

/** The result of a run: a profile with its origin for each type, and the messages that no layout explains. */
export interface RunTotals {
  readonly profiles: readonly Pick<Profile, 'type' | 'unattributed'>[];
  readonly origins: readonly Amount[];
  readonly opaque: Amount;
}

export interface Coverage {
  readonly all: Amount;
  /** Messages that were read by a type or a layout, and their bytes without the unexplained ones. */
  readonly explained: Amount;
}

/** The coverage of all inputs together. */
export function coverageOf(runs: readonly RunTotals[]): Coverage {
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
