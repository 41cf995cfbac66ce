/** The last message of a response of gRPC, gRPC-web or Connect waits for the status that follows it. */
import type { EmittedMessage, TransportContext } from './transport.ts';

/** A larger message does not wait. */
const LONGEST_HELD = 4 * 1024 * 1024;

export class LastMessage {
  readonly #emit: TransportContext['emit'];
  #held: { readonly draft: EmittedMessage; readonly wire: Uint8Array } | null = null;

  constructor({ emit }: Pick<TransportContext, 'emit'>) {
    this.#emit = emit;
  }

  /** The next message: the one before it was not the last one. @param wire borrowed */
  hold(draft: EmittedMessage, wire: Uint8Array): void {
    this.release(null);
    if (wire.length > LONGEST_HELD) this.#emit(draft, wire);
    else this.#held = { draft, wire: wire.slice() };
  }

  /** @param status null: it ended with none, or without an error; or it was not captured */
  release(status: string | null): void {
    if (this.#held === null) return;
    const { draft, wire } = this.#held;
    this.#held = null;
    this.#emit(status === null ? draft : { ...draft, status }, wire);
  }
}
