/**
 * TCP segments of one direction, in the order captured → its bytes in the order sent (RFC 9293 §3.4).
 *
 *   delivered ──┤ next │ gap │ pending │ gap │ pending …
 *
 * If bytes are duplicated, the first ones count. A gap becomes a hole of known size when too many bytes wait after it or
 * the direction ends. Bytes that a snap length cut off become a hole at once. Offsets are stream offsets, so they never
 * wrap.
 */
import type { LayerTally } from '../capture/containers/packets-layers.ts';

/** Maximum bytes and segments that wait after a gap. Retransmission and reordering fill a gap much earlier. */
const MAX_PENDING_BYTES = 4 * 1024 * 1024;
const MAX_PENDING_SEGMENTS = 128;
/** Maximum number of holes that are known, to distinguish late bytes from those that were sent twice. */
const MAX_HOLES = 64;

/** The part of a TCP segment that its direction needs. */
export interface TcpSegment {
  /** Sequence number of the first byte. */
  readonly sequence: number;
  /** The bytes are [start, end) of these, borrowed. */
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** captureOffset of the first byte. */
  readonly captureOffset: number;
  /** Bytes after these that were on the wire and were not captured. */
  readonly cut: number;
  readonly time: number | null;
}

/** Receives a direction's bytes: [start, end) of `bytes`, borrowed. */
export interface ByteSink {
  data(bytes: Uint8Array, start: number, end: number, captureOffset: number, time: number | null): void;
  /**
   * @param size missing bytes @param captureOffset of the segment after the hole, or of the end of the capture
   * @param isCut the snap length cut the bytes off; otherwise their packets are not in the capture
   */
  hole(size: number, captureOffset: number, time: number | null, isCut: boolean): void;
  /** Bytes of an earlier hole, or before the first ones, are in the capture after all. They are not read. */
  late(size: number, captureOffset: number): void;
}

interface Pending extends TcpSegment {
  /** streamOffset */
  readonly offset: number;
}

export class Reassembler {
  /** Set before the first segment is entered. */
  sink: ByteSink | null = null;
  readonly #layers: LayerTally;
  /** Sequence number of streamOffset `next`; −1 before `begin`. */
  #sequence = -1;
  /** streamOffset of the next byte to deliver. */
  #next = 0;
  /** Sorted by offset, disjoint, all after `next`. Each has a copy of its bytes, from index 0 on. */
  #pending: Pending[] = [];
  #pendingBytes = 0;
  /** Stream offsets of bytes that were waited for, or that precede the first captured one, oldest first. */
  #holes: { readonly from: number; readonly to: number }[] = [];

  constructor(layers: LayerTally) {
    this.#layers = layers;
  }

  get begun(): boolean {
    return this.#sequence >= 0;
  }

  /** @param isFirst these are the first bytes of the direction: none can come before them */
  begin(sequence: number, isFirst: boolean): void {
    this.#sequence = sequence >>> 0;
    if (!isFirst) this.#holes.push({ from: Number.NEGATIVE_INFINITY, to: 0 });
  }

  /** Signed distance from the next expected byte. */
  distance(sequence: number): number {
    return (sequence - this.#sequence) | 0;
  }

  segment(segment: TcpSegment): void {
    const offset = this.#next + this.distance(segment.sequence);
    if (offset <= this.#next && this.#pending.length === 0) {
      this.#deliverFrom(offset, segment);
      return;
    }
    this.#insert(offset, segment);
    this.#drain();
    while (this.#pendingBytes > MAX_PENDING_BYTES || this.#pending.length > MAX_PENDING_SEGMENTS) this.#giveUpGap();
  }

  /** No more segments follow: delivers the waiting ones, with holes. */
  end(): void {
    while (this.#pending.length > 0) this.#giveUpGap();
  }

  #deliverFrom(offset: number, { bytes, start, end, captureOffset, cut, time }: TcpSegment): void {
    const length = end - start;
    const old = Math.min(length, this.#next - offset);
    this.#layers.retransmitted += old;
    if (old > 0) this.#noteLate(offset, offset + old, captureOffset);
    if (old < length) {
      this.#advance(length - old);
      this.sink!.data(bytes, start + old, end, captureOffset + old, time);
    }
    const wireEnd = offset + length + cut;
    const size = Math.min(wireEnd, this.#pending[0]?.offset ?? wireEnd) - this.#next;
    if (size > 0) {
      this.#advance(size);
      this.sink!.hole(size, captureOffset + length, time, true);
    }
  }

  #advance(count: number): void {
    this.#next += count;
    this.#sequence = (this.#sequence + count) >>> 0;
  }

  #insert(offset: number, segment: TcpSegment): void {
    const { bytes, start, captureOffset, cut } = segment;
    const length = segment.end - start;
    const end = offset + length;
    let from = Math.max(offset, this.#next);
    if (from > offset) this.#noteLate(offset, Math.min(end, from), captureOffset);
    let index = this.#pending.length;
    while (index > 0 && this.#pending[index - 1]!.offset >= from) index--;
    if (index > 0) {
      const before = this.#pending[index - 1]!;
      from = Math.max(from, before.offset + before.end);
    }
    let kept = 0;
    while (from < end || (cut > 0 && from === end)) {
      const there = this.#pending[index];
      const until = Math.min(end, there?.offset ?? end);
      if (until > from || (length === 0 && there?.offset !== from)) {
        this.#pending.splice(index, 0, {
          ...segment,
          offset: from,
          bytes: bytes.slice(start + from - offset, start + until - offset),
          start: 0,
          end: until - from,
          captureOffset: captureOffset + (from - offset),
          cut: until === end ? cut : 0,
        });
        kept += until - from;
        index++;
      }
      if (there === undefined || length === 0) break;
      from = there.offset + there.end;
      index++;
    }
    this.#pendingBytes += kept;
    this.#layers.retransmitted += length - kept;
  }

  #drain(): void {
    let count = 0;
    while (count < this.#pending.length && this.#pending[count]!.offset <= this.#next) {
      const segment = this.#pending[count]!;
      count++;
      this.#pendingBytes -= segment.end;
      const rest = this.#pending;
      // The hole after a cut segment ends at the next waiting segment.
      this.#pending = rest.slice(count);
      this.#deliverFrom(segment.offset, segment);
      this.#pending = rest;
    }
    if (count > 0) this.#pending = this.#pending.slice(count);
  }

  #giveUpGap(): void {
    const first = this.#pending[0]!;
    const size = first.offset - this.#next;
    this.#holes.push({ from: this.#next, to: first.offset });
    if (this.#holes.length > MAX_HOLES) this.#holes.shift();
    this.#advance(size);
    this.sink!.hole(size, first.captureOffset, first.time, false);
    this.#drain();
  }

  /** @param start to `end`: stream offsets of bytes that are not delivered */
  #noteLate(start: number, end: number, captureOffset: number): void {
    if (this.#holes.length === 0) return;
    let late = 0;
    this.#holes = this.#holes.flatMap((hole) => {
      const [from, to] = [Math.max(hole.from, start), Math.min(hole.to, end)];
      if (from >= to) return [hole];
      late += to - from;
      return [
        { from: hole.from, to: from },
        { from: to, to: hole.to },
      ].filter((rest) => rest.from < rest.to);
    });
    if (late > 0) this.sink!.late(late, captureOffset);
  }
}
