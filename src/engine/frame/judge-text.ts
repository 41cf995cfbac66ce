/** Characters → the text encodings that they may have, or the message that they are. */
import { binary } from '../capture/text/binary.ts';
import { judgeTextEncodings, TEXT_ENCODINGS } from '../capture/text/detect-text-encoding.ts';
import type { Candidate } from '../capture/text/text-encoding.ts';
import { plausibleMessage } from './plausible-message.ts';

export { TEXT_ENCODINGS };

/**
 * Every text encoding, best first. A message of one name or digest consists of characters too: it is read as it is if
 * the decoded bytes are not a message.
 * @param isUnknown whether bytes have no known form
 */
export function judgeText(
  head: Uint8Array,
  size: number,
  isUnknown: (bytes: Uint8Array) => boolean,
): readonly Candidate[] {
  const candidates = judgeTextEncodings(head, size);
  const { read } = TEXT_ENCODINGS.find(({ id }) => id === candidates[0]!.id)!;
  if (read === null || !isDelimited(head, size) || !isUnknown(read(head).bytes)) return candidates;
  const { id, label } = binary;
  const itself = { id, label, score: 1, reason: 'its fields tile the input' };
  return [itself, ...candidates.filter((other) => other.id !== id)];
}

/** Whether the bytes are a message, most of it in records with a length. Texts hardly ever are. */
function isDelimited(head: Uint8Array, size: number): boolean {
  const { whole, delimited } = plausibleMessage(head, 0, size);
  return whole && delimited > head.length / 2;
}
