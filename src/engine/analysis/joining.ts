/** How an input joins its messages: what was compressed with what, and what stands before each message. */
import { requestOf } from '../frame/request-of.ts';
import type { MessageStore } from './message-store.ts';

export interface Joining {
  /** Messages with the same value were compressed together; undefined: unknown. */
  readonly request: string | undefined;
  /** Whether the file delimits its messages: by the length of each, a varint in front of it; or JSON texts by lines. */
  readonly isDelimited: boolean;
}

export function joiningAt({ kind, messages }: MessageStore, ordinal: number): Joining {
  const { transport } = messages.groups.at(messages.groupAt(ordinal));
  const isDelimited = transport === 'varint' || (transport === 'json' && messages.length > 1);
  return { request: requestOf(messages.bodyAt(ordinal)), isDelimited: kind === 'payloads' && isDelimited };
}
