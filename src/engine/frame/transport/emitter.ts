/**
 * Drafts → messages: bodies are decompressed, messages are taken out of their envelope and numbered. A body that cannot
 * be decoded becomes a diagnostic.
 *
 * At a body that gives more than a slice of plain bytes, and if the reader pauses after each slice, drafts wait:
 * `emitWaiting` decompresses them with pauses.
 */

import { latin1 } from '../../bytes/latin1.ts';
import { AbortError, type ReadControl } from '../../bytes/source.ts';
import type { CaptureClock, Moment } from '../../capture/containers/capture-clock.ts';
import type { LayerTally } from '../../capture/containers/packets-layers.ts';
import type { CaptureLog } from '../../capture/containers/packets-log.ts';
import { type Decoded, decodeFailure, SLICE, type Slices } from '../../compression/codec.ts';
import { decodeSlices, isCompressed, joinSteps, patiently, sliceStep } from '../../compression/registry.ts';
import type { ConnectionFacts, ConnectionSide } from '../../stream/connection-sink.ts';
import type { MessageSink, MessagesBefore, Piece } from '../message.ts';
import { isJson, isMessageByContents } from './detect-message-body.ts';
import { codeIn, type Envelope, enterPart, partAt } from './envelope.ts';
import type { EnvelopePart } from './envelope-part.ts';
import { endError, UNANSWERED, unansweredBy } from './grpc-status.ts';
import { beginsLines } from './json-parts.ts';
import { pieceSlicer, reportLostPieces } from './parts.ts';
import type { EmittedMessage } from './transport.ts';

interface EmitterOptions {
  readonly sink: MessageSink;
  readonly layers: LayerTally;
  readonly log: CaptureLog;
  /** Messages and findings of a draft that waited are of the moment at which it came. */
  readonly clock: CaptureClock;
  /** Maximum plain bytes of one message. */
  readonly limit: number;
  /** Maximum plain bytes of all compressed bodies together. */
  readonly budget: number;
  /** Whether `emitWaiting` pauses. Otherwise nothing waits for it but the rest of a large body, and what follows. */
  readonly pauses: boolean;
}

/** Compressed bodies that were not decompressed. */
export interface LeftPacked {
  readonly count: number;
  /** Their bytes as captured. */
  readonly bytes: number;
  /** captureOffsets: start of the first one, end of the last one. */
  readonly start: number;
  readonly end: number;
}

/** The bytes of a message after some of its decoding steps. */
interface Packed {
  readonly pieces: readonly Piece[];
  /** All steps from the pieces to the payload. */
  readonly steps: readonly string[];
  /** The remaining steps from `bytes` to the payload. */
  readonly left: readonly string[];
  readonly bytes: Uint8Array;
  readonly capturedBytes: number;
  /** The messages that the body may copy from. */
  readonly after?: MessagesBefore;
}

/** Messages of one transport, and when the first one came. */
export interface TransportCount {
  readonly first: Moment;
  count: number;
}

export class MessageEmitter {
  readonly #options: EmitterOptions;
  readonly #perTransport = new Map<string, TransportCount>();
  #ordinal = 0;
  #plainBytes = 0;
  #unpacked = 0;
  #left: LeftPacked | null = null;
  /** Plain bytes of the compressed bodies up to the last pause. */
  #atPause = 0;
  /** Drafts, or the rest of a draft with a large body, in their order. */
  #waiting: (() => Slices<void> | null)[] = [];

  constructor(options: EmitterOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#ordinal;
  }

  get plainBytes(): number {
    return this.#plainBytes;
  }

  /** Plain bytes of the compressed bodies so far. */
  get unpackedBytes(): number {
    return this.#unpacked;
  }

  /** The bodies that exceeded the budget; null: none did. */
  get leftPacked(): LeftPacked | null {
    return this.#left;
  }

  /** By id of the transport. */
  get perTransport(): ReadonlyMap<string, TransportCount> {
    return this.#perTransport;
  }

  /** @param captured borrowed */
  emit(draft: EmittedMessage, captured: Uint8Array, flow: string | null): void {
    if (this.#waiting.length > 0 || this.#isDue) {
      const kept = captured.slice();
      this.#wait(() => this.#emitDraft(draft, kept, flow));
      return;
    }
    const rest = this.#emitDraft(draft, captured, flow);
    if (rest !== null) this.#wait(() => rest);
  }

