/** The place of a message's payload → the payload, read and decoded again. */

import type { ReadControl, Source } from '../bytes/source.ts';
import { type DecodeFailure, PLAIN_LIMIT } from '../compression/codec.ts';
import { DeflateWindow } from '../compression/deflate-window.ts';
import { loadDecoders } from '../compression/load-decoders.ts';
import type { Diagnostic, Result } from '../model/diagnostic.ts';
import type { BodyRef, MessagesBefore } from './message.ts';

/** Pieces closer than this are read at once. In bytes. */
const NEAR = 64 * 1024;

/** Histories whose windows are kept. */
const KEPT = 16;

/** The window after the first `count` messages of a history. */
interface Known {
  count: number;
  readonly window: DeflateWindow;
}

/** Windows after the messages that were read last, so that messages in order are each decoded once. */
export class Windows {
  /** By captureOffset of the history's first message, in the order of their use. */
  readonly #kept = new Map<number, Known>();

  /** Takes the longest known window at or before a message. */
  take({ history, count }: MessagesBefore): Known {
    const key = keyOf(history);
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    return kept !== undefined && kept.count <= count ? kept : { count: 0, window: new DeflateWindow(history.window) };
  }

  keep({ history }: MessagesBefore, known: Known): void {
    this.#kept.set(keyOf(history), known);
    if (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value!);
  }
}

/** Identifies a history, also one that was copied to another worker. */
export const keyOf = ({ bodies }: MessagesBefore['history']): number => bodies[0]?.pieces[0]?.start ?? 0;

interface ReadOptions extends ReadControl {
  readonly limit?: number;
  readonly windows?: Windows;
}

/**
 * @param source the one that the message was read from; for a gzipped capture, the result of `openCapture`
 * @throws AbortError when the signal is set while a large body is decoded
 */
export async function readBody(source: Source, body: BodyRef, options: ReadOptions = {}): Promise<Result<Uint8Array>> {
  const { after } = body;
  if (after === undefined) return decode(body, await readPieces(source, body.pieces), options);
  const { windows = new Windows() } = options;
  const known = windows.take(after);
  for (;;) {
    const each = after.history.bodies[known.count++]!;
    const read = await decode(each, await readPieces(source, each.pieces), options, known.window.bytes);
    if (!read.ok) return read;
    known.window.add(read.value);
    if (known.count <= after.count) continue;
    windows.keep(after, known);
    return read;
  }
}

async function readPieces(source: Source, pieces: BodyRef['pieces']): Promise<Uint8Array> {
  const size = pieces.reduce((sum, { start, end }) => sum + end - start, 0);
  const captured = new Uint8Array(size);
  let written = 0;
  for (let i = 0; i < pieces.length; ) {
    const { start } = pieces[i]!;
    let last = i;
    while (last + 1 < pieces.length) {
      const gap = pieces[last + 1]!.start - pieces[last]!.end;
      if (gap < 0 || gap > NEAR) break;
      last++;
    }
    const run = await source.read(start, pieces[last]!.end);
    for (; i <= last; i++) {
      const piece = pieces[i]!;
      captured.set(run.subarray(piece.start - start, piece.end - start), written);
      written += piece.end - piece.start;
    }
    source.letGo?.(run);
  }
  return captured;
}

async function decode(
  { compression, pieces }: BodyRef,
  captured: Uint8Array,
  { limit = PLAIN_LIMIT, ...control }: ReadOptions,
  window?: Uint8Array,
): Promise<Result<Uint8Array>> {
  if (compression === null) return { ok: true, value: captured };
  const { decodeOwned, patiently } = await loadDecoders();
  const decoded = await patiently(decodeOwned(captured, compression, limit, window), control);
  return decoded.ok ? { ok: true, value: decoded.bytes } : failed({ compression, pieces }, decoded);
}

const failed = (
  { compression, pieces }: BodyRef,
  { reason, detail }: DecodeFailure,
): { readonly ok: false; readonly diagnostics: readonly Diagnostic[] } => ({
  ok: false,
  diagnostics: [
    {
      code: `compression/${reason}`,
      severity: 'error',
      message: `The message cannot be read (${compression}): ${detail}.`,
      space: 'capture',
      start: pieces[0]?.start ?? 0,
      end: pieces.at(-1)?.end ?? 0,
    },
  ],
});
