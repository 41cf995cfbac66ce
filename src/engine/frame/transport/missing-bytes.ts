/** Counts missing bytes of connections with messages: gaps in their streams whose packets are not in the capture. */

import { type CaptureClock, compareMoments, type Moment } from '../../capture/containers/capture-clock.ts';

export interface MissingBytes {
  readonly gaps: number;
  readonly bytes: number;
  readonly connections: number;
  /** Connection and direction of the first gap: `10.0.0.1:9300 → 10.0.0.2:41412`. */
  readonly flow: string;
}

/** The missing bytes that one reader of a capture counted. */
export interface MissingSum extends MissingBytes {
  readonly first: Moment;
}

export class MissingTally {
  readonly #clock: CaptureClock;
  #sum: MissingSum | null = null;

  constructor(clock: CaptureClock) {
    this.#clock = clock;
  }

  /** Adds the missing bytes of one connection. */
  add(one: Omit<MissingBytes, 'connections'>): void {
    const all: readonly MissingSum[] = [{ ...one, connections: 1, first: this.#clock.now }];
    this.#sum = joinMissing(this.#sum === null ? all : [this.#sum, ...all]);
  }

  /** null: nothing is missing. */
  get sum(): MissingSum | null {
    return this.#sum;
  }
}

/** null: nothing is missing. */
export function joinMissing(sums: readonly (MissingSum | null)[]): MissingSum | null {
  return sums
    .filter((sum) => sum !== null)
    .reduce<MissingSum | null>((all, one) => {
      if (all === null) return one;
      const { flow, first } = compareMoments(one.first, all.first) < 0 ? one : all;
      return {
        gaps: all.gaps + one.gaps,
        bytes: all.bytes + one.bytes,
        connections: all.connections + one.connections,
        flow,
        first,
      };
    }, null);
}
