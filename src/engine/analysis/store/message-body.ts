/** Places of messages → their payloads. */
import type { BlockSource } from '../../bytes/block-source.ts';
import { AbortError, type ReadControl, type Source } from '../../bytes/source.ts';
import { SLICE } from '../../compression/codec.ts';
import { type Decoders, loadDecoders, loadedDecoders } from '../../compression/load-decoders.ts';
import type { BodyRef, Piece } from '../../frame/message.ts';
import { readBody } from '../../frame/read-body.ts';
import type { MessageStore } from './message-store.ts';

/** Plain bytes that are returned between two pauses. */
const PATIENCE = 4 << 20;

/**
 * A message's payload, borrowed. The payload was read once before, so a failed second read is an error of the source,
 * not a finding. @throws AbortError when the signal is set while a large body is decoded
 */
export async function bodyAt(open: MessageStore, ordinal: number, control: ReadControl = {}): Promise<Uint8Array> {
  const { source, messages, limit } = open;
  const start = messages.plainStartAt(ordinal);
  if (start >= 0) {
    const end = start + messages.sizeAt(ordinal);
    return source.peek(start, end) ?? source.read(start, end);
  }
  const place = messages.bodyAt(ordinal);
  if (place.after === undefined && place.compression?.includes('|slice:')) {
    const shared = sharedBodyOf(open, await loadDecoders());
    const own = nearBody(open, ordinal)?.slice() ?? (await shared.unpackLarge(source, place, limit, control));
    if (own !== null) return own;
  }
  const { signal, pause } = control;
  const body = await readBody(source, place, { limit, signal, pause });
  if (!body.ok) throw new Error(body.diagnostics[0]!.message);
  return body.value;
}

/**
 * The payload of a message whose blocks and decoders are in memory; null: it has to be read. Borrowed: valid until the
 * next `await`.
 */
function nearBody(open: MessageStore, ordinal: number): Uint8Array | null {
  const { source, messages, limit } = open;
  const start = messages.plainStartAt(ordinal);
  if (start >= 0) return source.peek(start, start + messages.sizeAt(ordinal));
  const { pieces, compression, after } = messages.bodyAt(ordinal);
  if (after !== undefined) return null;
  if (compression === null) return nearPieces(source, pieces);
  const decoders = loadedDecoders();
  // A large one is decoded with pauses.
  if (decoders === null || messages.sizeAt(ordinal) > SLICE) return null;
  const shared = sharedBodyOf(open, decoders);
  const known = shared.payload(pieces, compression, limit);
  if (known !== null) return known;
  const captured = nearPieces(source, pieces);
  if (captured === null) return null;
  const most = Math.min(limit, SLICE);
  if (shared.unpack(pieces, compression, captured, most)) return shared.payload(pieces, compression, limit);
  const decoded = decoders.decodeBody(captured, compression, most);
  return decoded.ok ? decoded.bytes : null;
}

/** Decompressed bytes of a body whose slices are messages: `gzip|slice:5:125`. The last body is kept. */
class SharedBody {
  readonly #decoders: Decoders;
  #key = '';
  #plain: Uint8Array = new Uint8Array(0);

  constructor(decoders: Decoders) {
    this.#decoders = decoders;
  }

  /** null: the kept bytes are from another body, or the body holds a single message. Borrowed. */
  payload(pieces: readonly Piece[], compression: string | null, limit: number): Uint8Array | null {
    const parts = partsOf(pieces, compression);
    if (parts === null || parts.key !== this.#key) return null;
    const decoded = this.#decoders.decodeBody(this.#plain, parts.rest, limit);
    return decoded.ok ? decoded.bytes : null;
  }

  /** Decompresses the body if it holds many messages. Returns whether it does. */
  unpack(pieces: readonly Piece[], compression: string | null, captured: Uint8Array, limit: number): boolean {
    const parts = partsOf(pieces, compression);
    const decoded = parts === null ? null : this.#decoders.decodeBody(captured, parts.outer, limit);
    if (parts === null || !decoded?.ok) return false;
    this.#keep(parts.key, decoded.bytes);
    return true;
  }
  /** Decompresses a large body with pauses if it holds many messages. Returns a copy of the payload of this message; null: it does not. */
  async unpackLarge(
    source: Source,
    body: BodyRef,
    limit: number,
    { signal, pause }: ReadControl,
  ): Promise<Uint8Array | null> {
    const parts = partsOf(body.pieces, body.compression);
    if (parts === null) return null;
    if (parts.key !== this.#key) {
      const outer = { pieces: body.pieces, compression: parts.outer };
      const read = await readBody(source, outer, { limit, signal, pause });
      if (!read.ok) return null;
      this.#keep(parts.key, read.value);
    }
    // Copied: another call may decode before the caller continues.
    return this.payload(body.pieces, body.compression, limit)?.slice() ?? null;
  }

  #keep(key: string, plain: Uint8Array): void {
    this.#key = key;
    this.#plain = plain.slice();
  }
}

