/**
 * HTTP/1.1 → messages (RFC 9112): pipelined, with Content-Length, chunked, or to the end of the connection.
 *
 *   start line CRLF │ (name: value CRLF)* │ CRLF │ body
 *   Upgrade: h2c, answered by 101: what follows on either side is HTTP/2 (RFC 7540 §3.2)
 *   chunked body: (size in hex CRLF │ data CRLF)* │ 0 CRLF │ trailers CRLF
 */
import { latin1 } from '../../bytes/latin1.ts';
import type { Side } from '../../stream/connections.ts';
import { isMessageByContents } from './detect-message-body.ts';
import type { Header } from './hpack.ts';
import { explainHttpBody } from './http-types.ts';
import { type Http1Head, readHttp1Head } from './http1-head.ts';
import { openReader as openHttp2 } from './http2.ts';
import { BodyParts } from './parts.ts';
import { findQueryMessage, type QueryMessage } from './query-message.ts';
import type { Transport, TransportContext, TransportReader, Verdict } from './transport.ts';
import type { StreamWindow } from './window.ts';

/** A head longer than this is none. */
const LONGEST_HEAD = 64 * 1024;
const LONGEST_CHUNK_LINE = 4096;
/** A response waits for its request, which can be captured later, until so much of it is held. */
const LONGEST_WAIT = 1024 * 1024;
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'CONNECT', 'TRACE'];
const STARTS = [...METHODS.map((method) => `${method} `), 'HTTP/1.'];

interface Head extends Http1Head {
  /** Bytes, blank line included. */
  readonly size: number;
  readonly time: number | null;
  /** The message in its target. */
  readonly query: QueryMessage | null;
}

interface Body {
  readonly head: Head;
  /** The request's, of a response. */
  readonly asked: { readonly method: string; readonly path: string } | null;
  /** The body as far as it came; null: it is passed over. */
  parts: BodyParts | null;
  /** Whole bytes of the part at hand that are still to come; −1: until the end of the connection. */
  left: number;
  /** Where chunked reading stands; `none`: not chunked. */
  chunk: 'none' | 'size' | 'data' | 'line-end' | 'trailers';
}

interface SideState {
  body: Body | null;
  /** captureOffset from where no head was found; −1: in step. */
  lostFrom: number;
  /** Bytes of the window already searched for the blank line. */
  searched: number;
  /** A hole may have hidden heads: which request the next response answers is told by its time alone. */
  missed: boolean;
}

function sniff(bytes: Uint8Array, at = 0, end = bytes.length): Verdict {
  let more = false;
  for (const start of STARTS) {
    let same = 0;
    while (same < start.length && at + same < end && bytes[at + same] === start.charCodeAt(same)) same++;
    if (same === start.length) return 'yes';
    if (at + same === end) more = true;
  }
  return more ? 'more' : 'no';
}

export const http1: Transport = { id: 'http1', label: 'HTTP/1.1', sniff: (bytes) => sniff(bytes), open: openReader };

