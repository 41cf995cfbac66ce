/**
 * Traffic of a capture without readable messages, by protocol. Packets other than TCP count in the layer
 * `other-protocols`; connections without a known transport are unattributed.
 */
import { countText } from '../../model/count-text.ts';

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

export class TrafficTally {
  readonly #sums = new Map<string, { -readonly [K in keyof Traffic]: Traffic[K] }>();

  /** Adds a packet or connection. */
  add({ stream, ...one }: TrafficOf): void {
    const key = `${one.unit} ${one.name}`;
    const streams = stream === undefined ? [] : [stream];
    const sum = this.#sums.get(key);
    if (sum === undefined) {
      this.#sums.set(key, { ...one, count: 1, streams });
      return;
    }
    sum.count++;
    sum.bytes += one.bytes;
    sum.start = Math.min(sum.start, one.start);
    sum.end = Math.max(sum.end, one.end);
    if (sum.streams.length < MAX_STREAMS) sum.streams = [...sum.streams, ...streams];
  }

  /** Most bytes first. */
  list(): readonly Traffic[] {
    return [...this.#sums.values()].sort((a, b) => b.bytes - a.bytes);
  }
}

/** `3 connections of TLS, encrypted` */
export const printTraffic = ({
  name,
  unit,
  count,
  isEncrypted,
}: Pick<Traffic, 'name' | 'unit' | 'count' | 'isEncrypted'>): string =>
  `${countText(count)} ${unit}${count === 1 ? '' : 's'} of ${name}${isEncrypted ? ', encrypted' : ''}`;
