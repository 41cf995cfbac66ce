/** How an input joins its messages: what was compressed with what, and how, and what stands before each message. */
import { type Delimiter, isDelimiter } from '../bytes/delimiter.ts';
import { requestOf } from '../frame/request-of.ts';
import type { MessageStore } from './store/message-store.ts';

export interface Joining {
  /** Messages with the same value were compressed together; undefined: unknown. */
  readonly request: string | undefined;
  /** It stands in front of each message in the file; null: nothing does. JSON has lines, and its protobuf has varints. */
  readonly delimiter: Delimiter | null;
  /** The steps from the captured bytes, also those of a file, to the message, as in `BodyRef.compression`. */
  readonly steps: string;
}

export function joiningAt({ kind, messages, packed }: MessageStore, ordinal: number): Joining {
  const { transport } = messages.groups.at(messages.groupAt(ordinal));
  const body = messages.bodyAt(ordinal);
  const request = requestOf(body);
  const steps = `${packed?.codec ?? ''}|${body.compression ?? ''}`;
  if (kind !== 'payloads') return { request, delimiter: null, steps };
  if (transport === 'json') return { request, delimiter: messages.length > 1 ? 'varint' : null, steps };
  return { request, delimiter: isDelimiter(transport) ? transport : null, steps };
}
