/** Bytes that were sent on connections with messages and whose packets are not in the capture: gaps in their streams. */

export interface MissingBytes {
  readonly gaps: number;
  readonly bytes: number;
  readonly connections: number;
  /** Where the first of them is: `10.0.0.1:9300 → 10.0.0.2:41412`. */
  readonly flow: string;
}

export class MissingTally {
  #sum: MissingBytes | null = null;

  /** Adds the missing bytes of one connection. */
  add(one: Omit<MissingBytes, 'connections'>): void {
    const { gaps, bytes, connections, flow } = this.#sum ?? { gaps: 0, bytes: 0, connections: 0, flow: one.flow };
    this.#sum = { gaps: gaps + one.gaps, bytes: bytes + one.bytes, connections: connections + 1, flow };
  }

  /** null: nothing is missing. */
  get sum(): MissingBytes | null {
    return this.#sum;
  }
}
