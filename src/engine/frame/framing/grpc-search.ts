/**
 * DATA frames of an h2 stream → the first frames from which gRPC can be read again. The search is needed if the
 * stream's beginning was not captured, or if a hole hides where the next message begins.
 *
 *   DATA │ (compressed flag×1 │ length×4 │ message)+ │     begins and ends at the boundaries of frames
 *
 * A place is accepted if messages begin and end at the boundaries of frames, and if the contents of each look like a
 * message. This excludes zeros, numbers and text that happen to begin like a prefix. An empty message proves nothing,
 * so the search does not begin with one.
 */

import { SLICE } from '../../compression/codec.ts';
import { decodeBody } from '../../compression/registry.ts';
import { sniffCodec } from '../../compression/signatures.ts';
import type { Piece } from '../message.ts';
import { looksLikeMessage, type Shapes } from '../plausible-message.ts';
import type { GrpcEnvelope } from '../transport/envelope.ts';
import { BodyParts, slicePieces } from '../transport/parts.ts';

const PREFIX = 5;
/** Larger messages are not searched for. */
const LONGEST = 16 * 1024 * 1024;

interface FoundFrame {
  /** Borrowed: valid until the next `add` or `drop`. */
  readonly bytes: Uint8Array;
  readonly pieces: readonly Piece[];
  readonly time: number | null;
}

interface HeldFrame {
  readonly start: number;
  readonly end: number;
  readonly pieces: readonly Piece[];
  readonly time: number | null;
}

export interface GrpcSearchOptions {
  /** Maximum bytes of one message. */
  readonly limit: number;
  /** Its codec is null if the headers are unknown. A part without a message follows messages. */
  readonly envelope: () => GrpcEnvelope;
  /** Called with bytes that the search gives up. */
  readonly onDropped: (pieces: readonly Piece[]) => void;
}

export class GrpcSearch {
  readonly #options: GrpcSearchOptions;
  readonly #parts = new BodyParts();
  #frames: HeldFrame[] = [];
  #shapes: Shapes = new Map();
  /**
   * Offsets in the held bytes: where the current message begins, with its prefix, and where it ends; 0: not known yet.
   */
  #from = 0;
  #to = 0;

  constructor(options: GrpcSearchOptions) {
    this.#options = options;
  }

  /** @param bytes of a whole DATA frame, borrowed @returns null: no place has been found yet */
  add(bytes: Uint8Array, pieces: readonly Piece[], time: number | null): readonly FoundFrame[] | null {
    if (this.#frames.length === 0 && bytes.length < PREFIX) {
      this.#options.onDropped(pieces);
      return null;
    }
    const start = this.#parts.size;
    this.#parts.add(bytes, pieces);
    this.#frames.push({ start, end: this.#parts.size, pieces, time });
    const verdict = this.#walk();
    if (verdict === 'no') {
      const isFirst = start === 0;
      const own = isFirst ? null : bytes.slice();
      this.drop(isFirst ? 0 : bytes.length);
      // No message began in the bytes of earlier frames. One may begin in this frame.
      return own === null ? null : this.add(own, pieces, time);
    }
    if (verdict === 'more') return null;
    const whole = this.#parts.whole();
    return this.#frames.map((frame) => ({ ...frame, bytes: whole.subarray(frame.start, frame.end) }));
  }

  /** @param kept number of bytes of the newest frame that are kept */
  drop(kept = 0): void {
    this.#options.onDropped(slicePieces(this.#parts.pieces, 0, this.#parts.size - kept));
    this.clear();
  }

  /** Forgets the found messages after they were read. */
  clear(): void {
    this.#parts.clear();
    this.#frames = [];
    this.#shapes = new Map();
    this.#from = 0;
    this.#to = 0;
  }

  #walk(): 'yes' | 'no' | 'more' {
    const bytes = this.#parts.whole();
    for (;;) {
      if (this.#to === 0) {
        if (this.#from > 0 && this.#from === bytes.length) return 'yes';
        if (bytes.length - this.#from < PREFIX) return 'more';
        const length = new DataView(bytes.buffer, bytes.byteOffset + this.#from).getUint32(1);
        if (
          (bytes[this.#from]! & ~(this.#options.envelope().end | 1)) !== 0 ||
          length === 0 ||
          length > Math.min(LONGEST, this.#options.limit)
        )
          return 'no';
        this.#to = this.#from + PREFIX + length;
      } else if (this.#to > bytes.length) return 'more';
      // The available bytes of a message are judged before the rest is received.
      if (!this.#isMessage(bytes)) return 'no';
      if (this.#to > bytes.length) return 'more';
      this.#from = this.#to;
      this.#to = 0;
    }
  }

  #isMessage(bytes: Uint8Array): boolean {
    const start = this.#from + PREFIX;
    const { end, codec: named } = this.#options.envelope();
    if (bytes[this.#from]! & end) return this.#from > 0;
    if (bytes[this.#from] === 0) return looksLikeMessage(bytes, start, this.#to, this.#shapes);
    const packed = bytes.subarray(start, this.#to);
    const codec = named ?? sniffCodec(packed);
    if (this.#to > bytes.length) return codec !== null || packed.length < 4;
    if (codec === null) return false;
    const plain = decodeBody(packed, codec, Math.min(this.#options.limit, SLICE));
    if (plain.ok) return looksLikeMessage(plain.bytes, 0, plain.bytes.length, this.#shapes);
    // The bytes follow the rules of the codec for a whole slice, which is evidence enough.
    return plain.reason === 'limit' && this.#options.limit > SLICE;
  }
}
