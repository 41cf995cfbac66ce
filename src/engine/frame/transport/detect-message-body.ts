/**
 * A body whose type is not told, or told as mere bytes → whether it is a message, by its contents alone: records tile it,
 * they look like what an encoder writes, and it is no text. A picture, a page or a word is none.
 */
import type { CaptureLog } from '../../capture/containers/packets-log.ts';
import { decodeBody, joinSteps } from '../../compression/registry.ts';
import type { Piece } from '../message.ts';
import { looksLikeMessage } from '../plausible-message.ts';

interface UntoldBody {
  readonly wire: Uint8Array;
  /** Codec ids from there to the payload. */
  readonly steps: readonly string[];
  readonly pieces: readonly Piece[];
  /** `POST /a`, `the response to POST /a` */
  readonly title: string;
}

/** One that cannot be decoded counts as a message: why it cannot be given is told where it is decoded. */
export function isMessageByContents({ wire, steps, pieces, title }: UntoldBody, log: CaptureLog): boolean {
  const decoded = decodeBody(wire, joinSteps(steps));
  if (!decoded.ok) return true;
  const { bytes } = decoded;
  if (!isText(bytes) && looksLikeMessage(bytes, 0, bytes.length, new Map())) return true;
  const text = `The type of the body of ${title} is not told, and by its contents it is no message.`;
  log.add('http/untold-body', 'info', text, pieces[0]?.start ?? 0, pieces.at(-1)?.end ?? 0);
  return false;
}

/** A message may begin with a line feed, the tag of field 1, and go on in text. */
function isText(bytes: Uint8Array): boolean {
  if (bytes.length === 0 || bytes[0]! < 0x20) return false;
  return bytes.every((byte) => (byte >= 0x20 && byte !== 0x7f) || byte === 9 || byte === 10 || byte === 13);
}
