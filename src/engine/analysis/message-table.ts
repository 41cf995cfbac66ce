/**
 * Every message of the input as a row of numbers: its place, its size, and what the capture records about it. No
 * message bytes are kept. A column takes no memory until a row has a value for it: a payload takes 12 bytes.
 */
import type { BodyRef, Message, Piece } from '../frame/message.ts';
import { MessageGroups } from './message-groups.ts';
import { bytesColumn, countsColumn, NumberColumn, numbersColumn } from './number-column.ts';
import { WordList } from './string-table.ts';

const DIRECTIONS = [null, 'request', 'response'] as const;

export class MessageTable {
  length = 0;
  readonly groups = new MessageGroups();
  readonly flows = new WordList();
  /** Bytes and messages by flow, at the flow's number. */
  readonly flowMessages = new NumberColumn(countsColumn, 0);
  readonly flowBytes = new NumberColumn(numbersColumn, 0);
  readonly statuses = new WordList();
  /** Plain and captured bytes of all messages. */
  plainBytes = 0;
  capturedBytes = 0;
  firstTime = Number.POSITIVE_INFINITY;
  lastTime = Number.NEGATIVE_INFINITY;
  readonly #starts = new NumberColumn(numbersColumn, 0);
  readonly #sizes = new NumberColumn(countsColumn, 0);
  /** Captured bytes minus plain bytes: 0 if the message is not compressed. */
  readonly #packings = new NumberColumn(numbersColumn, 0);
  readonly #headers = new NumberColumn(countsColumn, 0);
  readonly #times = new NumberColumn(numbersColumn, Number.NaN);
  readonly #directions = new NumberColumn(bytesColumn, 0);
  readonly #group = new NumberColumn(countsColumn, 0);
  readonly #flow = new NumberColumn(countsColumn, 0);
  readonly #status = new NumberColumn(countsColumn, 0);
  readonly #versions = new WordList();
  readonly #version = new NumberColumn(countsColumn, 0);
  readonly #compressions = new WordList();
  readonly #compression = new NumberColumn(countsColumn, 0);
  /** Where the pieces after the first begin in the pools, and their number. */
  readonly #more = new NumberColumn(countsColumn, 0);
  readonly #moreCount = new NumberColumn(countsColumn, 0);
  readonly #poolStarts = new NumberColumn(numbersColumn, 0);
  readonly #poolEnds = new NumberColumn(numbersColumn, 0);
  #pooled = 0;
  /** End of the first piece, where it differs from the end of the captured body. */
  readonly #firstEnds = new NumberColumn(numbersColumn, 0);
  /**
   * Headers that are written as messages: the start of the first piece, and where the other pieces are in the pools.
   */
  readonly #headerStarts = new NumberColumn(numbersColumn, 0);
  readonly #headerEnds = new NumberColumn(numbersColumn, 0);
  readonly #headerMore = new NumberColumn(countsColumn, 0);
  readonly #headerMoreCount = new NumberColumn(countsColumn, 0);

  add(message: Message): void {
    const { body, bytes, capturedBytes, time, headerBytes = 0 } = message;
    const row = this.length++;
    const [first, ...rest] = body.pieces;
    this.#starts.set(row, first?.start ?? 0);
    this.#sizes.set(row, bytes);
    this.#packings.set(row, capturedBytes - bytes);
    this.#headers.set(row, headerBytes);
    this.#times.set(row, time ?? Number.NaN);
    this.#directions.set(row, DIRECTIONS.indexOf(message.direction));
    this.#status.set(row, this.statuses.numberOf(message.status));
    this.#compression.set(row, this.#compressions.numberOf(body.compression));
    this.#version.set(row, this.#versions.numberOf(message.context?.['version'] ?? null));
    this.#group.set(row, this.groups.enter(message));
    const flow = this.flows.numberOf(message.flow);
    this.#flow.set(row, flow);
    this.flowMessages.set(flow, this.flowMessages.at(flow) + 1);
    this.flowBytes.set(flow, this.flowBytes.at(flow) + capturedBytes);
    if (first !== undefined && first.end - first.start !== capturedBytes) this.#firstEnds.set(row, first.end);
    if (rest.length > 0) {
      this.#more.set(row, this.#pool(rest));
      this.#moreCount.set(row, rest.length);
    }
    if (message.header !== undefined) this.#addHeader(row, message.header.pieces);
    this.plainBytes += bytes;
    this.capturedBytes += capturedBytes;
    if (time !== null) {
      this.firstTime = Math.min(this.firstTime, time);
      this.lastTime = Math.max(this.lastTime, time);
    }
  }

