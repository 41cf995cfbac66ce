/**
 * Messages to measure, by the request that contained them: all requests, or every nth request if there are too many.
 */

import type { Delimiter } from '../bytes/delimiter.ts';
import { GrowingBytes } from '../bytes/growing-bytes.ts';
import { type CapturedWith, countCaptured } from '../compression/captured-with.ts';
import type { Captured } from './encoding-row.ts';

/**
 * The contents of one compressed stream. A request is a body, or a transport's frame, that was compressed in one piece.
 */
export type CompressionUnit = 'message' | 'request' | 'joined';

export interface SampledMessage {
  readonly protobuf: Uint8Array;
  /** The captured message, if it was captured in another encoding. */
  readonly captured: Captured | undefined;
  /** Its number in the input; undefined: unknown. */
  readonly ordinal: number | undefined;
  /** As in `Joining`. */
  readonly delimiter: Delimiter | null;
}

export class MessageSample {
  /** Number of all messages; bytes of their protobuf form. */
  count = 0;
  bytes = 0;
  /** How all messages were compressed. */
  readonly capturedWith: CapturedWith = {};
  /** Number of the measured ones. */
  keptCount = 0;
  keptBytes = 0;
  #step = 1;
  #seen = 0;
  #request: string | undefined;
  #isKept = false;
  #requests: SampledMessage[][] = [];
  #bytes = new GrowingBytes();
  readonly #mostBytes: number;
  readonly #mostMessages: number;

  /** Sets the maximum that is kept. A single request may exceed it. */
  constructor(mostBytes: number, mostMessages: number = Number.POSITIVE_INFINITY) {
    this.#mostBytes = mostBytes;
    this.#mostMessages = mostMessages;
  }

  /** The messages of each stream. */
  streams(per: CompressionUnit): readonly (readonly SampledMessage[])[] {
    if (per === 'request') return this.#requests;
    const messages = this.#requests.flat();
    return per === 'joined' ? [messages] : messages.map((message) => [message]);
  }

  get isSampled(): boolean {
    return this.#step > 1;
  }

  /** Number of times that an amount of the measured messages is expected in all: by their bytes, if they have any. */
  get scale(): number {
    if (!this.isSampled) return 1;
    return this.keptBytes === 0 ? this.count / this.keptCount : this.bytes / this.keptBytes;
  }

  /**
   * @param protobuf copied, like the bytes and the rows of `captured`: both may be borrowed
   * @param request messages of the same request are consecutive; undefined: the message is a request of its own
   */
  add(
    protobuf: Uint8Array,
    {
      captured,
      request,
      ordinal,
      delimiter = null,
      steps = '',
    }: {
      readonly captured?: Captured | undefined;
      readonly request?: string | undefined;
      readonly ordinal?: number | undefined;
      readonly delimiter?: Delimiter | null;
      /** As in `Joining`. */
      readonly steps?: string | undefined;
    } = {},
  ): void {
    this.count++;
    this.bytes += protobuf.length;
    countCaptured(this.capturedWith, steps, (captured?.bytes ?? protobuf).length);
    let isFirst = false;
    if (request === undefined || request !== this.#request) {
      this.#isKept = this.#seen++ % this.#step === 0;
      this.#request = request;
      isFirst = true;
    }
    if (!this.#isKept) return;
    const message = {
      protobuf: this.#bytes.add(protobuf),
      captured: captured && copyOf(captured),
      ordinal,
      delimiter,
    };
    // A list that is made with its one message has no room for others, which most requests do not have.
    if (isFirst) this.#requests.push([message]);
    else this.#requests.at(-1)!.push(message);
    this.keptCount++;
    this.keptBytes += protobuf.length;
    while ((this.keptBytes > this.#mostBytes || this.keptCount > this.#mostMessages) && this.#requests.length > 1) {
      this.#halve();
    }
  }

  #halve(): void {
    const last = this.#requests.length - 1;
    this.#isKept = last % 2 === 0;
    this.#requests = this.#requests.filter((_, at) => at % 2 === 0);
    // Copied together: views keep the bytes of those that are left out.
    const bytes = new GrowingBytes();
    this.#requests = this.#requests.map((request) =>
      request.map((message) => ({ ...message, protobuf: bytes.add(message.protobuf) })),
    );
    this.#bytes = bytes;
    const kept = this.#requests.flat();
    this.keptCount = kept.length;
    this.keptBytes = kept.reduce((sum, { protobuf }) => sum + protobuf.length, 0);
    this.#step *= 2;
  }
}

const copyOf = ({ bytes, table, losses }: Captured): Captured => ({
  losses,
  bytes: bytes.slice(),
  table: { ...table, cells: table.cells.slice() },
});
