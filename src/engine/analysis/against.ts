/**
 * Compares with an encoding of the registry in place of a native profile: it is the second side of profiles and of
 * inspected messages.
 */
import type { LedgerCollector } from '../cost/encoding-ledger.ts';
import type { EncodingRow } from '../encodings/encoding-row.ts';
import type { LossCounts } from '../encodings/losses.ts';
import { needed } from '../model/needed-file.ts';
import type { NativeProfile } from '../native/profiles.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';

export interface ComparisonEncoding {
  readonly row: EncodingRow;
  readonly collect: (type: MessageDescriptor) => LedgerCollector;
}

/**
 * Counts the values of a message that the format of a profile lacks. undefined: it lacks none. Losses that any
 * profile has are counted with its bytes.
 */
export async function loadLossCounter({ lacks }: NativeProfile): Promise<CountLosses | undefined> {
  if (lacks === undefined) return undefined;
  return (await needed(() => import('../encodings/native-losses.ts'))).lackedIn(lacks);
}

export type CountLosses = (message: Uint8Array, type: MessageDescriptor) => LossCounts;

/** undefined: the registry has no such encoding. */
export async function loadAgainst(id: string): Promise<ComparisonEncoding | undefined> {
  const [{ encodingById }, { EncodingLedgers }] = await Promise.all([
    needed(() => import('../encodings/encodings.ts')),
    needed(() => import('../cost/ledger-collector.ts')),
  ]);
  const row = encodingById(id);
  return row && row.id !== 'protobuf' ? { row, collect: (type) => new EncodingLedgers(type, [row]) } : undefined;
}
