/** Characters → the text encodings that they may have, or the message that they are. */
import { binary } from '../capture/text/binary.ts';
import { judgeTextEncodings, TEXT_ENCODINGS } from '../capture/text/detect-text-encoding.ts';
import { type Candidate, MAX_TEXT, type TextEncoding } from '../capture/text/text-encoding.ts';
import { countText } from '../model/count-text.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { judgeFramings } from './framing/framings.ts';
import { TXTPB_NAME, txtpb } from './framing/txtpb.ts';
import { plausibleMessage } from './plausible-message.ts';
import { MESSAGE_A_LINE, messagesInLines } from './unwrap/lines.ts';
import { mayBeLines } from './unwrap/wrapped.ts';

/** Of a text encoding; of longer texts than are decoded, no bytes. `read` of `text-encoding.ts`. */
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
 * @param isUnknown whether bytes have no known form
 */
export function judgeText(
  head: Uint8Array,
  size: number,
  name: string,
  isUnknown: (bytes: Uint8Array) => boolean,
): readonly Candidate[] {
  const candidates = judgeTextEncodings(head, size);
  // `c: B` may be hex, too.
  const named = TXTPB_NAME.test(name) ? judgeFramings(head, size, name)[0] : undefined;
  if (named?.id === txtpb.id) return asItIs(candidates, named.reason);
  if (mayBeLines(head) && messagesInLines(wholeLines(head, size), false) !== null) {
    return asItIs(candidates, MESSAGE_A_LINE);
  }
  const { read } = TEXT_ENCODINGS.find(({ id }) => id === candidates[0]!.id)!;
  if (read === null || !isDelimited(head, size) || !isUnknown(read(head).bytes)) return candidates;
  return asItIs(candidates, 'its fields tile the input');
}

function asItIs(candidates: readonly Candidate[], reason: string): readonly Candidate[] {
  const { id, label } = binary;
  return [{ id, label, score: 1, reason }, ...candidates.filter((other) => other.id !== id)];
}

const LINE_END = 0x0a;
const wholeLines = (head: Uint8Array, size: number): Uint8Array =>
  head.length === size ? head : head.subarray(0, head.lastIndexOf(LINE_END) + 1);

/** Whether the bytes are a message, most of it in records with a length. Texts hardly ever are. */
function isDelimited(head: Uint8Array, size: number): boolean {
  const { whole, delimited } = plausibleMessage(head, 0, size);
  return whole && delimited > head.length / 2;
}
