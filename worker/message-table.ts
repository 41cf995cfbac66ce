/** Where every message of the input lies: 12 bytes a message, whatever their number; the odd ones as they came. */
import type { BodyRef, Message } from '#engine/frame/message.ts';

export class MessageTable {
  length = 0;
  private starts = new Float64Array(1024);
  private sizes = new Uint32Array(1024);
  /** Bodies that are more than one plain piece. */
  private readonly odd = new Map<number, BodyRef>();

  add({ body, bytes }: Message): void {
    if (this.length === this.starts.length) this.grow();
    const piece = body.pieces[0];
    this.starts[this.length] = piece?.start ?? 0;
    this.sizes[this.length] = bytes;
    if (body.pieces.length !== 1 || body.compression !== null) this.odd.set(this.length, body);
    this.length++;
  }

  /** captureOffset of the payload. */
  startAt = (ordinal: number): number => this.starts[ordinal]!;

  /** Payload bytes. */
  sizeAt = (ordinal: number): number => this.sizes[ordinal]!;

  bodyAt(ordinal: number): BodyRef {
    const start = this.starts[ordinal]!;
    return this.odd.get(ordinal) ?? { pieces: [{ start, end: start + this.sizes[ordinal]! }], compression: null };
  }

  private grow(): void {
    const starts = new Float64Array(this.length * 2);
    starts.set(this.starts);
    this.starts = starts;
    const sizes = new Uint32Array(this.length * 2);
    sizes.set(this.sizes);
    this.sizes = sizes;
  }
}
