/** A row that no schema describes → every plausible reading of its payload, the most plausible first. */

import type { MessageSide } from '#engine/inspect/encoded-message.ts';
import { Flag, flagsAt, payloadEndAt, payloadStartAt, WireType, wireTypeAt } from '#engine/model/annotation.ts';
import { type Guess, guessReadings } from '#engine/wire/guess.ts';

const OPEN_TO_GUESSES = Flag.GUESS | Flag.UNKNOWN | Flag.MISMATCH;

/** Empty for rows that a schema describes, for groups, and for numbers that are cut off. */
export function readingsOfRow({ table, bytes }: Pick<MessageSide, 'table' | 'bytes'>, row: number): readonly Guess[] {
  const flags = flagsAt(table, row) ?? 0;
  if (table.encoding !== 'protobuf' || (flags & OPEN_TO_GUESSES) === 0) return [];
  const wireType = wireTypeAt(table, row);
  if ((flags & Flag.MALFORMED) !== 0 && wireType !== WireType.LEN) return [];
  return guessReadings(bytes, payloadStartAt(table, row), payloadEndAt(table, row), wireType);
}

/** One reading a line, with its reason. */
export const readingsTitle = (guesses: readonly Guess[]): string =>
  ['Guesses, likeliest first:', ...guesses.map(({ reading, value, reason }) => `${reading} ${value}. ${reason}`)].join(
    '\n',
  );
