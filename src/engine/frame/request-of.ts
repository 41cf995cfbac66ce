import type { BodyRef } from './message.ts';

/** Messages with the same value were in one body, which was compressed in one piece. */
export const requestOf = ({ pieces }: BodyRef): string => `${pieces[0]?.start}:${pieces.at(-1)?.end}`;
