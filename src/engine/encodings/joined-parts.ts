/** A message among others of one stream, in any encoding. */
import { type Delimiter, delimiterOf } from '../bytes/delimiter.ts';
import type { EncodingRow } from './encoding-row.ts';
import { PROTOBUF } from './protobuf.ts';

export interface JoinedParts {
  /** In protobuf, the size of the message as the input has it; else empty. */
  readonly before: Uint8Array;
  /** The separator of an encoding that has one; else empty. */
  readonly behind: Uint8Array;
}

const NOTHING = new Uint8Array();

/** @param size bytes of the message @param delimiter as in `Joining`; null: the message stands alone */
export const joinedParts = (
  { id, separator }: Pick<EncodingRow, 'id' | 'separator'>,
  size: number,
  delimiter: Delimiter | null,
): JoinedParts => ({
  before: delimiter !== null && id === PROTOBUF.id ? delimiterOf(delimiter, size) : NOTHING,
  behind: delimiter !== null && separator !== undefined ? Uint8Array.of(separator) : NOTHING,
});
