/**
 * A recorded exchange → drafts of the messages in its bodies and in its address; a recorded WebSocket → drafts of its
 * messages. Each is entered in the ledger.
 */

import { latin1 } from '../../bytes/latin1.ts';
import type { Ends, Exchange, RecordedBody, RecordedSocket } from '../../capture/containers/exchange.ts';
import type { LayerTally } from '../../capture/containers/packets-layers.ts';
import type { CaptureLog } from '../../capture/containers/packets-log.ts';
import { SLICE } from '../../compression/codec.ts';
import { decodeBody, isCompressed, joinSteps } from '../../compression/registry.ts';
import { decodeJsonLatin1, decodeJsonString } from '../../compression/text-bodies.ts';
import { countText, plural } from '../../model/count-text.ts';
import { looksLikeMessage } from '../plausible-message.ts';
import { bodySteps } from './body-steps.ts';
import { isMessageByContents } from './detect-message-body.ts';
import type { MessageEmitter } from './emitter.ts';
import { UNANSWERED, unansweredIn } from './grpc-status.ts';
import {
  type AskedHttp,
  askedOf,
  contentEncodings,
  explainHttpBody,
  type HttpBody,
  isBodiless,
  methodOf,
} from './http-types.ts';
import { findQueryMessage } from './query-message.ts';

export interface ExchangeTarget {
  readonly emitter: MessageEmitter;
  readonly layers: LayerTally;
  readonly log: CaptureLog;
}

export function emitExchange(exchange: Exchange, target: ExchangeTarget): void {
  const path = pathIn(exchange.url);
  const query = findQueryMessage(path);
  if (query !== null) emitQuery(exchange, query.path, target);
  const asked = askedOf(exchange.method, path, exchange.request.headers, query);
  for (const direction of ['request', 'response'] as const) emitSide(exchange, direction, asked, target);
}

const pathIn = (url: string): string => url.replace(/^[a-z]+:\/\/[^/]*/i, '') || '/';

function emitQuery(
  { urlPlace, method, request, ends }: Exchange,
  path: string,
  { emitter, layers }: ExchangeTarget,
): void {
  if (urlPlace === null) return;
  const { bytes, captureOffset } = urlPlace;
  const query = findQueryMessage(latin1(bytes, 0, bytes.length));
  if (query === null) return;
  const { start, end, format, steps } = query;
  layers.container -= end - start;
  layers[isCompressed(steps) ? 'compressed' : 'message'] += end - start;
  emitter.emit(
    {
      transport: 'connect',
      side: 0,
      time: request.time,
      direction: 'request',
      method: `${method} ${path}`,
      status: null,
      typeHint: null,
      format,
      headerBytes: 0,
      context: {},
      pieces: [{ start: captureOffset + start, end: captureOffset + end }],
      steps,
    },
    bytes.subarray(start, end),
    flowOf(ends, 'request'),
  );
}

/** `10.0.0.1:41412 → 10.0.0.2:9200`, in the direction of the bytes. */
export function flowOf(ends: Ends | null, direction: 'request' | 'response'): string | null {
  if (ends === null) return null;
  const [client, server] = ends;
  return direction === 'request' ? `${client} → ${server}` : `${server} → ${client}`;
}

/** Their contents show which ones are messages. */
export function emitSocket({ opened, ends, messages }: RecordedSocket, { emitter, layers }: ExchangeTarget): void {
  const method = opened === null ? null : `${opened.method} ${pathIn(opened.url)}`;
  for (const { isFromClient, isText, time, bytes, captureOffset, encoding } of messages) {
    if (bytes.length === 0) continue;
    const direction = isFromClient ? 'request' : 'response';
    layers.message += bytes.length;
    emitter.emit(
      {
        transport: 'websocket',
        side: isFromClient ? 0 : 1,
        time,
        direction,
        method,
        status: null,
        typeHint: null,
        format: isText ? 'json' : undefined,
        headerBytes: 0,
        context: {},
        pieces: [{ start: captureOffset, end: captureOffset + bytes.length }],
        steps: encoding === null ? [] : [encoding],
        undeclared: `a WebSocket message${method === null ? '' : ` of ${method}`}`,
      },
      bytes,
      flowOf(ends, direction),
    );
  }
}

