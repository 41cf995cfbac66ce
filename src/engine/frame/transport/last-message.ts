/**
 * The last message of a response of gRPC, gRPC-web or Connect waits for the status that follows it. Later messages of
 * the client wait behind it.
 */
import type { EmittedMessage, TransportContext } from './transport.ts';

/** More bytes do not wait. */
const LONGEST_HELD = 4 * 1024 * 1024;

interface Waiting {
  readonly draft: EmittedMessage;
  readonly wire: Uint8Array;
}

export class LastMessage {
  readonly #emit: TransportContext['emit'];
  #held: Waiting | null = null;
  /** Messages of the client behind it, in order; null: the next one may be what it answers. */
  #behind: Waiting[] | null = null;
  #bytes = 0;

  constructor({ emit }: Pick<TransportContext, 'emit'>) {
    this.#emit = emit;
  }

  /** The next message: the one before it was not the last one. @param wire borrowed */
  hold(draft: EmittedMessage, wire: Uint8Array): void {
    this.release(null);
    if (wire.length > LONGEST_HELD) this.#emit(draft, wire);
    else this.#held = this.#keep(draft, wire);
  }

  /** The client begins another message: it comes behind the one that waits. */
  line(): void {
    if (this.#held !== null) this.#behind ??= [];
  }

  /** A message of the client. @param wire borrowed */
  follow(draft: EmittedMessage, wire: Uint8Array): void {
    if (this.#bytes + wire.length > LONGEST_HELD) this.release(null);
    if (this.#behind === null) this.#emit(draft, wire);
    else this.#behind.push(this.#keep(draft, wire));
  }

  /** @param status null: it ended with none, or without an error; or it was not captured */
  release(status: string | null): void {
    if (this.#held === null) return;
    const { draft, wire } = this.#held;
    const behind = this.#behind ?? [];
    this.#held = this.#behind = null;
    this.#bytes = 0;
    this.#emit(status === null ? draft : { ...draft, status }, wire);
    for (const waiting of behind) this.#emit(waiting.draft, waiting.wire);
  }

  #keep(draft: EmittedMessage, wire: Uint8Array): Waiting {
    this.#bytes += wire.length;
    return { draft, wire: wire.slice() };
  }
}
