/** Raw DEFLATE (RFC 1951) → its plain bytes, within a limit. Opening a link must not need WebAssembly. */

import { Inflate } from 'fflate';
import { joinBytes } from '#engine/bytes/join.ts';

/** Compressed bytes per step: they give at most 1 MiB of plain bytes, which are then counted. */
const STEP = 1024;

export type BoundedInflated =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly ok: false; readonly reason: 'limit' | 'malformed' };

/** @param limit most bytes that may come out. */
export function inflateWithin(packed: Uint8Array, limit: number): BoundedInflated {
  const parts: Uint8Array[] = [];
  let size = 0;
  const stream = new Inflate((part) => {
    parts.push(part);
    size += part.length;
  });
  if (packed.length === 0) return { ok: false, reason: 'malformed' };
  for (let at = 0; at < packed.length; at += STEP) {
    const end = Math.min(packed.length, at + STEP);
    try {
      stream.push(packed.subarray(at, end), end === packed.length);
    } catch {
      return { ok: false, reason: 'malformed' };
    }
    if (size > limit) return { ok: false, reason: 'limit' };
  }
  const bytes = joinBytes(parts);
  return { ok: true, bytes };
}