function openReader(context: TransportContext): TransportReader {
  const { layers, log } = context;
  const states: readonly [SideState, SideState] = [
    { body: null, lostFrom: -1, searched: 0, missed: false },
    { body: null, lostFrom: -1, searched: 0, missed: false },
  ];
  /** Requests not yet answered, by the side that sent them. */
  const open: readonly [Head[], Head[]] = [[], []];
  const ended: boolean[] = [];
  /** What both sides changed to, of which nothing is read; null: they did not. */
  let tunnel: { readonly name: string; readonly start: number; bytes: number } | null = null;
  /** Reads what follows an upgrade; null: there was none. */
  let upgraded: TransportReader | null = null;

  /** The head at the window's start; null: not whole yet, or lost (then `lostFrom` is set). */
  function peekHead(state: SideState, window: StreamWindow): Head | null {
    const { bytes, start, end } = window;
    const from = start + Math.max(0, state.searched - 3);
    const blank = indexOfBlankLine(bytes, from, Math.min(end, start + LONGEST_HEAD));
    if (blank < 0) {
      state.searched = end - start;
      if (end - start >= LONGEST_HEAD) lose(state, window);
      return null;
    }
    const head = readHttp1Head(bytes, start, blank);
    if (head !== null) {
      const { request, status, headers } = head;
      const query = request === null ? null : findQueryMessage(request.path);
      return {
        request: request === null || query === null ? request : { ...request, path: query.path },
        status,
        headers,
        size: blank - start,
        time: window.time,
        query,
      };
    }
    lose(state, window);
    return null;
  }

  function lose(state: SideState, window: StreamWindow): void {
    state.lostFrom = window.captureOffset;
    state.searched = 0;
    layers.unattributed++;
    window.consume(1);
  }

  function findHead(state: SideState, window: StreamWindow): boolean {
    const { bytes, start, end } = window;
    let at = start;
    let verdict: Verdict = 'no';
    for (; at < end; at++) {
      verdict = sniff(bytes, at, end);
      if (verdict !== 'no') break;
    }
    layers.unattributed += at - start;
    window.consume(at - start);
    if (verdict !== 'yes' || at === end) return false;
    log.add(
      'http1/resynchronised',
      'warning',
      'These bytes belong to no HTTP message that can be read; reading goes on at the next one.',
      state.lostFrom,
      window.captureOffset,
    );
    state.lostFrom = -1;
    return true;
  }

  /** Behind a hole: of several requests sent before this response some were answered in it, and nobody knows which. */
  function forgetAnswered(asker: Side, { time }: Head): void {
    const later = open[asker].findIndex((request) => request.time !== null && time !== null && request.time > time);
    const before = later < 0 ? open[asker].length : later;
    if (before > 1) open[asker].splice(0, before);
  }

  /** The request that a response answers; `wait`: it may still come. */
  function askedBy(side: Side, head: Head, window: StreamWindow): Head | null | 'wait' {
    const asker: Side = side === 0 ? 1 : 0;
    const request = open[asker][0];
    if (request === undefined) return ended[asker] || window.length > LONGEST_WAIT ? null : 'wait';
    // An answer to a request from before the capture began.
    return request.time !== null && head.time !== null && request.time > head.time ? null : request;
  }

  function begin(side: Side, window: StreamWindow, state: SideState): boolean {
    const head = peekHead(state, window);
    if (head === null) return state.lostFrom >= 0;
    let asked: Body['asked'] = null;
    const asker: Side = side === 0 ? 1 : 0;
    if (head.request === null) {
      if (state.missed) forgetAnswered(asker, head);
      const found = askedBy(side, head, window);
      if (found === 'wait') return false;
      state.missed = false;
      asked = found?.request ?? null;
      if (head.status >= 200 && found !== null) open[asker].shift();
    } else open[side].push(head);
    if (head.query !== null) emitQuery(side, head, head.query, window);
    else layers.http1 += head.size;
    state.searched = 0;
    window.consume(head.size);
    const request = open[asker][0];
    if (head.status === 101 && request !== undefined && namesH2c(request) && namesH2c(head)) {
      upgraded = openHttp2(context, { side: asker, headers: h2Headers(request) });
      context.wake(asker);
      return true;
    }
    const changed = nameTunnel(head, asked);
    if (changed !== null) {
      tunnel = { name: changed, start: window.captureOffset, bytes: 0 };
      context.wake(asker);
      return true;
    }
    state.body = openBody(head, asked);
    if (head.request !== null) context.wake(asker);
    return true;
  }

  function emitQuery(side: Side, head: Head, query: QueryMessage, window: StreamWindow): void {
    const { method, path } = head.request!;
    const target = method.length + 1;
    const [from, to] = [target + query.start, target + query.end];
    layers.http1 += head.size - (to - from);
    layers.compressed += to - from;
    context.emit(
      {
        transport: 'connect',
        side,
        time: head.time,
        direction: 'request',
        method: `${method} ${path}`,
        status: null,
        typeHint: null,
        headerBytes: head.size - (to - from),
        context: {},
        pieces: window.pieces(from, to),
        steps: query.steps,
      },
      window.peek(to).subarray(from),
    );
  }

  function openBody(head: Head, asked: Body['asked']): Body {
    const chunked = (head.headers.get('transfer-encoding') ?? '').toLowerCase().includes('chunked');
    const length = Number(head.headers.get('content-length') ?? Number.NaN);
    const bodiless =
      head.request === null &&
      (asked?.method === 'HEAD' || head.status < 200 || head.status === 204 || head.status === 304);
    let left = 0;
    if (!bodiless && !chunked) {
      if (Number.isSafeInteger(length) && length >= 0) left = length;
      else if (head.request === null) left = -1;
    }
    const tooLarge = left > context.limit;
    return {
      head,
      asked,
      parts: tooLarge ? null : new BodyParts(),
      left,
      chunk: chunked && !bodiless ? 'size' : 'none',
    };
  }

  function takeBody(body: Body, window: StreamWindow, count: number): void {
    if (body.parts !== null && body.parts.size + count > context.limit) {
      giveUp(body, window.captureOffset, 'is too large');
    }
    if (body.parts === null) layers.incomplete += count;
    else body.parts.add(window.peek(count), window.pieces(0, count));
    window.consume(count);
  }

  function giveUp(body: Body, captureOffset: number, why: string): void {
    if (body.parts === null) return;
    layers.incomplete += body.parts.size;
    body.parts.clear();
    body.parts = null;
    log.add('http1/incomplete', 'warning', `The body of ${printTitle(body)} ${why}.`, captureOffset);
  }

  function finish(side: Side, state: SideState, body: Body): void {
    state.body = null;
    const { parts } = body;
    if (parts === null) return;
    const isRequest = body.head.request !== null;
    const target = body.head.request ?? body.asked;
    const direction = isRequest ? ('request' as const) : ('response' as const);
    const explained = explainHttpBody({
      direction,
      path: target?.path ?? null,
      headers: body.head.headers,
      transport: 'http1',
    });
    const isNoMessage = (steps: readonly string[]): boolean =>
      !isMessageByContents({ wire: parts.whole(), steps, pieces: parts.pieces, title: printTitle(body) }, log);
    if (
      explained === null ||
      (parts.size === 0 && !explained.emptyCounts) ||
      wasRefused(body.head) ||
      (explained.untold && isNoMessage(explained.steps))
    ) {
      layers['other-bodies'] += parts.size;
      parts.clear();
      return;
    }
    const { envelope } = explained;
    if (envelope === undefined) layers[explained.steps.length > 0 ? 'compressed' : 'message'] += parts.size;
    context.emit(
      {
        transport: explained.transport,
        side,
        time: body.head.time,
        direction,
        method: target === null ? null : `${target.method} ${target.path}`,
        status: isRequest ? null : String(body.head.status),
        typeHint: explained.typeHint,
        headerBytes: body.head.size,
        context: {},
        pieces: parts.pieces,
        steps: explained.steps,
        ...(envelope === undefined ? {} : { envelope }),
      },
      parts.whole(),
    );
    parts.clear();
  }

  /** Reads on in the body; false: more bytes are needed. */
  function readBody(side: Side, window: StreamWindow, state: SideState, body: Body): boolean {
    if (body.chunk === 'none' || body.chunk === 'data') {
      const count = body.left < 0 ? window.length : Math.min(body.left, window.length);
      if (count > 0) takeBody(body, window, count);
      if (body.left > 0) body.left -= count;
      if (body.left !== 0) return false;
      if (body.chunk === 'none') finish(side, state, body);
      else body.chunk = 'line-end';
      return true;
    }
    const line = indexOfLineEnd(window.bytes, window.start, window.end);
    if (line < 0) {
      if (window.length <= LONGEST_CHUNK_LINE) return false;
      giveUp(body, window.captureOffset, 'has a chunk without a size');
      state.body = null;
      lose(state, window);
      return true;
    }
    const text = latin1(window.bytes, window.start, line).trim();
    const size = line + 1 - window.start;
    if (body.chunk === 'size') {
      const length = Number.parseInt(text, 16);
      if (!/^[0-9a-f]+\s*(;|$)/i.test(text) || !Number.isSafeInteger(length)) {
        giveUp(body, window.captureOffset, 'has a chunk without a size');
        state.body = null;
        lose(state, window);
        return true;
      }
      body.left = length;
      body.chunk = length === 0 ? 'trailers' : 'data';
    } else if (body.chunk === 'line-end') body.chunk = 'size';
    layers.http1 += size;
    window.consume(size);
    if (body.chunk === 'trailers' && text === '') finish(side, state, body);
    return true;
  }

  function read(side: Side, window: StreamWindow): void {
    const state = states[side];
    while (window.length > 0 || state.body !== null) {
      if (tunnel !== null && state.body === null) {
        tunnel.bytes += window.length;
        layers.unattributed += window.length;
        window.consume(window.length);
        return;
      }
      if (upgraded !== null && state.body === null) {
        upgraded.read(side, window);
        return;
      }
      if (state.lostFrom >= 0) {
        if (!findHead(state, window)) return;
      } else if (state.body !== null) {
        if (!readBody(side, window, state, state.body)) return;
      } else if (state.searched === 0 && sniff(window.bytes, window.start, window.end) === 'no') {
        lose(state, window);
      } else if (!begin(side, window, state)) return;
    }
  }

  /** Reads what waits for a request as if none came any more. */
  function readWithoutWaiting(side: Side, window: StreamWindow): void {
    const asker = side === 0 ? 1 : 0;
    const was = ended[asker]!;
    ended[asker] = true;
    read(side, window);
    ended[asker] = was;
  }

  return {
    read,

    hole(side, window, size) {
      readWithoutWaiting(side, window);
      const state = states[side];
      if (tunnel !== null && state.body === null) {
        window.gap(size);
        return;
      }
      if (upgraded !== null && state.body === null) {
        upgraded.hole(side, window, size);
        return;
      }
      const { body } = state;
      const inBody = body !== null && (body.chunk === 'none' || body.chunk === 'data');
      if (body !== null) giveUp(body, window.captureOffset, `misses ${size} bytes that were not captured`);
      if (inBody && (body.left < 0 || body.left >= size)) {
        if (body.left > 0) body.left -= size;
        layers.unattributed += window.length;
        window.gap(size);
        read(side, window);
        return;
      }
      state.body = null;
      state.missed = true;
      if (state.lostFrom < 0) state.lostFrom = window.captureOffset;
      state.searched = 0;
      layers.unattributed += window.length;
      window.gap(size);
    },

    end(side, window) {
      const state = states[side];
      ended[side] = true;
      context.wake(side === 0 ? 1 : 0);
      readWithoutWaiting(side, window);
      if (upgraded !== null && state.body === null) {
        upgraded.end(side, window);
        return;
      }
      const { body } = state;
      if (body !== null) {
        if (body.left < 0 && body.chunk === 'none') finish(side, state, body);
        else giveUp(body, window.captureOffset, 'is not whole: nothing more of it was captured');
      }
      layers.unattributed += window.length;
      window.consume(window.length);
      if (tunnel !== null && ended[0] && ended[1]) {
        context.traffic.add({ ...tunnel, unit: 'connection', isEncrypted: false });
      }
    },
  };
}