/** The error of a call without a response; null: it has a response, or no error. */
function errorOf({ status, response }: Exchange, asked: AskedHttp): string | null {
  const { headers, body } = response;
  // Recorders remove the coding of a text.
  const codec = body?.encoding ?? joinSteps(contentEncodings(headers.get('content-encoding')));
  const answer = { status: Number(status), headers, grpcStatus: grpcStatusOf(response) };
  return unansweredIn(asked, answer, body && { bytes: body.bytes, codec });
}

/** Whether there was a body that is not in the recording. Without a declared type, only a size shows it. */
function hadBody(
  { method, status, ...sides }: Exchange,
  direction: 'request' | 'response',
  undeclared: boolean,
): boolean {
  const { statedSize } = sides[direction];
  if (statedSize !== null) return statedSize > 0;
  if (undeclared) return false;
  return direction === 'request' || !isBodiless(method, Number(status));
}

/**
 * Returns the codings that the recorded body has: those that its contents show, or the named ones. Browsers remove them
 * from responses; some recorders remove them from requests too; some keep them in both. A coding counts if the body
 * decodes with it.
 */
function codingsOf(
  captured: Uint8Array,
  encoding: string,
  explained: HttpBody,
  direction: 'request' | 'response',
): readonly string[] {
  const { steps } = explained;
  const plain = steps.filter((step) => step === 'base64');
  if (plain.length === steps.length) {
    const body = decodeBody(captured, encoding);
    return body.ok ? bodySteps(explained, body.bytes).steps : steps;
  }
  const coded = decodeBody(captured, joinSteps([encoding, ...steps]), SLICE);
  // The rest of a large one is decoded later.
  if (coded.ok || coded.reason === 'limit') return steps;
  if (direction === 'response') return plain;
  return isMessage(captured, { steps: [encoding, ...plain] }, explained) ? plain : steps;
}

interface Stored extends ReturnType<typeof bodySteps> {
  /** Neither size nor contents show how the recorder wrote the body. */
  readonly isGuess?: boolean;
}

/**
 * The steps from the recorded body to its payload; null: the recorder replaced bytes of it. Some recorders also store
 * binary bodies as text: each byte becomes one of the first 256 characters (Chromium, mitmproxy), or each invalid byte
 * becomes U+FFFD (Playwright). The stated size shows which, or else the contents.
 */
function stepsOf(
  { encoding, bytes }: RecordedBody,
  statedSize: number | null,
  explained: HttpBody,
  direction: 'request' | 'response',
): Stored | null {
  if (encoding === null) return bodySteps(explained, bytes);
  const writtenAs = (written: string): Stored => ({
    steps: [written, ...codingsOf(bytes, written, explained, direction)],
  });
  if (encoding === 'base64') return writtenAs(encoding);
  const text = decodeJsonString(bytes, Number.POSITIVE_INFINITY);
  if (!text.ok || text.bytes.length === statedSize) return writtenAs(encoding);
  const octets = decodeJsonLatin1(bytes, Number.POSITIVE_INFINITY);
  if (!octets.ok) return new TextDecoder().decode(text.bytes).includes('\ufffd') ? null : writtenAs(encoding);
  if (octets.bytes.length === statedSize) return writtenAs('json-latin1');
  if (octets.bytes.length === text.bytes.length || explained.format === 'json') return writtenAs(encoding);
  const [asText, asOctets] = [writtenAs(encoding), writtenAs('json-latin1')];
  const [fitsText, fitsOctets] = [isMessage(bytes, asText, explained), isMessage(bytes, asOctets, explained)];
  // Reading reports bytes that are a message in neither form, so only a size that contradicts both forms is reported here.
  const isGuess = fitsText === fitsOctets && (fitsText || statedSize !== null);
  return { ...(fitsOctets ? asOctets : asText), isGuess };
}

function isMessage(captured: Uint8Array, { steps }: Stored, { format }: HttpBody): boolean {
  const body = decodeBody(captured, joinSteps(steps));
  if (!body.ok) return false;
  return format === undefined
    ? looksLikeMessage(body.bytes, 0, body.bytes.length, new Map())
    : isMessageByContents(body.bytes, format);
}

/** The status of a call of gRPC is in the trailers, or in the headers if the response has no message. */
function statusOf({ status, response }: Exchange, direction: 'request' | 'response', transport: string): string | null {
  if (direction === 'request') return null;
  if (transport !== 'grpc') return status;
  return grpcStatusOf(response);
}

