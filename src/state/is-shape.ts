import type { SessionState } from './session-state.ts';

/**
 * Whether the open messages have filler in place of their values. Sizes in protobuf and in the native layout stay equal;
 * what compression, other encodings and changes of the schema make of filler says nothing about the messages.
 */
export const isShape = ({ session }: { readonly session: Pick<SessionState, 'sharedFrom'> }): boolean =>
  session.sharedFrom?.kind === 'shape';
