import type { BodyRef } from './message.ts';

/** Messages with the same one came in one body, compressed at once. */
export const requestOf = ({ pieces }: BodyRef): string => `${pieces[0]?.start}:${pieces.at(-1)?.end}`;