  #wait(emit: () => Slices<void> | null): void {
    const { clock } = this.#options;
    const { now } = clock;
    this.#waiting.push(() => {
      clock.set(now);
      return emit();
    });
  }

  /** Whether a pause is due. */
  get #isDue(): boolean {
    return this.#options.pauses && this.#unpacked - this.#atPause > SLICE;
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Emits what waits. @throws AbortError when the signal is set; the rest is not decompressed then */
  async emitWaiting({ signal, pause }: ReadControl): Promise<void> {
    const giveWay = async (): Promise<void> => {
      await pause?.();
      if (signal?.aborted) throw new AbortError();
      this.#atPause = this.#unpacked;
    };
    for (let next = 0; next < this.#waiting.length; next++) {
      if (this.#isDue) await giveWay();
      const rest = this.#waiting[next]!();
      if (rest !== null) await patiently(rest, { signal, pause: giveWay });
    }
    this.#waiting = [];
  }

  /** @returns what is left to do of a draft with a large body; null: nothing */
  #emitDraft(draft: EmittedMessage, captured: Uint8Array, flow: string | null): Slices<void> | null {
    if (draft.envelope !== undefined) return this.#emitEnvelope(draft, draft.envelope, captured, flow);
    const { pieces, steps, capturedBytes = captured.length } = draft;
    return this.#emitOne(draft, { pieces, steps, left: steps, bytes: captured, capturedBytes }, flow);
  }

  #emitOne(draft: EmittedMessage, packed: Packed, flow: string | null): Slices<void> | null {
    const { pieces, steps, left, bytes, capturedBytes } = packed;
    if (this.#isLeftPacked(pieces, joinSteps(steps), capturedBytes)) {
      draft.takeover?.lose();
      return null;
    }
    const work = decodeSlices(bytes, joinSteps(left), this.#options.limit, draft.takeover?.window);
    const first = work.next();
    if (first.done !== true) return this.#emitLarge(draft, packed, work, flow);
    this.#emitWhole(draft, packed, first.value, flow);
    return null;
  }

  *#emitLarge(draft: EmittedMessage, packed: Packed, work: Slices<Decoded>, flow: string | null): Slices<void> {
    this.#emitWhole(draft, packed, yield* work, flow);
  }

  /** Emits a body, and makes it known to the next ones of its direction if they may copy from it. */
  #emitWhole(draft: EmittedMessage, packed: Packed, decoded: Decoded, flow: string | null): void {
    const { takeover } = draft;
    if (takeover === undefined) this.#emitDecoded(draft, packed, decoded, flow);
    else if (decoded.ok) {
      const { pieces, steps } = packed;
      const after = takeover.add({ pieces, compression: joinSteps(steps) }, decoded.bytes);
      this.#emitDecoded(draft, { ...packed, after }, decoded, flow);
    } else {
      const copies = takeover.isBroken && decoded.reason === 'malformed';
      this.#emitDecoded(draft, packed, copies ? COPIES_FROM_LOST : decoded, flow);
      takeover.lose();
    }
  }

  #emitDecoded(draft: EmittedMessage, packed: Packed, decoded: Decoded, flow: string | null): void {
    const { pieces, steps, left, capturedBytes, after } = packed;
    const compression = joinSteps(steps);
    if (left.length > 0 && decoded.ok) this.#unpacked += decoded.bytes.length;
    if (!decoded.ok) {
      this.#report(draft, pieces, compression, decoded.reason, decoded.detail);
      return;
    }
    if (this.#isOther(draft, packed, decoded.bytes)) return;
    const note = (code: string, what: string): void =>
      this.#options.log.add(code, 'info', `${nameOf(draft)} ${what}.`, pieces[0]?.start ?? 0, pieces.at(-1)?.end ?? 0);
    if (isMarkup(decoded.bytes)) {
      note('http/markup-body', 'is HTML or XML, though its content type names a message; it is not read as one');
      return;
    }
    const { format = isJson(decoded.bytes) ? 'json' : undefined } = draft;
    if (format !== draft.format) note('http/json-body', 'is JSON, though its content type says protobuf');
    if (draft.otherCoding !== undefined) note('http/other-coding', draft.otherCoding);
    const { transport, time, direction, method, status, typeHint, headerBytes, header, context } = draft;
    const message = {
      ordinal: this.#ordinal++,
      body: after === undefined ? { pieces, compression } : { pieces, compression, after },
      bytes: decoded.bytes.length,
      capturedBytes,
      transport,
      time,
      flow,
      direction,
      method,
      status,
      typeHint,
      ...(format === undefined ? {} : { format }),
      headerBytes,
      ...(header === undefined ? {} : { header }),
      context,
    };
    this.#plainBytes += decoded.bytes.length;
    const counted = this.#perTransport.get(transport);
    if (counted === undefined) this.#perTransport.set(transport, { first: this.#options.clock.now, count: 1 });
    else counted.count++;
    this.#options.sink(message, decoded.bytes);
  }

  /** Emits the messages of a body in an envelope. Slices of the decoded body give their places. */
  #emitEnvelope(
    draft: EmittedMessage,
    envelope: Envelope,
    captured: Uint8Array,
    flow: string | null,
  ): Slices<void> | null {
    const outer = joinSteps(draft.steps);
    if (outer !== null) this.#options.layers[layerOf(draft.steps)] += captured.length;
    if (this.#isLeftPacked(draft.pieces, outer, captured.length)) return null;
    const rest = this.#emitParts(draft, envelope, captured, flow);
    return rest.next().done === true ? null : rest;
  }

  *#emitParts(draft: EmittedMessage, envelope: Envelope, captured: Uint8Array, flow: string | null): Slices<void> {
    const { layers, limit } = this.#options;
    const outer = joinSteps(draft.steps);
    const capturedBytes = captured.length;
    const decoded = yield* decodeSlices(captured, outer, limit);
    if (outer !== null && decoded.ok) this.#unpacked += decoded.bytes.length;
    if (!decoded.ok) {
      this.#report(draft, draft.pieces, outer, decoded.reason, decoded.detail);
      return;
    }
    if ('form' in envelope && envelope.mayBeOne && !beginsLines(decoded.bytes, null)) {
      if (outer === null) layers.message += capturedBytes;
      const { pieces, steps } = draft;
      this.#emitDecoded(draft, { pieces, steps, left: [], bytes: captured, capturedBytes }, decoded, flow);
      return;
    }
    // A message in the envelope may be compressed again, and a large one waits.
    const body = decoded.bytes.slice();
    const piecesOf = pieceSlicer(draft.pieces);
    const shareTo = (offset: number): number => Math.round((offset / body.length) * capturedBytes);
    let at = 0;
    let next = partAt(body, at, envelope, true);
    while (typeof next === 'object' && next.next <= body.length && at < body.length) {
      const part = next;
      const following = partAt(body, part.next, envelope, true);
      if (outer === null) enterPart(layers, envelope, part, at);
      const whole = shareTo(part.next) - shareTo(at);
      // Action lines are as large as documents. Other bytes around a message are few, and stay in its share.
      const isApart = envelope.layer === 'actions' && part.isMessage;
      const share = isApart ? shareTo(part.end) - shareTo(part.start) : whole;
      if (outer !== null) {
        const around = part.isMessage ? whole - share : whole;
        layers[layerOf(draft.steps)] -= around;
        layers[part.isOther ? 'other-bodies' : envelope.layer] += around;
      }
      if (part.isMessage) {
        const { start, end } = part;
        // The envelope of a compressed body is a share of it, whose head belongs to none of its messages.
        const where =
          outer === null
            ? { pieces: piecesOf(start, end), headerBytes: part.next - at - (end - start) }
            : { headerBytes: 0 };
        const typeHint = part.type ?? draft.typeHint;
        const status = errorIn(following, draft, body) ?? draft.status;
        const captured = outer === null ? end - start : share;
        const rest = this.#emitInner({ ...draft, ...where, typeHint, status }, body, part, captured, flow);
        if (rest !== null) yield* rest;
      } else if (at === 0) this.#reportUnanswered(draft, errorIn(part, draft, body));
      at = part.next;
      next = following;
    }
    if (at === body.length) return;
    const reason =
      next === 'no'
        ? `${nameOf(draft)} is not in the envelope that its content type names.`
        : `The last message of ${draft.method ?? 'a body'} is not whole.`;
    // Which of the captured bytes hold the rest of a decoded body is not known.
    const pieces = outer === null ? piecesOf(at, body.length) : draft.pieces;
    const [from, to] = [pieces[0]?.start ?? 0, pieces.at(-1)?.end ?? 0];
    const loss = {
      code: codeIn(envelope, 'incomplete'),
      severity: 'error',
      layer: 'incomplete',
      stream: flow,
      reason,
    } as const;
    const lost = this.#options.log.lose(loss, from);
    if (outer === null) {
      reportLostPieces(lost, pieces);
      return;
    }
    const share = capturedBytes - shareTo(at);
    layers[layerOf(draft.steps)] -= share;
    lost.add(from, to, share);
  }

  /** @param error in the first part of the body, which has no message; null: it has none */
  #reportUnanswered({ method, pieces }: EmittedMessage, error: string | null): void {
    const path = method === null ? null : method.slice(method.indexOf(' ') + 1);
    const call = unansweredBy(path, error);
    if (call === null) return;
    this.#options.log.add(UNANSWERED, 'info', call, pieces[0]?.start ?? 0, pieces.at(-1)?.end ?? 0);
  }

  /**
   * Emits a message of a decoded body.
   * @param share captured bytes of the message; in a compressed body, of the message and its prefix. The exact part of
   * that is unknown, so it is proportional to their length
   */
  #emitInner(
    draft: EmittedMessage,
    body: Uint8Array,
    { start, end, codec }: EnvelopePart,
    share: number,
    flow: string | null,
  ): Slices<void> | null {
    const left = codec === null ? [] : [codec];
    const { pieces } = draft;
    const steps = draft.steps.length === 0 ? left : [...draft.steps, sliceStep(start, end), ...left];
    return this.#emitOne(draft, { pieces, steps, left, bytes: body.subarray(start, end), capturedBytes: share }, flow);
  }

  /** Whether a body without a declared type is not a message by its contents. The ledger has it as a message. */
  #isOther(
    { undeclared, format }: EmittedMessage,
    { pieces, steps, capturedBytes }: Packed,
    bytes: Uint8Array,
  ): boolean {
    const { layers, log } = this.#options;
    if (undeclared === undefined || isMessageByContents(bytes, format)) return false;
    layers[layerOf(steps)] -= capturedBytes;
    layers['other-bodies'] += capturedBytes;
    if (format !== undefined) return true;
    const text = `The type of the body of ${undeclared} is not declared, and its contents are not a protobuf message.`;
    log.add('http/unknown-body', 'info', text, pieces[0]?.start ?? 0, pieces.at(-1)?.end ?? 0);
    return true;
  }

  /** Whether the budget is used up. If so, a compressed body is counted and not read. */
  #isLeftPacked(pieces: readonly Piece[], compression: string | null, bytes: number): boolean {
    if (compression === null || this.#unpacked < this.#options.budget) return false;
    const {
      count,
      bytes: before,
      start,
      end,
    } = this.#left ?? { count: 0, bytes: 0, start: pieces[0]?.start ?? 0, end: 0 };
    this.#left = { count: count + 1, bytes: before + bytes, start, end: Math.max(end, pieces.at(-1)?.end ?? 0) };
    return true;
  }

  #report(
    draft: EmittedMessage,
    pieces: readonly Piece[],
    compression: string | null,
    reason: string,
    detail: string,
  ): void {
    const how = compression === null ? '' : ` (${compression})`;
    this.#options.log.add(
      `compression/${reason}`,
      reason === 'missing' ? 'warning' : 'error',
      `${nameOf(draft)} cannot be read${how}: ${detail}.`,
      pieces[0]?.start ?? 0,
      pieces.at(-1)?.end ?? 0,
    );
  }
}

