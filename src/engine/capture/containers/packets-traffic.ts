/**
 * What is in a capture beside what messages are read of, by the name it is known by: packets that are not TCP, whose
 * bytes are those of the layer `other-protocols`, and connections of no transport, whose bytes are unattributed.
 */

export interface Traffic {
  /** `UDP`, `TLS`, `unknown` … */
  readonly name: string;
  readonly unit: 'packet' | 'connection';
  readonly count: number;
  readonly bytes: number;
  readonly isEncrypted: boolean;
  /** captureOffset of the first of it. */
  readonly start: number;
}

export type TrafficOf = Omit<Traffic, 'count'>;

export class TrafficTally {
  readonly #sums = new Map<string, { -readonly [K in keyof Traffic]: Traffic[K] }>();

  /** One packet or connection more. */
  add(one: TrafficOf): void {
    const key = `${one.unit} ${one.name}`;
    const sum = this.#sums.get(key);
    if (sum === undefined) {
      this.#sums.set(key, { ...one, count: 1 });
      return;
    }
    sum.count++;
    sum.bytes += one.bytes;
  }

  /** Those with the most bytes first. */
  list(): readonly Traffic[] {
    return [...this.#sums.values()].sort((a, b) => b.bytes - a.bytes);
  }
}

/** `3 connections of TLS, encrypted` */
export const printTraffic = ({ name, unit, count, isEncrypted }: Omit<Traffic, 'bytes' | 'start'>): string =>
  `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'} of ${name}${isEncrypted ? ', encrypted' : ''}`;