const printTitle = (body: Body): string => {
  const target = body.head.request ?? body.asked;
  const name = target === null ? 'a response' : `${target.method} ${target.path}`;
  return body.head.request !== null || target === null ? name : `the response to ${name}`;
};

/** What follows a head on both sides, where that is no HTTP (RFC 9110 §7.8, §9.3.6); null: it is. */
function nameTunnel({ status, headers }: Head, asked: Body['asked']): string | null {
  if (status === 101) return /websocket/i.test(headers.get('upgrade') ?? '') ? 'WebSocket' : 'an HTTP upgrade';
  return asked?.method === 'CONNECT' && status >= 200 && status < 300 ? 'an HTTP tunnel' : null;
}

const namesH2c = ({ headers }: Head): boolean => /(^|[\s,])h2c($|[\s,])/i.test(headers.get('upgrade') ?? '');

function h2Headers({ request, headers }: Head): readonly Header[] {
  const pseudo = [
    { name: ':method', value: request?.method ?? null },
    { name: ':path', value: request?.path ?? null },
  ];
  return [...pseudo, ...headers.lines];
}

/** A refusal's body says why in words, whatever its type says. */
const wasRefused = (head: Head): boolean =>
  head.request === null && head.status >= 400 && !head.headers.has('content-type');

/** Index behind the blank line that ends a head; −1: none. */
function indexOfBlankLine(bytes: Uint8Array, from: number, end: number): number {
  for (let at = bytes.indexOf(13, from); at >= 0 && at + 3 < end; at = bytes.indexOf(13, at + 1)) {
    if (bytes[at + 1] === 10 && bytes[at + 2] === 13 && bytes[at + 3] === 10) return at + 4;
  }
  return -1;
}

function indexOfLineEnd(bytes: Uint8Array, from: number, end: number): number {
  const at = bytes.indexOf(10, from);
  return at < 0 || at >= end ? -1 : at;
}
