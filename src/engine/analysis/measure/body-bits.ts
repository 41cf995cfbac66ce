/** A compressed body, alone or in a capture → what its bits are spent on, by field path. */

import { latin1 } from '../../bytes/latin1.ts';
import { bytesSource } from '../../bytes/source.ts';
import { isText as consistsOfText } from '../../bytes/text-byte.ts';
import { type BitFailure, bitFailure } from '../../compression/bits/book.ts';
import { isBitFormat, readBits, type StreamBits } from '../../compression/bits/read-bits.ts';
import { PLAIN_LIMIT } from '../../compression/codec.ts';
import type { FormatId } from '../../compression/formats.ts';
import { decodeBody } from '../../compression/registry.ts';
import { isZlib } from '../../compression/signatures.ts';
import { ACTIONS_PATH, MESSAGE_PATH, OTHERS_PATH, SIZE_PREFIX_PATH } from '../../cost/bit-parts.ts';
import { BodySpans } from '../../cost/field-bits.ts';
import type { BodyRef } from '../../frame/message.ts';
import { readFramed } from '../../frame/payload.ts';
import { actionOf } from '../../frame/transport/action-lines.ts';
import type { AnnotationTable } from '../../model/annotation.ts';
import type { PayloadFormat } from '../../model/payload-format.ts';
import type { FieldDescriptor } from '../../schema/descriptor.ts';

/** Where a message is in a compressed stream. */
export interface CompressedPlace {
  /** Steps that lead to the stream, as in `BodyRef.compression`; null: the body itself is the stream. */
  readonly before: string | null;
  readonly codec: string;
  /** The message's place in the plain bytes; null: it is all of them, or it is compressed again inside them. */
  readonly slice: { readonly start: number; readonly end: number } | null;
  /** The message is compressed again inside the stream, so its rows have no place in the plain bytes. */
  readonly isNested: boolean;
}

/** null: the message is not compressed. */
export function compressedPlace({ compression }: Pick<BodyRef, 'compression'>): CompressedPlace | null {
  const steps = compression?.split('|') ?? [];
  const at = steps.findIndex((step) => bitFormatOf(step) !== null);
  if (at < 0) return null;
  let slice: { start: number; end: number } | null = null;
  let isNested = false;
  for (const step of steps.slice(at + 1)) {
    const [name, start, end] = step.split(':');
    if (name !== 'slice' || isNested) isNested = true;
    else {
      const base: number = slice?.start ?? 0;
      slice = { start: base + Number(start), end: base + Number(end) };
    }
  }
  return { before: at === 0 ? null : steps.slice(0, at).join('|'), codec: steps[at]!, slice, isNested };
}

/**
 * The format of a codec; null: it does not compress, or its bits cannot be assigned. `deflate` may also be raw, without
 * a zlib header.
 */
function bitFormatOf(codec: string): FormatId | null {
  if (codec === 'deflate') return 'zlib';
  return isBitFormat(codec) ? codec : null;
}

/** @param captured the joined pieces of the body */
export function readBodyBits(
  captured: Uint8Array,
  { before, codec }: CompressedPlace,
  limit: number = PLAIN_LIMIT,
): StreamBits | BitFailure {
  const outer = decodeBody(captured, before, limit);
  if (!outer.ok) return bitFailure(outer.reason, outer.detail, 0);
  const stream = before === null ? captured : outer.bytes.slice();
  const format = bitFormatOf(codec);
  if (format === null) return bitFailure('missing', `what ${codec} spends its bits on is not known`, 0);
  return readBits(stream, format === 'zlib' && !isZlib(stream) ? 'deflate' : format, limit);
}

/** The rows of a message, borrowed; null: it has no rows. @param format absent: protobuf */
export type TableOf = (
  payload: Uint8Array,
  format: PayloadFormat | undefined,
) => AnnotationTable<FieldDescriptor> | null;

/** Places of consecutive messages in the plain bytes. @param framing as in `InputChoice`; undefined: detected */
export async function spansOfPlain(
  plain: Uint8Array,
  framing: string | undefined,
  tableOf: TableOf,
): Promise<{ readonly body: BodySpans; readonly messages: number }> {
  const body = new BodySpans();
  let isText = false;
  const facts = await readFramed(bytesSource('plain bytes', plain), { framing }, (message, payload) => {
    const { start, end } = message.body.pieces[0]!;
    isText = message.format !== undefined;
    const table = message.body.compression === null ? tableOf(payload, message.format) : null;
    enterAt(body, plain, { start, end, isText }, table);
  });
  if (isText) enterEnd(body, plain);
  return { body, messages: facts.messages };
}

const SEPARATORS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x1e, 0x20]);

/** Where a message is in the plain bytes. */
interface Placed {
  readonly start: number;
  readonly end: number;
  readonly isText: boolean;
}

/** Whether a line of it is an action of `_bulk`, or a header of `_msearch`. */
const holdsAction = (between: Uint8Array): boolean =>
  latin1(between)
    .split('\n')
    .some((line) => (actionOf(line.trim(), 'bulk') ?? actionOf(line.trim(), 'msearch')) !== null);

/** Enters the bytes before a message: framing, or what separates texts, as line breaks, or other lines between them. */
function enterBefore(body: BodySpans, plain: Uint8Array, { start, isText }: Placed): void {
  const between = plain.subarray(body.end, start);
  if (isText && between.every(separates)) body.enter(start, MESSAGE_PATH, 'punctuation');
  else if (isText && consistsOfText(between))
    body.enter(start, holdsAction(between) ? ACTIONS_PATH : OTHERS_PATH, 'value');
  else body.enter(start, SIZE_PREFIX_PATH, 'length');
}

/** White space of JSON, or the record separator of RFC 7464. */
const separates = (byte: number): boolean => SEPARATORS.has(byte);

/** Enters the line break behind the last text, or actions without documents. */
export function enterEnd(body: BodySpans, plain: Uint8Array): void {
  const rest = plain.subarray(body.end);
  if (rest.every(separates)) body.enter(plain.length, MESSAGE_PATH, 'punctuation');
  else if (holdsAction(rest)) body.enter(plain.length, ACTIONS_PATH, 'value');
}

/** Enters a message that is not selected. @param plain the bytes that hold the messages */
export function enterOther(body: BodySpans, plain: Uint8Array, place: Placed): void {
  enterBefore(body, plain, place);
  body.enter(place.end, OTHERS_PATH, 'value');
}

/** Enters a message. @param plain the bytes that hold the messages */
export function enterAt(
  body: BodySpans,
  plain: Uint8Array,
  place: Placed,
  table: AnnotationTable<FieldDescriptor> | null,
): void {
  enterBefore(body, plain, place);
  if (table === null) body.enter(place.end, MESSAGE_PATH, 'value');
  else body.enterMessage(table);
}