  /** captureOffset of the payload's first byte. */
  startAt = (ordinal: number): number => this.#starts.at(ordinal);
  /** Payload bytes, decompressed, and as captured. */
  sizeAt = (ordinal: number): number => this.#sizes.at(ordinal);
  capturedSizeAt = (ordinal: number): number => this.#sizes.at(ordinal) + this.#packings.at(ordinal);
  /** Bytes of the transport's own header. */
  headerAt = (ordinal: number): number => this.#headers.at(ordinal);
  /** Milliseconds since the epoch; NaN: the input has no clock. */
  timeAt = (ordinal: number): number => this.#times.at(ordinal);
  directionAt = (ordinal: number): Message['direction'] => DIRECTIONS[this.#directions.at(ordinal)] ?? null;
  /** Index in `groups`. */
  groupAt = (ordinal: number): number => this.#group.at(ordinal);
  /** Number in `flows`. */
  flowAt = (ordinal: number): number => this.#flow.at(ordinal);
  /** Number in `statuses`. */
  statusNumberAt = (ordinal: number): number => this.#status.at(ordinal);
  statusAt = (ordinal: number): string | null => this.statuses.wordOf(this.#status.at(ordinal));

  /** The version that the transport names; null: it names none. */
  versionAt = (ordinal: number): string | null => this.#versions.wordOf(this.#version.at(ordinal));

  /** captureOffset of a payload that is contiguous and not compressed; −1: it has to be assembled. */
  plainStartAt(ordinal: number): number {
    const isPlain = this.#compression.at(ordinal) === 0 && this.#moreCount.at(ordinal) === 0;
    return isPlain ? this.#starts.at(ordinal) : -1;
  }

  bodyAt(ordinal: number): BodyRef {
    const start = this.#starts.at(ordinal);
    const compression = this.#compressions.wordOf(this.#compression.at(ordinal));
    const first = { start, end: this.#firstEnds.at(ordinal) || start + this.capturedSizeAt(ordinal) };
    return { pieces: [first, ...this.#pooledFrom(this.#more.at(ordinal), this.#moreCount.at(ordinal))], compression };
  }

  hasHeaderPieces = (ordinal: number): boolean => this.#headerEnds.at(ordinal) > 0;

  /** The pieces of the header's part that is written as a message; null: no such part. */
  headerPiecesAt(ordinal: number): readonly Piece[] | null {
    if (!this.hasHeaderPieces(ordinal)) return null;
    const first = { start: this.#headerStarts.at(ordinal), end: this.#headerEnds.at(ordinal) };
    return [first, ...this.#pooledFrom(this.#headerMore.at(ordinal), this.#headerMoreCount.at(ordinal))];
  }

  #addHeader(row: number, [first, ...rest]: readonly Piece[]): void {
    if (first === undefined) return;
    this.#headerStarts.set(row, first.start);
    this.#headerEnds.set(row, first.end);
    if (rest.length === 0) return;
    this.#headerMore.set(row, this.#pool(rest));
    this.#headerMoreCount.set(row, rest.length);
  }

  /** Stores the pieces in the pools. Returns where they begin. */
  #pool(pieces: readonly Piece[]): number {
    const from = this.#pooled;
    for (const { start, end } of pieces) {
      this.#poolStarts.set(this.#pooled, start);
      this.#poolEnds.set(this.#pooled, end);
      this.#pooled++;
    }
    return from;
  }

  #pooledFrom(from: number, count: number): readonly Piece[] {
    return Array.from({ length: count }, (_, at) => ({
      start: this.#poolStarts.at(from + at),
      end: this.#poolEnds.at(from + at),
    }));
  }
}
