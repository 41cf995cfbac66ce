/**
 * The frames of a masked WebSocket message → its bytes (RFC 6455 §5.3). Each byte is XORed with one of its frame's key.
 *
 *   key×4 │ masked bytes        for each frame
 */

const KEY = 4;

/** @param sizes masked bytes of each frame but the last */
export function unmask(bytes: Uint8Array, sizes: readonly number[]): Uint8Array {
  const plain = new Uint8Array(Math.max(0, bytes.length - KEY * (sizes.length + 1)));
  let to = 0;
  for (let frame = 0, at = 0; at + KEY < bytes.length; frame++) {
    const from = at + KEY;
    const end = Math.min(bytes.length, from + (sizes[frame] ?? bytes.length));
    for (let next = from; next < end; next++) plain[to++] = bytes[next]! ^ bytes[at + ((next - from) & 3)]!;
    at = end;
  }
  return plain;
}

/** `unmask` for one frame, `unmask:100:25` for three. */
export const unmaskStep = (sizes: readonly number[]): string => ['unmask', ...sizes].join(':');
