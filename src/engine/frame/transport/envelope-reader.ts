/**
 * The bytes of a body in an envelope, as they come → its messages, each as soon as it is whole: a stream may be open
 * for hours. A message that misses bytes is passed over, and the next one is read.
 */
import type { LayerTally, LossLayer } from '../../capture/containers/packets-layers.ts';
import type { LossRun } from '../../capture/containers/packets-log.ts';
import { sniffCodec } from '../../compression/signatures.ts';
import { countText, plural } from '../../model/count-text.ts';
import type { Piece } from '../message.ts';
import { codeIn, type Envelope, enterPart, goalOf, isWholeText, partAt } from './envelope.ts';
import type { EnvelopePart } from './envelope-part.ts';
import type { EndPart } from './grpc-status.ts';
import { beginsLines } from './json-parts.ts';
import { BodyParts, pieceSlicer, reportLostPieces } from './parts.ts';
import type { EmittedMessage } from './transport.ts';

const AFTER_GAP = 'The rest of a message, whose beginning was not captured.';
const BAD_PREFIX = 'No message begins here; the rest of the body is not read.';

/** `time`: when the message began. */
export type EnvelopeMessage = Pick<EmittedMessage, 'pieces' | 'steps' | 'headerBytes' | 'time'>;

/** @param wire as captured, borrowed @param type the one that the envelope names; null: it names none */
export type GiveMessage = (message: EnvelopeMessage, wire: Uint8Array, type: string | null) => void;

interface ReaderOptions {
  /** Maximum bytes of one message. */
  readonly limit: number;
  readonly layers: LayerTally;
  readonly envelope: () => Envelope;
  readonly give: GiveMessage;
  /** A part without a message. @param isAlone the body has no other part so far @param at captureOffset of the part */
  readonly giveEnd: (end: EndPart, isAlone: boolean, at: number) => void;
  readonly lose: (layer: LossLayer, code: string, reason: string, at: number) => LossRun;
}

const NONE: readonly string[] = [];
const LINE_END = 0x0a;
const startOf = (pieces: readonly Piece[]): number => pieces[0]?.start ?? 0;

type PieceSlicer = ReturnType<typeof pieceSlicer>;

export class EnvelopeReader {
  readonly #options: ReaderOptions;
  /** The current part: total bytes, 0: unknown so far; bytes that were received or are missing; when it began. */
  #needed = 0;
  #passed = 0;
  #time: number | null = null;
  /** The last byte of the current part; null: it has none so far. */
  #last: number | null = null;
  /** No part was read so far. */
  #isFirst = true;
  /** Bytes before the current part are missing, and the part may have begun there: their loss; null: none are. */
  #cut: ((at: number) => LossRun) | null = null;
  /** Bytes of the current part are missing, so it is counted and not given; null: no byte is missing so far. */
  damaged: LossRun | null = null;
  /** The received bytes of the current part. */
  readonly parts = new BodyParts();

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** Whether a part has begun and is not whole. */
  get isWithin(): boolean {
    return this.#passed > 0;
  }

  /** Whether `parts` are all of the body so far. */
  get isUnread(): boolean {
    return this.#isFirst && this.damaged === null;
  }

  /** Whether the body may turn out to be one text. */
  get mayBeOne(): boolean {
    const envelope = this.#options.envelope();
    return 'form' in envelope && envelope.mayBeOne === true && this.isUnread;
  }

  /** Whether a prefix was read. */
  get isSure(): boolean {
    return this.#needed > 0 || !this.#isFirst;
  }

  /**
   * @param bytes borrowed @param pieces the places of these bytes
   * @returns null: all bytes were read. Otherwise their number up to where the body is found not to begin with a part;
   * `parts` has the bytes before
   */
  add(bytes: Uint8Array, pieces: readonly Piece[], time: number | null): number | null {
    const piecesOf = pieceSlicer(pieces);
    let at = 0;
    while (at < bytes.length) {
      if (this.#isLine && !this.#giveLine(bytes[at])) return at;
      if (this.#passed === 0) {
        this.#time = time;
        const next = this.#readWhole(bytes, at, piecesOf);
        if (next > at) {
          at = next;
          continue;
        }
      }
      const goal = this.#needed || goalOf(this.#options.envelope(), this.#passed, this.#last, bytes, at);
      const count = Math.min(goal - this.#passed, bytes.length - at);
      const places = piecesOf(at, at + count);
      if (this.damaged !== null) reportLostPieces(this.damaged, places);
      else this.parts.add(bytes.subarray(at, at + count), places);
      this.#passed += count;
      at += count;
      this.#last = bytes[at - 1]!;
      if (this.#passed === goal && !this.#step()) return at;
      if (goal === Number.POSITIVE_INFINITY) this.#checkSize(this.#passed);
    }
    return null;
  }

  /** Whether the first line of a body that may be one text is whole. The next byte decides. */
  get #isLine(): boolean {
    return this.#last === LINE_END && this.mayBeOne;
  }

  /** @param next the byte after the first line; absent: it is not known @returns false: the body is one text */
  #giveLine(next?: number): boolean {
    const line = this.parts.whole();
    if (!beginsLines(line, next)) return false;
    this.#give(
      partAt(line, 0, this.#options.envelope(), true) as EnvelopePart,
      0,
      line,
      pieceSlicer(this.parts.pieces),
    );
    this.restart();
    return true;
  }

  /** A longer part is passed over. @param size its bytes so far */
  #checkSize(size: number): void {
    const { limit, envelope } = this.#options;
    if (size <= limit || this.damaged !== null) return;
    const reason = `A message of ${countText(size)} bytes is passed over: at most ${countText(limit)} are held.`;
    this.damage(codeIn(envelope(), 'too-large'), reason);
  }

