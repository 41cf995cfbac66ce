/** How much bytes look like messages. */
import { judgeFramings } from '../framing/framings.ts';
import { NO_MESSAGE } from '../framing/no-message.ts';

/** Bytes that are judged. */
const JUDGED = 256 << 10;
/** Least score of bytes that are taken for messages. */
export const MIN_SCORE = 0.6;

/** Score of the best framing of the bytes; 0: they are not messages. */
export function scoreOf(bytes: Uint8Array): number {
  const { id, score } = judgeFramings(bytes.subarray(0, JUDGED), bytes.length)[0]!;
  return id === NO_MESSAGE ? 0 : score;
}
