/** Messages to be measured: all of them, or every nth where there are too many. */

const MOST_BYTES = 32 * 1024 * 1024;

export class MessageSample {
  /** All there were. */
  count = 0;
  bytes = 0;
  #step = 1;
  #keptBytes = 0;
  #messages: Uint8Array[] = [];

  get messages(): readonly Uint8Array[] {
    return this.#messages;
  }

  get isSampled(): boolean {
    return this.#step > 1;
  }

  /** Of the messages that are measured. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  /** @param message is copied */
  add(message: Uint8Array): void {
    const index = this.count++;
    this.bytes += message.length;
    if (index % this.#step !== 0) return;
    this.#messages.push(message.slice());
    this.#keptBytes += message.length;
    while (this.#keptBytes > MOST_BYTES && this.#messages.length > 1) {
      this.#messages = this.#messages.filter((_, at) => at % 2 === 0);
      this.#keptBytes = this.#messages.reduce((sum, { length }) => sum + length, 0);
      this.#step *= 2;
    }
  }
}
