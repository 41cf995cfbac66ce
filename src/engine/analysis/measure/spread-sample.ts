/**
 * A sample of messages that arrive one by one, spread evenly over all of them although their number is not known in
 * advance. Every n-th message is kept. If the sample grows too large, every second kept message is dropped and n
 * doubles. The same messages give the same sample, independent of how they are read.
 */
export class SpreadSample {
  readonly #most: { readonly messages: number; readonly bytes: number };
  #kept: { readonly bytes: Uint8Array; readonly isCut: boolean }[] = [];
  #bytes = 0;
  #step = 1;
  #seen = 0;

  constructor(messages: number, bytes: number) {
    this.#most = { messages, bytes };
  }

  /** Number of messages that were offered, kept or not. */
  get seen(): number {
    return this.#seen;
  }

  /** In the order of the messages. `isCut`: the message continues after the bytes. */
  get kept(): readonly { readonly bytes: Uint8Array; readonly isCut: boolean }[] {
    return this.#kept;
  }

  /** Whether the next message would be kept. If not, call `skip` instead of reading it. */
  get wantsNext(): boolean {
    return this.#seen % this.#step === 0;
  }

  skip(): void {
    this.#seen++;
  }

  /** @param message borrowed */
  add(message: Uint8Array): void {
    const isWanted = this.wantsNext;
    this.#seen++;
    if (!isWanted) return;
    const bytes = message.slice(0, this.#most.bytes);
    this.#kept.push({ bytes, isCut: bytes.length < message.length });
    this.#bytes += bytes.length;
    while (this.#kept.length > 1 && (this.#kept.length > this.#most.messages || this.#bytes > this.#most.bytes)) {
      this.#kept = this.#kept.filter((_, at) => at % 2 === 0);
      this.#bytes = this.#kept.reduce((sum, { bytes: { length } }) => sum + length, 0);
      this.#step *= 2;
    }
  }
}
