/**
 * The bodies of an HTTP/2 stream that are read whole: they are one message, messages in an envelope that has to be
 * decompressed first, or none. Also the message in a path.
 */
import type { LossLayer } from '../../capture/containers/packets-layers.ts';
import type { LossRun } from '../../capture/containers/packets-log.ts';
import { huffmanBits } from '../../compression/hpack-huffman.ts';
import { decodeBody, isCompressed, joinSteps, sliceStep } from '../../compression/registry.ts';
import type { PayloadFormat } from '../../model/payload-format.ts';
import type { ConnectionSide } from '../../stream/connection-sink.ts';
import type { Piece } from '../message.ts';
import { bodySteps } from './body-steps.ts';
import { isJson, isMessageByContents } from './detect-message-body.ts';
import type { EnvelopeMessage } from './envelope-reader.ts';
import { UNANSWERED, unansweredIn } from './grpc-status.ts';
import type { HeaderField } from './hpack.ts';
import { contentEncodings, type HttpBody, methodOf } from './http-types.ts';
import type { Half } from './http2-half.ts';
import { otherOf, type StreamHeaders, statusOf } from './http2-stream-headers.ts';
import { slicePieces } from './parts.ts';
import { findQueryMessage } from './query-message.ts';
import type { EmittedMessage, TransportContext } from './transport.ts';

const NO_HEADERS = 'The headers that name the type of this body were not captured.';

export const startOf = (pieces: readonly Piece[]): number => pieces[0]?.start ?? 0;

export class StreamBodies {
  readonly #id: number;
  readonly #context: TransportContext;
  readonly #halves: readonly [Half, Half];
  readonly #said: StreamHeaders;

  /** @param id of the stream @param said its headers */
  constructor(id: number, context: TransportContext, halves: readonly [Half, Half], said: StreamHeaders) {
    this.#id = id;
    this.#context = context;
    this.#halves = halves;
    this.#said = said;
  }

  /** @param call null: it has a response, or no error */
  addUnanswered(call: string | null, at: number): void {
    if (call !== null) this.#context.log.add(UNANSWERED, 'info', call, at);
  }

  /** @param reason a sentence, which another one that names the body follows */
  lose(side: ConnectionSide, layer: LossLayer, code: string, reason: string, at: number): LossRun {
    const text = `${reason} It is ${this.#said.printTitle(side)}.`;
    return this.#context.lose(side, { code, severity: 'warning', layer, reason: text }, at);
  }

  /** Enters the bytes of a body that is not a message. @returns false: it may be one */
  enterOther(side: ConnectionSide): boolean {
    const { kind, messages } = this.#halves[side];
    const { parts, damaged } = messages;
    if (kind !== 'plain' || damaged !== null || this.#said.explain(side)?.body !== null) return false;
    this.#context.layers['other-bodies'] += parts.size;
    parts.clear();
    return true;
  }

  /** A message of this side, without the bytes. */
  compose(
    side: ConnectionSide,
    transport: string,
    { pieces, steps, headerBytes, time }: EnvelopeMessage,
    typeHint: string | null,
    format: PayloadFormat | undefined,
  ): EmittedMessage {
    const { asked } = this.#said;
    const direction = this.#said.directionOf(side);
    return {
      transport,
      side,
      time,
      direction,
      method: asked && methodOf(asked, transport),
      status:
        direction === 'response' && transport !== 'grpc' ? (this.#halves[side].headers?.get(':status') ?? null) : null,
      typeHint,
      format,
      headerBytes,
      context: { stream: String(this.#id) },
      pieces,
      steps,
    };
  }

  /** The body of this side is whole. */
  finish(side: ConnectionSide): void {
    const { parts } = this.#halves[side].messages;
    const known = this.#said.explain(side);
    // Connect's errors have their code in the body.
    if (this.#said.callFrom(otherOf(side)).call === 'connect') this.reportRefused(side);
    if (known === null) {
      if (parts.size > 0) this.#finishUntyped(side);
    } else if (!this.enterOther(side) && (parts.size > 0 || known.body!.emptyCounts)) this.#give(side, known.body!);
  }

  /** The headers that name the type were not captured, so the contents decide. */
  #finishUntyped(side: ConnectionSide): void {
    const { parts } = this.#halves[side].messages;
    const body = this.#said.explainUntyped(side);
    if (body !== null && body.envelope === undefined) {
      const { steps } = bodySteps(body, parts.whole());
      const plain = decodeBody(parts.whole(), joinSteps(steps), this.#context.limit);
      const format = plain.ok && isJson(plain.bytes) ? 'json' : undefined;
      if (plain.ok && isMessageByContents(plain.bytes, format)) {
        this.#give(side, { ...body, format });
        return;
      }
    }
    parts.lose(this.lose(side, 'unattributed', 'http2/no-headers', NO_HEADERS, startOf(parts.pieces)));
  }

  /** Reports an error of HTTP that answers a call. @returns whether there is one */
  reportRefused(side: ConnectionSide): boolean {
    const {
      headers,
      headersAt,
      messages: { parts },
    } = this.#halves[side];
    if (headers === null) return false;
    const codec = joinSteps(contentEncodings(headers.get('content-encoding')));
    const answer = { status: statusOf(headers), headers };
    const call = unansweredIn(this.#said.callFrom(otherOf(side)), answer, { bytes: parts.whole(), codec });
    this.addUnanswered(call, headersAt);
    return call !== null;
  }

  #give(side: ConnectionSide, explained: HttpBody): void {
    const half = this.#halves[side];
    const { parts } = half.messages;
    const { headerBytes, time } = half;
    const { envelope, transport, typeHint, format, undeclared } = explained;
    const captured = parts.whole();
    const { steps, otherCoding } = bodySteps(explained, captured);
    if (envelope === undefined) this.#context.layers[isCompressed(steps) ? 'compressed' : 'message'] += parts.size;
    const draft = {
      ...this.compose(side, transport, { pieces: parts.pieces, steps, headerBytes, time }, typeHint, format),
      // The coding may be among the unknown headers.
      ...(half.complete && otherCoding !== undefined ? { otherCoding } : {}),
      ...(undeclared ? { undeclared: this.#said.printTitle(side) } : {}),
    };
    this.#context.emit(envelope === undefined ? draft : { ...draft, envelope }, captured);
    parts.clear();
  }

  /**
   * The message of a Connect GET is in the path, and so in the header block. With Huffman coding, it takes part of the
   * block's bits.
   */
  emitQuery(side: ConnectionSide, { value, place }: HeaderField, time: number | null): void {
    const query = findQueryMessage(value!);
    if (query === null) return;
    const { start, end, format } = query;
    const { octets, coded, pieces, repeated } = place!;
    const steps = [...(coded ? ['hpack-huffman', sliceStep(start, end)] : []), ...query.steps];
    const octetsTo = (at: number): number => (coded ? Math.round(huffmanBits(value!, 0, at) / 8) : at);
    const capturedBytes = repeated ? 0 : octetsTo(end) - octetsTo(start);
    this.#context.layers.hpack -= capturedBytes;
    this.#context.layers[isCompressed(steps) ? 'compressed' : 'message'] += capturedBytes;
    const half = this.#halves[side];
    half.time = time;
    const message = {
      pieces: coded ? pieces : slicePieces(pieces, start, end),
      steps,
      headerBytes: half.headerBytes - capturedBytes,
      time,
    };
    const draft = this.compose(side, 'connect', message, null, format);
    this.#context.emit({ ...draft, direction: 'request', capturedBytes }, coded ? octets : octets.subarray(start, end));
  }
}