/** One for each open input. */
const sharedBodies = new WeakMap<MessageStore, SharedBody>();

function sharedBodyOf(open: MessageStore, decoders: Decoders): SharedBody {
  const shared = sharedBodies.get(open) ?? new SharedBody(decoders);
  sharedBodies.set(open, shared);
  return shared;
}

/** The steps before the first slice, and the steps from it on; null: there is no step, or none before a slice. */
function partsOf(pieces: readonly Piece[], compression: string | null) {
  const at = compression?.indexOf('|slice:') ?? -1;
  if (compression === null || at < 0) return null;
  const outer = compression.slice(0, at);
  return { key: `${pieces[0]?.start} ${pieces.at(-1)?.end} ${outer}`, outer, rest: compression.slice(at + 1) };
}

let gathered = new Uint8Array(0);

/** The bytes of contiguous pieces whose blocks are in memory. Borrowed: valid until the next `await`. */
function nearPieces({ peek }: BlockSource, pieces: readonly Piece[]): Uint8Array | null {
  const [first, second] = pieces;
  if (first !== undefined && second === undefined) return peek(first.start, first.end);
  let size = 0;
  for (const { start, end } of pieces) size += end - start;
  if (size > gathered.length) gathered = new Uint8Array(2 * size);
  let at = 0;
  for (const { start, end } of pieces) {
    const near = peek(start, end);
    if (near === null) return null;
    gathered.set(near, at);
    at += near.length;
  }
  return gathered.subarray(0, size);
}

/** The part of a message's header that is written as a message, copied; null: no such part. */
export async function headerOf({ source, messages }: MessageStore, ordinal: number): Promise<Uint8Array | null> {
  const pieces = messages.headerPiecesAt(ordinal);
  if (pieces === null) return null;
  const near = nearPieces(source, pieces);
  if (near !== null) return near.slice();
  const read = await readBody(source, { pieces, compression: null });
  return read.ok ? read.value : null;
}

/** The first bytes of a message. For an uncompressed message, only these bytes are read. */
export async function bodyHeadAt(open: MessageStore, ordinal: number, size: number): Promise<Uint8Array> {
  const { pieces, compression } = open.messages.bodyAt(ordinal);
  const [piece] = pieces;
  if (compression !== null || pieces.length > 1 || piece === undefined) {
    return (await bodyAt(open, ordinal)).subarray(0, size);
  }
  const end = Math.min(piece.end, piece.start + size);
  return open.source.peek(piece.start, end) ?? open.source.read(piece.start, end);
}

/** Payloads above this size may be entered in steps. In bytes. */
const LARGE = 1 << 20;

/**
 * Takes a payload, borrowed: it is valid only during the call. A large payload stays valid until the last of the
 * returned steps; each step yields the number of bytes that it entered.
 */
export type TakePayload = (
  payload: Uint8Array,
  ordinal: number,
  header: Uint8Array | null,
  isLarge: boolean,
) => Iterable<number> | undefined;

/** Places in a list of ordinals that are not assigned yet. Other workers may take the last ones meanwhile. */
export interface Left {
  next: number;
  end: number;
}

/**
 * Hands out the payloads of `ordinals`, in order, each with the part of its header that is written as a message.
 * @throws AbortError when the call is cancelled
 */
export async function eachBody(
  open: MessageStore,
  ordinals: Uint32Array,
  take: TakePayload,
  { signal, onProgress, pause }: ReadControl,
  left: Left = { next: 0, end: ordinals.length },
): Promise<void> {
  const { messages } = open;
  let total = 0;
  for (const ordinal of ordinals) total += messages.sizeAt(ordinal);
  let done = 0;
  let reported = 0;
  const breathe = async (entered: number): Promise<void> => {
    onProgress?.(entered, total);
    await pause?.();
    if (signal?.aborted) throw new AbortError();
  };
  onProgress?.(0, total);
  while (left.next < left.end) {
    const ordinal = ordinals[left.next++]!;
    const header = messages.hasHeaderPieces(ordinal) ? await headerOf(open, ordinal) : null;
    if (done - reported > PATIENCE) {
      reported = done;
      await breathe(done);
    }
    let payload = nearBody(open, ordinal);
    const isNear = payload !== null;
    if (payload === null) {
      if (signal?.aborted) throw new AbortError();
      onProgress?.(done, total);
      payload = await bodyAt(open, ordinal, { signal, pause });
    }
    const isLarge = payload.length > LARGE;
    const steps = take(isLarge && isNear ? payload.slice() : payload, ordinal, header, isLarge);
    if (steps !== undefined) {
      let entered = done;
      for (const bytes of steps) {
        entered += bytes;
        await breathe(entered);
      }
    }
    if (!isNear) open.source.letGo?.(payload);
    done += messages.sizeAt(ordinal);
    if (isLarge) await breathe(done);
  }
  if (signal?.aborted) throw new AbortError();
  onProgress?.(done, total);
}
