/**
 * The body of an HTTP/1.1 message (RFC 9112 §6): with Content-Length, chunked, or up to the end of the connection.
 *
 *   chunked body: (size in hex CRLF │ data CRLF)* │ 0 CRLF │ trailers CRLF
 */
import { latin1 } from '../../bytes/latin1.ts';
import type { LossRun } from '../../capture/containers/packets-log.ts';
import { isCompressed, joinSteps } from '../../compression/registry.ts';
import { sniffCodec } from '../../compression/signatures.ts';
import { countText, plural } from '../../model/count-text.ts';
import type { ConnectionSide } from '../../stream/connection-sink.ts';
import { bodySteps } from './body-steps.ts';
import { streamedEnvelope, tiles } from './envelope.ts';
import { type EnvelopeMessage, EnvelopeReader } from './envelope-reader.ts';
import { endError, UNANSWERED, unansweredBy, unansweredIn } from './grpc-status.ts';
import {
  type AskedHttp,
  contentEncodings,
  explainHttpBody,
  type HttpBody,
  isBodiless,
  methodOf,
} from './http-types.ts';
import type { Http1Head } from './http1-head.ts';
import { LastMessage } from './last-message.ts';
import { BodyParts, slicePieces } from './parts.ts';
import type { QueryMessage } from './query-message.ts';
import type { EmittedMessage, ProtocolMatch, StreamLoss, TransportContext } from './transport.ts';
import type { StreamWindow } from './window.ts';

const LONGEST_CHUNK_LINE = 4096;
/** Maximum bytes of a chunk that may begin after a hole, because it is compared when it is whole. */
const LONGEST_MATCHED = 1024 * 1024;
const NO_SIZE = 'has a chunk without a size';
const WRONG_SIZE = 'has a chunk that does not end with its size';

/** A message's start line and headers, where and when they came. */
export interface ReceivedHead extends Http1Head {
  /** null: it is a response. */
  readonly request: (AskedHttp & { readonly pathAt: number }) | null;
  /** In bytes, including the blank line. */
  readonly size: number;
  readonly time: number | null;
  /** captureOffset of its first byte. */
  readonly at: number;
  /** A hole before it may have hidden messages. */
  readonly followsHole: boolean;
  /** When the response to it began; absent: it is not known so far. */
  answered?: number | null;
  /** The message in its target. */
  readonly query: QueryMessage | null;
}

/** `more`: it needs more bytes. `broken`: it is lost, and no rule explains the next byte. */
export type BodyProgress = 'more' | 'within' | 'whole' | 'broken';

export class Http1Body {
  readonly head: ReceivedHead;
  readonly #context: TransportContext;
  readonly #side: ConnectionSide;
  /** The requested method and path; null: unknown. */
  readonly #target: AskedHttp | null;
  /** null: it is not a message. */
  readonly #explained: HttpBody | null;
  /** Reads messages in an envelope as they come; null: the body is read when it is whole. */
  #messages: EnvelopeReader | null;
  #isBegun = false;
  /** The received bytes of a body that is read when it is whole. */
  #parts = new BodyParts();
  #lost: LossRun | null = null;
  readonly #last: LastMessage;
  /** Remaining bytes of the current part; −1: up to the end of the connection. */
  #left: number;
  /** State of the chunked coding; `none`: not chunked. */
  #chunk: 'none' | 'size' | 'data' | 'line-end' | 'trailers';

