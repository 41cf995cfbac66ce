/**
 * A body without a declared type, or declared as plain bytes → whether it is a message. The contents decide: records
 * must tile the body and look like an encoder's output, and the body must not be text. A picture, a page or a word is
 * not a message.
 */
import { isText } from '../../bytes/text-byte.ts';
import type { CaptureLog } from '../../capture/containers/packets-log.ts';
import { textStart } from '../../capture/text/ascii.ts';
import { decodeBody, joinSteps } from '../../compression/registry.ts';
import type { PayloadFormat } from '../../model/payload-format.ts';
import type { Piece } from '../message.ts';
import { isFiller, looksLikeMessage } from '../plausible-message.ts';

/** Shorter bodies may repeat a byte by chance. */
const MIN_FILLER = 16;

const isLongFiller = (bytes: Uint8Array): boolean => bytes.length >= MIN_FILLER && isFiller(bytes);

interface UndeclaredBody {
  readonly captured: Uint8Array;
  /** Codec ids that lead from the body to the payload. */
  readonly steps: readonly string[];
  readonly pieces: readonly Piece[];
  /** `POST /a`, `the response to POST /a` */
  readonly title: string;
  readonly format?: PayloadFormat | undefined;
}

/**
 * Whether the contents are a message. A body that cannot be decoded counts as one: the fault is reported when it is
 * decoded.
 */
export function isMessageByContents(
  { captured, steps, pieces, title, format }: UndeclaredBody,
  log: CaptureLog,
): boolean {
  const decoded = decodeBody(captured, joinSteps(steps));
  if (!decoded.ok) return true;
  const { bytes } = decoded;
  // Only objects are messages.
  if (format !== undefined) return bytes[textStart(bytes)] === 0x7b;
  // A message may begin with a line feed, which is the tag of field 1, and continue with text.
  const mayBeMessage = bytes.length === 0 || ((bytes[0]! < 0x20 || !isText(bytes)) && !isLongFiller(bytes));
  if (mayBeMessage && looksLikeMessage(bytes, 0, bytes.length, new Map())) return true;
  const text = `The type of the body of ${title} is not declared, and its contents are not a protobuf message.`;
  log.add('http/unknown-body', 'info', text, pieces[0]?.start ?? 0, pieces.at(-1)?.end ?? 0);
  return false;
}
