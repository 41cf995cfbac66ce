/** How an input joins its messages: what was compressed with what, and what stands before each message. */
import { requestOf } from '../frame/request-of.ts';
import type { MessageStore } from './message-store.ts';

export interface Joining {
  /** Messages with the same value were compressed together; undefined: unknown. */
  readonly request: string | undefined;
  /** Whether the file has the message's length, a varint, in front of it. */
  readonly isPrefixed: boolean;
}

export const joiningAt = ({ kind, messages }: MessageStore, ordinal: number): Joining => ({
  request: requestOf(messages.bodyAt(ordinal)),
  isPrefixed: kind === 'payloads' && messages.groups.at(messages.groupAt(ordinal)).transport === 'varint',
});