/** The error that this part of a body ends the response with; null: it does not. */
function errorIn(
  part: EnvelopePart | 'more' | 'no',
  { direction, envelope }: EmittedMessage,
  body: Uint8Array,
): string | null {
  if (direction !== 'response' || envelope === undefined || typeof part === 'string') return null;
  if (part.isMessage || part.next > body.length) return null;
  return endError({ bytes: body.subarray(part.start, part.end), codec: part.codec }, envelope);
}

/** The layer of messages after these steps. */
const layerOf = (steps: readonly string[]): 'compressed' | 'message' =>
  isCompressed(steps) ? 'compressed' : 'message';

/** `10.0.0.1:9300 ↔ 10.0.0.2:41412` */
export const printStream = ({ endpoints }: ConnectionFacts): string => endpoints.join(' ↔ ');

/** `10.0.0.1:9300 → 10.0.0.2:41412`, in the direction in which this side sends. */
export const printFlow = ({ endpoints }: ConnectionFacts, side: ConnectionSide): string =>
  `${endpoints[side]} → ${endpoints[side === 0 ? 1 : 0]}`;

/** A message after a loss that does not decode without the bytes before it. */
const COPIES_FROM_LOST = decodeFailure('missing', 'it copies from messages before it that were not read');

const nameOf = ({ method }: EmittedMessage): string => (method === null ? 'A message' : `A message of ${method}`);

/** As protobuf, such text would begin with the end of a group. */
const MARKUP = /^\s*<(?:\?xml|!doctype|!--|[a-z][\w:-]*[\s/>])/i;
const isMarkup = (bytes: Uint8Array): boolean =>
  bytes.length > 2 && MARKUP.test(latin1(bytes.subarray(0, 64))) && latin1(bytes.subarray(-64)).trimEnd().endsWith('>');