  /** Gives the whole parts from `at` on. @returns where the first other part begins */
  #readWhole(bytes: Uint8Array, at: number, piecesOf: PieceSlicer): number {
    const { limit, envelope } = this.#options;
    const known = envelope();
    if (this.mayBeOne) return at;
    for (let next = at; ; at = next) {
      const part = at < bytes.length ? partAt(bytes, at, known, false) : 'more';
      if (typeof part === 'string' || part.next > bytes.length || part.end - part.start > limit) return at;
      if (this.#isCoded(bytes.subarray(at))) return at;
      this.#give(part, at, bytes, piecesOf);
      next = part.next;
    }
  }

  /** @returns false: the body does not begin with a part */
  #step(): boolean {
    if (this.#isLine) return true;
    const { envelope } = this.#options;
    const part = this.damaged === null ? partAt(this.parts.whole(), 0, envelope(), true) : null;
    if (part === 'no' && this.#isFirst) return false;
    if (part === 'no' && this.#cut !== null) {
      this.parts.lose(this.#cut(startOf(this.parts.pieces)));
      this.restart();
      return true;
    }
    if (part === 'no') this.refuse(codeIn(envelope(), 'prefix'));
    if (part === 'no' || part === 'more') return true;
    if (part !== null && this.#needed === 0) {
      this.#needed = part.next;
      this.#checkSize(part.end - part.start);
    }
    if (this.#passed < this.#needed) return true;
    if (part !== null && this.damaged === null) {
      const whole = this.parts.whole();
      if (this.#isCoded(whole)) return false;
      this.#give(part, 0, whole, pieceSlicer(this.parts.pieces));
    }
    this.restart();
    return true;
  }

  /** A size may have the value that a compressed body begins with. */
  #isCoded(bytes: Uint8Array): boolean {
    return this.#isFirst && sniffCodec(bytes) !== null;
  }

  #give(part: EnvelopePart, at: number, bytes: Uint8Array, piecesOf: PieceSlicer): void {
    const { start, end, next, codec, type = null } = part;
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    const cut = this.#cut;
    this.#cut = null;
    if (cut !== null && !isWholeText(bytes, part)) {
      const lost = piecesOf(at, next);
      reportLostPieces(cut(startOf(lost)), lost);
      return;
    }
    enterPart(this.#options.layers, this.#options.envelope(), part, at);
    const pieces = piecesOf(start, end);
    if (!part.isMessage) {
      this.#options.giveEnd({ bytes: bytes.subarray(start, end), codec }, isFirst, startOf(pieces));
      return;
    }
    const steps = codec === null ? NONE : [codec];
    const message = { pieces, steps, headerBytes: next - at - (end - start), time: this.#time };
    this.#options.give(message, bytes.subarray(start, end), type);
  }

  /**
   * @param at captureOffset to report if no byte of the part was received
   * @returns false: where the next part begins is not known; the part is still the damaged one
   */
  hole(size: number, at: number): boolean {
    const left = this.#needed - this.#passed;
    const reason = `A message misses ${plural(size, 'byte')} that ${size === 1 ? 'was' : 'were'} not captured.`;
    const run = this.damage(codeIn(this.#options.envelope(), 'incomplete'), reason, at);
    if (this.#isSeparated) {
      this.#continueAfter(() => run);
      return true;
    }
    if (this.#needed === 0 || size > left) return false;
    this.#passed += size;
    if (size === left) this.restart();
    return true;
  }

  /** An unknown number of bytes is missing. @returns false: where the next part begins is not known */
  skip(): boolean {
    if (!this.#isSeparated) return false;
    const code = codeIn(this.#options.envelope(), 'incomplete');
    if (this.isWithin) this.damage(code, 'A message is not whole.');
    this.#continueAfter((at) => this.#options.lose('incomplete', code, AFTER_GAP, at));
    return true;
  }

  /** Whether a separator shows where the next part begins. */
  get #isSeparated(): boolean {
    const envelope = this.#options.envelope();
    return 'form' in envelope && !(envelope.mayBeOne && this.#isFirst);
  }

  /** The next part may have begun before the next byte. @param cut begins its loss */
  #continueAfter(cut: (at: number) => LossRun): void {
    this.restart();
    this.#cut = cut;
  }

  /** The body ends. The last part may end with it. */
  finish(): void {
    if (this.damaged !== null || !this.isWithin || !('form' in this.#options.envelope())) return;
    const part = partAt(this.parts.whole(), 0, this.#options.envelope(), true);
    if (typeof part === 'string') return;
    this.#give(part, 0, this.parts.whole(), pieceSlicer(this.parts.pieces));
    this.restart();
  }

  /** The following bytes were not captured. The first line is given without what follows it. */
  cut(): void {
    if (this.#isLine) this.#giveLine();
  }

  /** The current part is not given. @param at captureOffset to report if no byte of it was received */
  damage(code: string, reason: string, at = 0): LossRun {
    this.damaged ??= this.#options.lose('incomplete', code, reason, this.parts.pieces[0]?.start ?? at);
    this.parts.lose(this.damaged);
    return this.damaged;
  }

  /** No part begins where `parts` begin: they and all that follows are lost. */
  refuse(code: string): LossRun {
    this.damaged = this.#options.lose('unattributed', code, BAD_PREFIX, this.parts.pieces[0]?.start ?? 0);
    this.parts.lose(this.damaged);
    this.#needed = Number.POSITIVE_INFINITY;
    return this.damaged;
  }

  /** The next byte begins a part. */
  restart(): void {
    this.parts.clear();
    this.#needed = 0;
    this.#passed = 0;
    this.#last = null;
    this.#cut = null;
    this.damaged = null;
    this.#isFirst = false;
  }
}
