/**
 * A message that permessage-deflate compressed (RFC 7692 §7.2) → plain bytes. The message is DEFLATE that was flushed,
 * without the last four bytes of the flush. It may copy from the plain bytes of earlier messages, the window. The decoder
 * gets the window as a stored block (RFC 1951 §3.2.4) before the message. It is of 32 KiB also if the two sides agreed on
 * a smaller one:
 *
 *   0 │ length×2 │ ~length×2 │ window │ message │ 0 0 ff ff │ empty last block
 */
import { joinBytes } from '../bytes/join.ts';
import { atOnce, type Decode } from './codec.ts';
import { inflateSlices } from './deflate.ts';
import { DeflateWindow } from './deflate-window.ts';
import { type DecodeSlices, decoders } from './kernel.ts';

const EMPTY = new Uint8Array(0);
const STORED_HEAD = 5;
const TAIL = Uint8Array.of(0, 0, 0xff, 0xff, 3, 0);

/** @param window plain bytes before the message; absent: there are none */
export const messageDeflateSlices: DecodeSlices = function* (bytes, limit, kernel, window = EMPTY) {
  const parts: Uint8Array[] = [];
  let size = 0;
  let behind = window;
  let rest = joinBytes([bytes, TAIL]);
  for (;;) {
    const begun = inflateSlices(withWindow(behind, rest), limit - size + behind.length, kernel);
    const plain = 'ok' in begun ? begun : yield* begun;
    if (!plain.ok) return plain;
    const own = plain.bytes.subarray(behind.length);
    const read = plain.consumed - (behind.length === 0 ? 0 : STORED_HEAD + behind.length);
    if (read === rest.length && parts.length === 0) return { ok: true, bytes: own };
    parts.push(own.slice());
    size += own.length;
    if (read === rest.length) return { ok: true, bytes: joinBytes(parts) };
    // A block marked as the last one may be followed by others (RFC 7692 §7.2.3.4).
    const next = new DeflateWindow(behind);
    next.add(own);
    behind = next.bytes;
    rest = rest.subarray(read);
  }
};

export const decodeMessageDeflate: Decode = (bytes, limit, window) =>
  atOnce(messageDeflateSlices(bytes, limit, decoders, window));

let joined = new Uint8Array(0);

/** Borrowed: valid until the next call. */
function withWindow(window: Uint8Array, bytes: Uint8Array): Uint8Array {
  if (window.length === 0) return bytes;
  const { length } = window;
  const size = STORED_HEAD + length + bytes.length;
  if (joined.length < size) joined = new Uint8Array(2 * size);
  joined.set([0, length & 255, length >> 8, ~length & 255, (~length >> 8) & 255]);
  joined.set(window, STORED_HEAD);
  joined.set(bytes, STORED_HEAD + length);
  return joined.subarray(0, size);
}
