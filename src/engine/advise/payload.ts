/** The messages of the advice, with their framing in the file: they are measured as they are sent. */

import { type Delimiter, delimiterOf } from '../bytes/delimiter.ts';
import { joinBytes } from '../bytes/join.ts';

/** The unit of compression: the messages of a file, or one message of a capture. */
export interface Unit {
  /** It stands in front of each message of the unit; null: nothing does. */
  readonly delimiter: Delimiter | null;
  readonly messages: readonly Uint8Array[];
}

export function joinUnit({ delimiter, messages }: Unit): Uint8Array {
  if (delimiter === null) return messages.length === 1 ? messages[0]! : joinBytes(messages);
  return joinBytes(messages.flatMap((message) => [delimiterOf(delimiter, message.length), message]));
}
