/** Counts missing bytes of connections with messages: gaps in their streams whose packets are not in the capture. */

export interface MissingBytes {
  readonly gaps: number;
  readonly bytes: number;
  readonly connections: number;
  /** Connection and direction of the first gap: `10.0.0.1:9300 → 10.0.0.2:41412`. */
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
