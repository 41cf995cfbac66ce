/**
 * Traffic of a capture without readable messages, by protocol. Packets other than TCP count in the layer
 * `other-protocols`; connections without a known transport are unattributed.
 */
import { plural } from '../../model/count-text.ts';
import { CaptureClock, compareMoments, type Moment } from './capture-clock.ts';

export interface Traffic {
  /** `UDP`, `TLS`, `unknown` … */
  readonly name: string;
  readonly unit: 'packet' | 'connection';
  readonly count: number;
  readonly bytes: number;
  readonly isEncrypted: boolean;
  /** captureOffsets: of its first byte, and one past its last byte. */
  readonly start: number;
  readonly end: number;
  /** Its connections, at most three: `10.0.0.1:9300 ↔ 10.0.0.2:41412`. */
  readonly streams: readonly string[];
}

const MAX_STREAMS = 3;

export type TrafficOf = Omit<Traffic, 'count' | 'streams'> & { readonly stream?: string };

type Sum = { -readonly [K in keyof Omit<Traffic, 'streams'>]: Traffic[K] } & {
  first: Moment;
  streams: readonly { readonly at: Moment; readonly stream: string }[];
};

/** The traffic that one reader of a capture found, as data that can be posted. */
export type TrafficSums = readonly Readonly<Sum>[];

export class TrafficTally {
  readonly #clock: CaptureClock;
  readonly #sums = new Map<string, Sum>();

  /** @param others sums of other readers of the same capture */
  constructor(clock: CaptureClock = new CaptureClock(), others: readonly TrafficSums[] = []) {
    this.#clock = clock;
    for (const one of others.flat()) this.#add(one);
  }

  get sums(): TrafficSums {
    return [...this.#sums.values()];
  }

  /** Adds a packet or connection. */
  add({ stream, ...one }: TrafficOf): void {
    const known = this.#sums.get(keyOf(one));
    const isNew = known === undefined || (stream !== undefined && known.streams.length < MAX_STREAMS);
    if (isNew) {
      const { now } = this.#clock;
      this.#add({ ...one, count: 1, first: now, streams: stream === undefined ? [] : [{ at: now, stream }] });
    } else widen(known, one, 1);
  }

  #add(one: Readonly<Sum>): void {
    const key = keyOf(one);
    const sum = this.#sums.get(key);
    if (sum === undefined) {
      this.#sums.set(key, { ...one });
      return;
    }
    widen(sum, one, one.count);
    if (compareMoments(one.first, sum.first) < 0) sum.first = one.first;
    if (one.streams.length === 0) return;
    const streams = [...sum.streams, ...one.streams].sort((a, b) => compareMoments(a.at, b.at));
    sum.streams = streams.slice(0, MAX_STREAMS);
  }

  /** Most bytes first. */
  list(): readonly Traffic[] {
    return [...this.#sums.values()]
      .sort((a, b) => b.bytes - a.bytes || compareMoments(a.first, b.first))
      .map(({ first: _, streams, ...one }) => ({ ...one, streams: streams.map(({ stream }) => stream) }));
  }
}

const keyOf = ({ unit, name }: Pick<Traffic, 'unit' | 'name'>): string => `${unit} ${name}`;

function widen(sum: Sum, { bytes, start, end }: Pick<Traffic, 'bytes' | 'start' | 'end'>, count: number): void {
  sum.count += count;
  sum.bytes += bytes;
  sum.start = Math.min(sum.start, start);
  sum.end = Math.max(sum.end, end);
}

/** `3 connections of TLS, encrypted` */
export const printTraffic = ({
  name,
  unit,
  count,
  isEncrypted,
}: Pick<Traffic, 'name' | 'unit' | 'count' | 'isEncrypted'>): string =>
  `${plural(count, unit)} of ${name}${isEncrypted ? ', encrypted' : ''}`;
