/** The place of a message's payload → the payload, read and decoded again. */

import type { ReadControl, Source } from '../bytes/source.ts';
import { PLAIN_LIMIT } from '../compression/codec.ts';
import { loadDecoders } from '../compression/load-decoders.ts';
import type { Result } from '../model/diagnostic.ts';
import type { BodyRef } from './message.ts';

/** Pieces closer than this are read at once. In bytes. */
const NEAR = 64 * 1024;

/**
 * @param source the one that the message was read from; for a gzipped capture, the result of `openCapture`
 * @throws AbortError when the signal is set while a large body is decoded
 */
export async function readBody(
  source: Source,
  body: BodyRef,
  { limit = PLAIN_LIMIT, ...control }: ReadControl & { readonly limit?: number } = {},
): Promise<Result<Uint8Array>> {
  const size = body.pieces.reduce((sum, { start, end }) => sum + end - start, 0);
  const captured = new Uint8Array(size);
  let written = 0;
  for (let i = 0; i < body.pieces.length; ) {
    const { start } = body.pieces[i]!;
    let last = i;
    while (last + 1 < body.pieces.length) {
      const gap = body.pieces[last + 1]!.start - body.pieces[last]!.end;
      if (gap < 0 || gap > NEAR) break;
      last++;
    }
    const run = await source.read(start, body.pieces[last]!.end);
    for (; i <= last; i++) {
      const piece = body.pieces[i]!;
      captured.set(run.subarray(piece.start - start, piece.end - start), written);
      written += piece.end - piece.start;
    }
    source.letGo?.(run);
  }
  if (body.compression === null) return { ok: true, value: captured };
  const { decodeOwned, patiently } = await loadDecoders();
  const decoded = await patiently(decodeOwned(captured, body.compression, limit), control);
  if (decoded.ok) return { ok: true, value: decoded.bytes };
  return {
    ok: false,
    diagnostics: [
      {
        code: `compression/${decoded.reason}`,
        severity: 'error',
        message: `The message cannot be read (${body.compression}): ${decoded.detail}.`,
        space: 'capture',
        start: body.pieces[0]?.start ?? 0,
        end: body.pieces.at(-1)?.end ?? 0,
      },
    ],
  };
}
