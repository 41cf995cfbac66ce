/**
 * The compressed messages of one direction in which each may copy from those before it (context takeover, RFC 7692
 * §7.1.1): the window that the next one needs to be decoded, and the places from which it can be made again.
 */
import { SLICE } from '../../compression/codec.ts';
import { DeflateWindow } from '../../compression/deflate-window.ts';
import type { BodyRef, History, MessagesBefore } from '../message.ts';

/**
 * A history ends after this number of messages or plain bytes, so that a message is decoded again after few others. The next
 * history keeps a window: at most 32 KiB.
 */
const LONGEST = 256;
const MOST_BYTES = SLICE;

export class Takeover {
  #window = new DeflateWindow();
  #bodies: BodyRef[] = [];
  #history: History = { window: this.#window.bytes, bodies: this.#bodies };
  #bytes = 0;
  #isBroken = false;

  /** The plain bytes before the next message. After a loss: those since then. Borrowed: valid until it is added. */
  get window(): Uint8Array {
    return this.#window.bytes;
  }

  /** Whether messages were lost, so that the next one may copy from bytes that are not in the window. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Adds the next message. Returns the ones that it may copy from. @param plain borrowed */
  add(body: BodyRef, plain: Uint8Array): MessagesBefore {
    if (this.#bodies.length === LONGEST || this.#bytes > MOST_BYTES) this.#begin();
    const count = this.#bodies.push(body) - 1;
    this.#bytes += plain.length;
    this.#window.add(plain);
    return { history: this.#history, count };
  }

  /** A message cannot be read: the next one is decoded without the bytes before it. */
  lose(): void {
    this.#window = new DeflateWindow();
    this.#isBroken = true;
    this.#begin();
  }

  #begin(): void {
    this.#bodies = [];
    this.#history = { window: this.#window.bytes.slice(), bodies: this.#bodies };
    this.#bytes = 0;
  }
}
