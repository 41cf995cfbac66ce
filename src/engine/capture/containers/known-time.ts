/** The most milliseconds around the epoch that a date can have. tc39.es/ecma262/#sec-timeclip */
const MOST = 8.64e15;

/** Milliseconds since the epoch; null: no date is that early or late, NaN included. */
export const knownTime = (time: number): number | null => (Math.abs(time) <= MOST ? time : null);
