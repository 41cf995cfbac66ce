import type { History } from './message.ts';

/** Identifies a history, also one that was copied to another worker: captureOffset of its first message. */
export const historyKey = ({ bodies }: History): number => bodies[0]?.pieces[0]?.start ?? 0;