const grpcStatusOf = ({ trailers, headers }: Exchange['response']): string | null =>
  trailers?.get('grpc-status') ?? headers.get('grpc-status') ?? null;

function emitSide(
  exchange: Exchange,
  direction: 'request' | 'response',
  asked: AskedHttp,
  target: ExchangeTarget,
): void {
  const { emitter, layers, log } = target;
  const { headers, body, statedSize, time } = exchange[direction];
  const status = direction === 'request' ? undefined : Number(exchange.status);
  const { transport } = exchange;
  const explained = explainHttpBody({ direction, asked, headers, status, transport });
  const unanswered = direction === 'response' ? errorOf(exchange, asked) : null;
  if (unanswered !== null) log.add(UNANSWERED, 'info', unanswered, exchange.start, exchange.end);
  const name = `${asked.method} ${asked.path}`;
  const title = direction === 'request' ? name : `the response to ${name}`;
  if (body === null) {
    if (explained !== null && hadBody(exchange, direction, explained.undeclared)) {
      const size = statedSize === null ? 'and its size is not stated' : `${countText(statedSize)} bytes`;
      const text = `The body of ${title} was recorded without its contents, ${size}: it cannot be read.`;
      log.add('http/no-contents', 'warning', text, exchange.start, exchange.end);
    }
    return;
  }
  const size = body.bytes.length;
  const pieces = body.pieces ?? [{ start: body.captureOffset, end: body.captureOffset + size }];
  if (explained === null || (size === 0 && !explained.emptyCounts)) {
    layers['other-bodies'] += size;
    return;
  }
  const { envelope } = explained;
  if (body.isCut === true) {
    const recorded = decodeBody(body.bytes, body.encoding, Number.POSITIVE_INFINITY);
    const held = plural(recorded.ok ? recorded.bytes.length : size, 'byte');
    const reason = `The body of ${title} was recorded in part, ${held} of it`;
    // Messages after their prefixes are whole as far as they go.
    if (explained.steps.length > 0 || envelope === undefined || 'form' in envelope) {
      const text = `${reason}: it cannot be read.`;
      const stream = flowOf(exchange.ends, direction);
      const run = log.lose(
        { code: 'http/cut', severity: 'warning', layer: 'incomplete', stream, reason: text },
        pieces[0]!.start,
      );
      for (const { start, end } of pieces) run.add(start, end);
      return;
    }
    log.add(
      'http/cut',
      'warning',
      `${reason}: only messages that are whole in it are read.`,
      pieces[0]!.start,
      pieces.at(-1)!.end,
    );
  }
  const found = stepsOf(body, statedSize, explained, direction);
  if (found === null) {
    const reason = `The body of ${title} was recorded as text, with U+FFFD in place of its bytes.`;
    const loss = { code: 'har/replaced', severity: 'warning', layer: 'incomplete', stream: null, reason } as const;
    log.lose(loss, body.captureOffset).add(body.captureOffset, body.captureOffset + size);
    return;
  }
  const { format } = explained;
  const { steps, otherCoding, isGuess } = found;
  if (isGuess) {
    const form = steps[0] === 'json-latin1' ? 'each character is read as a byte' : 'it is read as UTF-8';
    const text = `The body of ${title} was recorded as text, and nothing shows how its bytes were written: ${form}.`;
    log.add('har/unclear-bytes', 'warning', text, body.captureOffset, body.captureOffset + size);
  }
  if (envelope === undefined) layers[isCompressed(steps) ? 'compressed' : 'message'] += size;
  emitter.emit(
    {
      transport: explained.transport,
      side: direction === 'request' ? 0 : 1,
      time,
      direction,
      method: methodOf(asked, explained.transport),
      status: statusOf(exchange, direction, explained.transport),
      typeHint: explained.typeHint,
      format,
      headerBytes: 0,
      context: {},
      pieces,
      steps,
      ...(explained.undeclared ? { undeclared: title } : {}),
      ...(otherCoding === undefined ? {} : { otherCoding }),
      ...(envelope === undefined ? {} : { envelope }),
    },
    body.bytes,
    flowOf(exchange.ends, direction),
  );
}
