/** Characters → the text encodings that they may have, or the message that they are. */
import { binary } from '../capture/text/binary.ts';
import { judgeTextEncodings, TEXT_ENCODINGS } from '../capture/text/detect-text-encoding.ts';
import { type Candidate, MAX_TEXT, type TextEncoding } from '../capture/text/text-encoding.ts';
import { countText } from '../model/count-text.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { judgeFramings } from './framing/framings.ts';
import { TXTPB_NAME, txtpb } from './framing/txtpb.ts';
import { plausibleMessage } from './plausible-message.ts';
import { MAX_LINES_TEXT, MESSAGE_A_LINE, messagesInLines } from './unwrap/lines.ts';

export { MAX_LINES_TEXT };

/** `read` of a text encoding. Longer texts than are decoded have no bytes. */
export function readerOf(id: string, size: number): TextEncoding['read'] {
  const { read } = TEXT_ENCODINGS.find((encoding) => encoding.id === id)!;
  if (read === null || size <= MAX_TEXT) return read;
  const diagnostic: Diagnostic = {
    code: 'capture/too-large',
    severity: 'error',
    message: `${countText(size)} bytes of text are too much to decode; give the bytes themselves`,
    space: 'capture',
    start: MAX_TEXT,
    end: size,
  };
  return () => ({ bytes: new Uint8Array(), diagnostics: [diagnostic] });
}

/**
 * Every text encoding, best first. Lines of a message each are unwrapped later. A message of one name or digest consists
 * of characters too: it is read as it is if the decoded bytes are not a message.
 * @param lines the whole text, if its first lines may be a message each
 * @param isUnknown whether bytes have no known form
 */
export function judgeText(
  head: Uint8Array,
  size: number,
  name: string,
  lines: Uint8Array | null,
  isUnknown: (bytes: Uint8Array) => boolean,
): readonly Candidate[] {
  const candidates = judgeTextEncodings(head, size);
  // `c: B` may be hex, too.
  const named = TXTPB_NAME.test(name) ? judgeFramings(head, size, name)[0] : undefined;
  if (named?.id === txtpb.id) return asItIs(candidates, named.reason);
  if (lines !== null && messagesInLines(lines, false) !== null) return asItIs(candidates, MESSAGE_A_LINE);
  const { read } = TEXT_ENCODINGS.find(({ id }) => id === candidates[0]!.id)!;
  if (read === null || !isDelimited(head, size) || !isUnknown(read(head).bytes)) return candidates;
  return asItIs(candidates, 'its fields tile the input');
}

function asItIs(candidates: readonly Candidate[], reason: string): readonly Candidate[] {
  const { id, label } = binary;
  return [{ id, label, score: 1, reason }, ...candidates.filter((other) => other.id !== id)];
}

/** Whether the bytes are a message, most of it in records with a length. Texts hardly ever are. */
function isDelimited(head: Uint8Array, size: number): boolean {
  const { whole, delimited } = plausibleMessage(head, 0, size);
  return whole && delimited > head.length / 2;
}
