/** The messages of the advice, with their framing in the file: they are measured as they are sent. */
import { setVarint, varintWidth } from '../bytes/varint.ts';

/** The unit of compression: the messages of a file, or one message of a capture. */
export interface Unit {
  /** Whether a varint length precedes each message of the unit. */
  readonly isDelimited: boolean;
  readonly messages: readonly Uint8Array[];
}

export function joinUnit({ isDelimited, messages }: Unit): Uint8Array {
  if (!isDelimited && messages.length === 1) return messages[0]!;
  const prefix = ({ length }: Uint8Array): number => (isDelimited ? varintWidth(length, 0) : 0);
  const bytes = new Uint8Array(messages.reduce((sum, message) => sum + prefix(message) + message.length, 0));
  let at = 0;
  for (const message of messages) {
    if (isDelimited) at = setVarint(bytes, at, message.length);
    bytes.set(message, at);
    at += message.length;
  }
  return bytes;
}
