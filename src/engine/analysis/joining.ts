/** How an input joins its messages: what was compressed with what, and what stands before each message. */
import { type Delimiter, isDelimiter } from '../bytes/delimiter.ts';
import { requestOf } from '../frame/request-of.ts';
import type { MessageStore } from './store/message-store.ts';

export interface Joining {
  /** Messages with the same value were compressed together; undefined: unknown. */
  readonly request: string | undefined;
  /** It stands in front of each message in the file; null: nothing does. JSON has lines, and its protobuf has varints. */
  readonly delimiter: Delimiter | null;
}

export function joiningAt({ kind, messages }: MessageStore, ordinal: number): Joining {
  const { transport } = messages.groups.at(messages.groupAt(ordinal));
  const request = requestOf(messages.bodyAt(ordinal));
  if (kind !== 'payloads') return { request, delimiter: null };
  if (transport === 'json') return { request, delimiter: messages.length > 1 ? 'varint' : null };
  return { request, delimiter: isDelimiter(transport) ? transport : null };
}
