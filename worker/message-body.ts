/** Places of messages → their payloads. */
import { AbortError } from '#engine/bytes/source.ts';
import { readBody } from '#engine/frame/read-body.ts';
import type { Control } from './protocol.ts';
import type { OpenInput } from './session-state.ts';

/** A message's payload, borrowed. It was read once before: that it cannot be read again is no finding. */
export async function bodyAt({ source, messages }: OpenInput, ordinal: number): Promise<Uint8Array> {
  const ref = messages.bodyAt(ordinal);
  const [piece, more] = ref.pieces;
  if (ref.compression === null && more === undefined && piece !== undefined) {
    return source.peek(piece.start, piece.end) ?? source.read(piece.start, piece.end);
  }
  const body = await readBody(source, ref);
  if (!body.ok) throw new Error(body.diagnostics[0]!.message);
  return body.value;
}

/** The part of a message's header that is written as a message, in bytes of its own; null: there is none. */
export async function headerOf({ source, messages }: OpenInput, ordinal: number): Promise<Uint8Array | null> {
  const pieces = messages.headerPiecesAt(ordinal);
  if (pieces === null) return null;
  const [piece, more] = pieces;
  const near = more === undefined && piece !== undefined ? source.peek(piece.start, piece.end) : null;
  if (near !== null) return near.slice();
  const read = await readBody(source, { pieces, compression: null });
  return read.ok ? read.value : null;
}

/** The first bytes of a message: of a plain one no more than they are read. */
export async function headAt(open: OpenInput, ordinal: number, size: number): Promise<Uint8Array> {
  const { pieces, compression } = open.messages.bodyAt(ordinal);
  const [piece] = pieces;
  if (compression !== null || pieces.length > 1 || piece === undefined) {
    return (await bodyAt(open, ordinal)).subarray(0, size);
  }
  const end = Math.min(piece.end, piece.start + size);
  return open.source.peek(piece.start, end) ?? open.source.read(piece.start, end);
}

/**
 * Hands out the payloads of `ordinals`, in order, each with its header where that is written as a message. `payload` is
 * borrowed: valid during the call only.
 * @throws AbortError when the call is cancelled
 */
export async function eachBody(
  open: OpenInput,
  ordinals: Uint32Array,
  take: (payload: Uint8Array, ordinal: number, header: Uint8Array | null) => void,
  { signal, progress }: Control,
): Promise<void> {
  const { source, messages } = open;
  let total = 0;
  for (const ordinal of ordinals) total += messages.sizeAt(ordinal);
  let done = 0;
  for (const ordinal of ordinals) {
    const header = messages.hasHeaderPieces(ordinal) ? await headerOf(open, ordinal) : null;
    const start = messages.plainStartAt(ordinal);
    let payload = start < 0 ? null : source.peek(start, start + messages.sizeAt(ordinal));
    if (payload === null) {
      if (signal.aborted) throw new AbortError();
      progress({ done, total, unit: 'bytes' });
      payload = await bodyAt(open, ordinal);
    }
    take(payload, ordinal, header);
    done += messages.sizeAt(ordinal);
  }
  if (signal.aborted) throw new AbortError();
  progress({ done, total, unit: 'bytes' });
}
