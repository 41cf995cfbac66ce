/**
 * The compressed messages of one direction in which each may copy from those before it (context takeover, RFC 7692
 * §7.1.1): the window that the next one needs to be decoded, and the places from which it can be made again.
 */
import { SLICE } from '../../compression/codec.ts';
import { windowAfter } from '../../compression/message-deflate.ts';
import type { BodyRef, History, MessagesBefore } from '../message.ts';

/**
 * A history ends after so many messages or plain bytes, so that a message is decoded again after few others. The next
 * history keeps a window: at most 32 KiB.
 */
const LONGEST = 256;
const MOST_BYTES = SLICE;

const NOTHING = new Uint8Array(0);

export class Takeover {
  #window: Uint8Array = NOTHING;
  #bodies: BodyRef[] = [];
  #history: History = { window: NOTHING, bodies: this.#bodies };
  #bytes = 0;
  #isBroken = false;

  /** The plain bytes before the next message. After a loss: those since then. */
  get window(): Uint8Array {
    return this.#window;
  }

  /** Whether messages were lost, so that the next one may copy from bytes that are not in the window. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Adds the next message. Returns what it may copy from. @param plain borrowed */
  add(body: BodyRef, plain: Uint8Array): MessagesBefore {
    if (this.#bodies.length === LONGEST || this.#bytes > MOST_BYTES) this.#begin();
    const count = this.#bodies.push(body) - 1;
    this.#bytes += plain.length;
    this.#window = windowAfter(this.#window, plain);
    return { history: this.#history, count };
  }

  /** A message cannot be read: the next one is decoded without the bytes before it. */
  lose(): void {
    this.#window = NOTHING;
    this.#isBroken = true;
    this.#begin();
  }

  #begin(): void {
    this.#bodies = [];
    this.#history = { window: this.#window, bodies: this.#bodies };
    this.#bytes = 0;
  }
}
