/** Raw DEFLATE (RFC 1951) → its plain bytes, within a limit. Opening a link must not need WebAssembly. */
import { joinBytes } from '#engine/bytes/join.ts';

export type BoundedInflated =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly ok: false; readonly reason: 'limit' | 'malformed' };

/** @param limit most bytes that may come out */
export async function inflateWithin(packed: Uint8Array<ArrayBuffer>, limit: number): Promise<BoundedInflated> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const reader = stream.getReader();
  for (;;) {
    const part = await reader.read().catch(() => null);
    if (part === null) return { ok: false, reason: 'malformed' };
    if (part.done) return { ok: true, bytes: joinBytes(parts) };
    size += part.value.length;
    if (size > limit) {
      void reader.cancel().catch(() => {});
      return { ok: false, reason: 'limit' };
    }
    parts.push(part.value);
  }
}
