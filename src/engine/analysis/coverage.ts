/** The share of a capture that the figures cover: the messages and bytes that layouts and types explain. */
import { type Profile, unexplainedBytes } from '../cost/profile.ts';

/** Number of messages, and their payload bytes, decompressed. */
interface Amount {
  readonly messages: number;
  readonly bytes: number;
}

type Measured = Pick<Profile, 'type' | 'unattributed' | 'fields' | 'pair' | 'other' | 'nativeLedger'>;

/** The result of a run: a profile with its origin for each type, and the messages that no layout explains. */
export interface RunTotals {
  readonly profiles: readonly Measured[];
  readonly origins: readonly Amount[];
  readonly opaque: Amount;
}

export interface Coverage {
  readonly all: Amount;
  /** Messages that a type or a layout reads, and their bytes without unknown fields and without unexplained bytes. */
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
      const profile = profiles[index]!;
      all.messages += messages;
      all.bytes += bytes;
      const known = profile.type === '' ? 0 : Math.max(0, bytes - unexplainedBytes(profile));
      if (profile.type === '' || (known === 0 && bytes > 0)) continue;
      explained.messages += messages;
      explained.bytes += known;
    }
  }
  return { all, explained };
}
