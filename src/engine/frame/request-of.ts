import type { BodyRef } from './message.ts';

/**
 * Messages with the same value were in one body, which was compressed in one piece. undefined: the body has no bytes,
 * and is a request of its own.
 */
export function requestOf({ pieces }: BodyRef): string | undefined {
  const [start, end] = [pieces[0]?.start, pieces.at(-1)?.end];
  return start === end ? undefined : `${start}:${end}`;
}
