/** The place of a message's payload → the payload, read and decoded again. */

import type { ReadControl, Source } from '../bytes/source.ts';
import { PLAIN_LIMIT } from '../compression/codec.ts';
import { loadDecoders } from '../compression/load-decoders.ts';
import type { Result } from '../model/diagnostic.ts';
import { needed } from '../model/needed-file.ts';
import type { BodyRef } from './message.ts';

/** Pieces closer than this are read at once. In bytes. */
const NEAR = 64 * 1024;

interface ReadOptions extends ReadControl {
  readonly limit?: number;
}

/**
 * @param source the one that the message was read from; for a gzipped capture, the result of `openCapture`
 * @throws AbortError when the signal is set while a large body is decoded
 */
export async function readBody(source: Source, body: BodyRef, options: ReadOptions = {}): Promise<Result<Uint8Array>> {
  const { after } = body;
  if (after === undefined) return decode(body, await readPieces(source, body.pieces), options);
  const { readAfter } = await needed(() => import('./read-history.ts'));
  return readAfter(source, after, async (one, window) =>
    decode(one, await readPieces(source, one.pieces), options, window),
  );
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
  if (decoded.ok) return { ok: true, value: decoded.bytes };
  return {
    ok: false,
    diagnostics: [
      {
        code: `compression/${decoded.reason}`,
        severity: 'error',
        message: `The message cannot be read (${compression}): ${decoded.detail}.`,
        space: 'capture',
        start: pieces[0]?.start ?? 0,
        end: pieces.at(-1)?.end ?? 0,
      },
    ],
  };
}