  /** @param asked the request that a response answers */
  constructor(context: TransportContext, side: ConnectionSide, head: ReceivedHead, asked: AskedHttp | null) {
    const { request, headers, status } = head;
    const target = request ?? asked;
    this.#context = context;
    this.#last = new LastMessage(context);
    this.#side = side;
    this.head = head;
    this.#target = target;
    const [coding] = contentEncodings(headers.get('transfer-encoding'));
    const isChunked = coding === 'chunked';
    const isEmpty = request === null && isBodiless(asked?.method, status);
    this.#chunk = isChunked && !isEmpty ? 'size' : 'none';
    this.#left = isChunked || isEmpty ? 0 : (contentLength(head) ?? (request === null ? -1 : 0));
    this.#explained = explainHttpBody({
      direction: request === null ? 'response' : 'request',
      asked: target,
      headers,
      status: request === null ? status : undefined,
      transport: 'http1',
    });
    this.#messages = this.#streamed();
  }

  get isChunked(): boolean {
    return this.#chunk !== 'none';
  }

  /**
   * Whether the next response may begin in its place: the answer to a HEAD has no body, and the request is unknown.
   */
  get mayBeNone(): boolean {
    const isUnknown = this.head.request === null && this.#target === null;
    return isUnknown && !this.#isBegun && (this.isChunked || this.#left !== 0);
  }

  /** Whether its messages are read as they come. */
  get isStreamed(): boolean {
    return this.#messages !== null;
  }

  /** The body cannot be given, and its bytes are lost; null: the body is kept. */
  get lost(): LossRun | null {
    return this.#lost;
  }

  #streamed(): EnvelopeReader | null {
    const explained = this.#explained;
    const envelope = streamedEnvelope(explained);
    if (explained === null || envelope === null) return null;
    const { limit, layers } = this.#context;
    return new EnvelopeReader({
      limit,
      layers,
      envelope: () => envelope,
      give: (message, wire, type) => {
        const draft = this.#compose(explained, message, type);
        if (draft.direction === 'response' && envelope.layer === 'grpc') this.#last.hold(draft, wire);
        else this.#context.emit(draft, wire);
      },
      giveEnd: (end, isAlone, at) => {
        const error = endError(end, envelope);
        if (isAlone) this.#addUnanswered(unansweredBy(this.#path, error), at);
        this.#last.release(error);
      },
      lose: (layer, code, reason, at) =>
        this.#context.lose(this.#side, { code, severity: 'warning', layer, reason }, at),
    });
  }

  /** Reads on in the window. */
  read(window: StreamWindow): BodyProgress {
    this.#isBegun ||= window.length > 0;
    if (this.#chunk === 'none' || this.#chunk === 'data') return this.#readPart(window);
    const line = indexOfLineEnd(window.bytes, window.start, window.end);
    if (line < 0) return window.length <= LONGEST_CHUNK_LINE ? 'more' : this.#break(window);
    const text = latin1(window.bytes, window.start, line).trim();
    const size = line + 1 - window.start;
    if (this.#chunk === 'size') {
      const length = Number.parseInt(text, 16);
      if (!/^[0-9a-f]+\s*(;|$)/i.test(text) || !Number.isSafeInteger(length)) return this.#break(window);
      this.#left = length;
      this.#chunk = length === 0 ? 'trailers' : 'data';
    } else if (this.#chunk === 'line-end') {
      if (text !== '') return this.#break(window);
      this.#chunk = 'size';
    }
    this.#context.layers.http1 += size;
    window.consume(size);
    if (this.#chunk !== 'trailers' || text !== '') return 'within';
    this.#finish();
    return 'whole';
  }

  /** Reads on in the whole body, or in a chunk of it. */
  #readPart(window: StreamWindow): BodyProgress {
    const count = this.#left < 0 ? window.length : Math.min(this.#left, window.length);
    if (count > 0) this.#take(window, count);
    if (this.#left > 0) this.#left -= count;
    if (this.#left !== 0) return 'more';
    if (this.#chunk === 'data') {
      this.#chunk = 'line-end';
      return 'within';
    }
    this.#finish();
    return 'whole';
  }

  #break(window: StreamWindow): BodyProgress {
    this.#giveUp(window.captureOffset, this.#chunk === 'line-end' ? WRONG_SIZE : NO_SIZE);
    return 'broken';
  }

  /**
   * `size` bytes are missing.
   * @param captureOffset of what follows them
   * @returns whether the body continues after them; otherwise it is lost
   */
  hole(size: number, captureOffset: number): boolean {
    this.#last.release(null);
    this.#messages?.cut();
    if (this.#messages?.mayBeOne) this.#readAsWhole();
    const isPart = this.#chunk === 'none' || this.#chunk === 'data';
    const isInside = isPart && (this.#left < 0 || this.#left >= size);
    const isRead = isInside && this.#lost === null && this.#messages?.hole(size, captureOffset);
    if (!isRead)
      this.#giveUp(captureOffset, `misses ${plural(size, 'byte')} that ${size === 1 ? 'was' : 'were'} not captured`);
    if (isInside && this.#left > 0) this.#left -= size;
    return isInside;
  }

  /** The connection ends. */
  end(captureOffset: number): void {
    this.#last.release(null);
    this.#messages?.cut();
    if (this.#left < 0 && this.#chunk === 'none') this.#finish();
    else if (this.#messages === null || this.#messages.isWithin)
      this.#giveUp(captureOffset, 'is not whole: nothing more of it was captured');
  }

  /** Whether a chunk of this body begins at the window's start, because messages begin and end with it. */
  matchChunk({ bytes, start, end }: StreamWindow): ProtocolMatch {
    const line = indexOfLineEnd(bytes, start, end);
    const size = latin1(bytes, start, line < 0 ? end : line);
    if (!(line < 0 ? /^[0-9a-f]{0,6}\r?$/i : /^[0-9a-f]{1,6}\r$/i).test(size)) return 'no';
    const from = line + 1;
    const to = from + Number.parseInt(size, 16);
    if (to - start > LONGEST_MATCHED) return 'no';
    if (line < 0 || to + 2 > end) return 'more';
    const envelope = streamedEnvelope(this.#explained);
    // Sizes as varints may fit a chunk by chance.
    if (envelope === null || envelope.layer === 'size-prefix' || bytes[to] !== 13 || bytes[to + 1] !== 10) return 'no';
    return tiles(bytes.subarray(from, to), envelope) ? 'yes' : 'no';
  }

  /** Continues with a chunk that `matchChunk` found. */
  restart(): void {
    this.#messages!.restart();
    this.#lost = null;
    this.#chunk = 'size';
  }

  #take(window: StreamWindow, count: number): void {
    const { limit } = this.#context;
    if (this.#messages?.mayBeOne && this.#messages.parts.size + count > limit) this.#readAsWhole();
    if (this.#messages === null && Math.max(this.#left, this.#parts.size + count) > limit) {
      this.#giveUp(window.captureOffset, `is too large: at most ${countText(limit)} bytes are held`);
    }
    if (this.#lost !== null) {
      window.lose(this.#lost, count);
      return;
    }
    const bytes = window.peek(count);
    const pieces = window.pieces(0, count);
    const read = this.#messages === null ? 0 : this.#messages.add(bytes, pieces, window.time);
    if (read !== null) {
      // A body that does not begin with a message may be compressed as a whole.
      this.#readAsWhole();
      this.#parts.add(bytes.subarray(read), slicePieces(pieces, read, count));
    }
    window.consume(count);
  }

  #readAsWhole(): void {
    if (this.#messages !== null) this.#parts = this.#messages.parts;
    this.#messages = null;
  }

  #giveUp(captureOffset: number, why: string): void {
    if (this.#lost !== null) return;
    this.#last.release(null);
    const reason = `The body of ${this.#title} ${why}.`;
    const loss: StreamLoss = { code: 'http1/incomplete', severity: 'warning', layer: 'incomplete', reason };
    this.#lost =
      this.#messages?.damage(loss.code, reason, captureOffset) ?? this.#context.lose(this.#side, loss, captureOffset);
    this.#parts.lose(this.#lost);
  }

  #finish(): void {
    this.#last.release(null);
    if (this.#lost !== null) return;
    if (this.#messages?.isUnread) this.#readAsWhole();
    this.#messages?.finish();
    if (this.#messages === null) this.#emit();
    else if (this.#messages.isWithin) this.#giveUp(0, 'ends within a message');
  }

  #emit(): void {
    const { layers } = this.#context;
    const parts = this.#parts;
    const explained = this.#explained;
    const { status, headers, at } = this.head;
    const codec = joinSteps(contentEncodings(headers.get('content-encoding')));
    const answer = { status, headers, grpcStatus: headers.get('grpc-status') };
    this.#addUnanswered(unansweredIn(this.#target, answer, { bytes: parts.whole(), codec }), at);
    if (explained === null || (parts.size === 0 && !explained.emptyCounts)) layers['other-bodies'] += parts.size;
    else {
      const { envelope } = explained;
      const { steps, otherCoding } = bodySteps(withTransferCodings(explained, this.head, parts.whole()), parts.whole());
      if (envelope === undefined) layers[isCompressed(steps) ? 'compressed' : 'message'] += parts.size;
      const { size, time } = this.head;
      const draft = {
        ...this.#compose(explained, { pieces: parts.pieces, steps, headerBytes: size, time }, null),
        ...(otherCoding === undefined ? {} : { otherCoding }),
        ...(explained.undeclared ? { undeclared: this.#title } : {}),
        ...(envelope === undefined ? {} : { envelope }),
      };
      this.#context.emit(draft, parts.whole());
    }
    parts.clear();
  }

  /** @param call null: it has a response, or no error */
  #addUnanswered(call: string | null, at: number): void {
    if (call !== null && this.head.request === null) this.#context.log.add(UNANSWERED, 'info', call, at);
  }

  get #path(): string | null {
    return this.#target?.path ?? null;
  }

  /** Method and path; null: unknown. */
  get #method(): string | null {
    return this.#target === null ? null : `${this.#target.method} ${this.#target.path}`;
  }

  /** @param type the one that the envelope names; null: it names none */
  #compose(
    { transport, typeHint, format }: HttpBody,
    { pieces, steps, headerBytes, time }: EnvelopeMessage,
    type: string | null,
  ): EmittedMessage {
    const isResponse = this.head.request === null;
    return {
      transport,
      side: this.#side,
      time,
      direction: isResponse ? 'response' : 'request',
      method: this.#target && methodOf(this.#target, transport),
      status: isResponse && transport !== 'grpc' ? String(this.head.status) : null,
      typeHint: type ?? typeHint,
      format,
      headerBytes,
      context: {},
      pieces,
      steps,
    };
  }

  get #title(): string {
    if (this.#method === null) return 'a response';
    return this.head.request === null ? `the response to ${this.#method}` : this.#method;
  }
}

/** The Content-Length (RFC 9112 §6.3). Repeated equal values are accepted. null: there is no valid length. */
export function contentLength({ headers }: Http1Head): number | null {
  const values = new Set((headers.get('content-length') ?? '').split(',').map((value) => value.trim()));
  const [value = ''] = values;
  const length = Number(value);
  return values.size === 1 && /^[0-9]+$/.test(value) && Number.isSafeInteger(length) ? length : null;
}

/** Adds the transfer codings that the headers name, if the bytes show the outermost one. */
function withTransferCodings(explained: HttpBody, { headers }: Http1Head, body: Uint8Array): HttpBody {
  const codings = contentEncodings(headers.get('transfer-encoding')).filter((coding) => coding !== 'chunked');
  const isCoded = codings.length > 0 && sniffCodec(body) === codings[0];
  return isCoded ? { ...explained, steps: [...codings, ...explained.steps] } : explained;
}

function indexOfLineEnd(bytes: Uint8Array, from: number, end: number): number {
  const at = bytes.indexOf(10, from);
  return at < 0 || at >= end ? -1 : at;
}
