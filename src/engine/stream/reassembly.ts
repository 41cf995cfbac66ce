/**
 * TCP segments of one direction, in the order captured → its bytes in the order sent (RFC 9293 §3.4).
 *
 *   delivered ──┤ next │ gap │ pending │ gap │ pending …
 *
 * Of bytes that come twice the first win. A gap is given up, as a hole of known size, when too much waits behind it or
 * nothing more comes; bytes that a snap length cut are a hole at once. Offsets are of the stream, so they never wrap.
 */
import type { LayerTally } from '../capture/packets-layers.ts';

/** What may wait behind a gap: bytes, segments. Retransmission and reordering fill one far earlier. */
const MOST_PENDING_BYTES = 4 * 1024 * 1024;
const MOST_PENDING_SEGMENTS = 128;

/** Where a direction's bytes go. `bytes` is borrowed. */
export interface ByteSink {
  data(bytes: Uint8Array, captureOffset: number, time: number | null): void;
  /** @param size bytes missing @param captureOffset of the segment behind the hole, or where the capture ends */
  hole(size: number, captureOffset: number, time: number | null): void;
}

interface Pending {
  /** streamOffset */
  readonly offset: number;
  readonly bytes: Uint8Array;
  readonly captureOffset: number;
  /** Bytes behind these that were on the wire and not captured. */
  readonly cut: number;
  readonly time: number | null;
}

export class Reassembler {
  readonly #sink: ByteSink;
  readonly #layers: LayerTally;
  /** Sequence number of streamOffset `next`; −1 before `begin`. */
  #sequence = -1;
  /** streamOffset of the next byte to deliver. */
  #next = 0;
  /** Sorted by offset, disjoint, all beyond `next`. */
  #pending: Pending[] = [];
  #pendingBytes = 0;

  constructor(sink: ByteSink, layers: LayerTally) {
    this.#sink = sink;
    this.#layers = layers;
  }

  get begun(): boolean {
    return this.#sequence >= 0;
  }

  begin(sequence: number): void {
    this.#sequence = sequence >>> 0;
  }

  /** Signed distance from the next expected byte. */
  distance(sequence: number): number {
    return (sequence - this.#sequence) | 0;
  }

  /** @param cut bytes behind `bytes` that were on the wire and not captured */
  segment(sequence: number, bytes: Uint8Array, captureOffset: number, cut: number, time: number | null): void {
    const offset = this.#next + this.distance(sequence);
    if (offset <= this.#next && this.#pending.length === 0) {
      this.#deliverFrom(offset, bytes, captureOffset, cut, time);
      return;
    }
    this.#insert(offset, bytes, captureOffset, cut, time);
    this.#drain();
    while (this.#pendingBytes > MOST_PENDING_BYTES || this.#pending.length > MOST_PENDING_SEGMENTS) this.#giveUpGap();
  }

  /** Nothing more comes: what waits is delivered, with holes. */
  end(): void {
    while (this.#pending.length > 0) this.#giveUpGap();
  }

  #deliverFrom(offset: number, bytes: Uint8Array, captureOffset: number, cut: number, time: number | null): void {
    const old = Math.min(bytes.length, this.#next - offset);
    this.#layers.retransmitted += old;
    if (old < bytes.length) {
      const fresh = bytes.length - old;
      this.#advance(fresh);
      this.#sink.data(old === 0 ? bytes : bytes.subarray(old), captureOffset + old, time);
    }
    const wireEnd = offset + bytes.length + cut;
    if (cut > 0 && wireEnd > this.#next) {
      const until = Math.min(wireEnd, this.#pending[0]?.offset ?? wireEnd);
      const size = until - this.#next;
      if (size > 0) {
        this.#advance(size);
        this.#sink.hole(size, captureOffset + bytes.length, time);
      }
    }
  }

  #advance(count: number): void {
    this.#next += count;
    this.#sequence = (this.#sequence + count) >>> 0;
  }

  #insert(offset: number, bytes: Uint8Array, captureOffset: number, cut: number, time: number | null): void {
    const end = offset + bytes.length;
    let from = Math.max(offset, this.#next);
    let index = this.#pending.length;
    while (index > 0 && this.#pending[index - 1]!.offset >= from) index--;
    if (index > 0) {
      const before = this.#pending[index - 1]!;
      from = Math.max(from, before.offset + before.bytes.length);
    }
    let kept = 0;
    while (from < end || (bytes.length === 0 && cut > 0 && from <= end)) {
      const there = this.#pending[index];
      const until = Math.min(end, there?.offset ?? end);
      if (until > from || (bytes.length === 0 && there?.offset !== from)) {
        this.#pending.splice(index, 0, {
          offset: from,
          bytes: bytes.slice(from - offset, until - offset),
          captureOffset: captureOffset + (from - offset),
          cut: until === end ? cut : 0,
          time,
        });
        kept += until - from;
        index++;
      }
      if (there === undefined || bytes.length === 0) break;
      from = there.offset + there.bytes.length;
      index++;
    }
    this.#pendingBytes += kept;
    this.#layers.retransmitted += bytes.length - kept;
  }

  #drain(): void {
    let count = 0;
    while (count < this.#pending.length && this.#pending[count]!.offset <= this.#next) {
      const { offset, bytes, captureOffset, cut, time } = this.#pending[count]!;
      count++;
      this.#pendingBytes -= bytes.length;
      const rest = this.#pending;
      // The hole behind a cut segment ends where the next one waits.
      this.#pending = rest.slice(count);
      this.#deliverFrom(offset, bytes, captureOffset, cut, time);
      this.#pending = rest;
    }
    if (count > 0) this.#pending = this.#pending.slice(count);
  }

  #giveUpGap(): void {
    const first = this.#pending[0]!;
    const size = first.offset - this.#next;
    if (size > 0) {
      this.#advance(size);
      this.#sink.hole(size, first.captureOffset, first.time);
    }
    this.#drain();
  }
}
