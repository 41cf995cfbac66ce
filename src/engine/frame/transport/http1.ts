/**
 * HTTP/1.1 → messages (RFC 9112), pipelined.
 *
 *   start line CRLF │ (name: value CRLF)* │ CRLF │ body
 *   Upgrade: h2c, answered by 101: both sides continue with HTTP/2 (RFC 7540 §3.2)
 *   Upgrade: websocket, answered by 101: both sides continue with WebSocket (RFC 6455 §4.2.2)
 *   CONNECT, answered by 2xx: a connection of its own, through a proxy (RFC 9110 §9.3.6)
 */

import { latin1 } from '../../bytes/latin1.ts';
import type { LossRun } from '../../capture/containers/packets-log.ts';
import { isCompressed } from '../../compression/registry.ts';
import type { ConnectionSide } from '../../stream/connection-sink.ts';
import { printStream } from './emitter.ts';
import type { HeaderField } from './hpack.ts';
import { type AskedHttp, askedOf } from './http-types.ts';
import { contentLength, Http1Body, type ReceivedHead } from './http1-body.ts';
import { readHttp1Head } from './http1-head.ts';
import { openReader as openHttp2 } from './http2.ts';
import { MarkSearch } from './mark-search.ts';
import { findQueryMessage, type QueryMessage } from './query-message.ts';
import type {
  NestedConnection,
  ProtocolMatch,
  StreamLoss,
  Transport,
  TransportContext,
  TransportReader,
} from './transport.ts';
import { agreedDeflate, openWebSocket } from './websocket.ts';
import type { StreamWindow } from './window.ts';

/** Maximum bytes of a start line and headers. */
const LONGEST_HEAD = 64 * 1024;
/** A response waits for its request, which may be captured later, until this many bytes of it are held. */
const LONGEST_WAIT = 1024 * 1024;
/** IANA's registry of HTTP methods, without PRI, which begins HTTP/2; and QUERY (draft-ietf-httpbis-safe-method-w-body). */
const METHODS =
  'ACL BASELINE-CONTROL BIND CHECKIN CHECKOUT CONNECT COPY DELETE GET HEAD LABEL LINK LOCK MERGE MKACTIVITY MKCALENDAR ' +
  'MKCOL MKREDIRECTREF MKWORKSPACE MOVE OPTIONS ORDERPATCH PATCH POST PROPFIND PROPPATCH PUT QUERY REBIND REPORT SEARCH ' +
  'TRACE UNBIND UNCHECKOUT UNLINK UNLOCK UPDATE UPDATEREDIRECTREF VERSION-CONTROL';
const RESPONSE = 'HTTP/1.';
const BEGINNINGS = [...METHODS.split(' ').map((method) => `${method} `), RESPONSE];
/** By first byte: how a message may begin. */
const STARTS = Array.from({ length: 256 }, (_, first) => BEGINNINGS.filter((start) => start.charCodeAt(0) === first));
/** The bytes after RESPONSE, each with those that are allowed: `HTTP/1.1 200 OK`. */
const STATUS = ['01', ' ', '0123456789', '0123456789', '0123456789', ' \r'];

interface SideState {
  body: Http1Body | null;
  /** Synchronisation is lost: a message is searched for. */
  isLost: boolean;
  /** The bytes that were passed over since then; null: there are none. */
  lost: LossRun | null;
  /** The window begins with a head that is not whole. */
  isInHead: boolean;
  readonly blankLine: MarkSearch;
  readonly lineFeed: MarkSearch;
  /** A hole may have hidden messages before the next one. */
  missed: boolean;
  /** When its latest response to a request began; null: there was none so far, or it has no time. */
  answeredAt: number | null;
  /** A body of chunks that a hole cut: a chunk may begin where the hole ends. null: none, or it was looked at. */
  cut: Http1Body | null;
}

/** @param lineFeedAt index of the first line feed from an index on; −1: not found */
function sniff(
  bytes: Uint8Array,
  at = 0,
  end = bytes.length,
  lineFeedAt = (from: number): number => bytes.indexOf(10, from),
): ProtocolMatch {
  if (at === end) return 'more';
  let more = false;
  for (const start of STARTS[bytes[at]!]!) {
    let same = 0;
    while (same < start.length && at + same < end && bytes[at + same] === start.charCodeAt(same)) same++;
    const next = at + same;
    if (same === start.length)
      return start === RESPONSE ? sniffStatus(bytes, next, end) : sniffTarget(bytes, next, end, lineFeedAt(next));
    if (next === end) more = true;
  }
  return more ? 'more' : 'no';
}

function sniffStatus(bytes: Uint8Array, at: number, end: number): ProtocolMatch {
  for (const [index, allowed] of STATUS.entries()) {
    if (at + index >= end) return 'more';
    if (!allowed.includes(String.fromCharCode(bytes[at + index]!))) return 'no';
  }
  return 'yes';
}

/** A method's name is not evidence, because SIP and RTSP have similar lines. The version after it is evidence. */
function sniffTarget(bytes: Uint8Array, at: number, end: number, line: number): ProtocolMatch {
  if (line < 0 || line >= end) return end - at < LONGEST_HEAD ? 'more' : 'no';
  return / HTTP\/1\.[01]\r$/.test(latin1(bytes, Math.max(at, line - 12), line)) ? 'yes' : 'no';
}

export const http1: Transport = { id: 'http1', label: 'HTTP/1.1', sniff: (bytes) => sniff(bytes), open: openReader };

function openReader(context: TransportContext): TransportReader {
  const { layers } = context;
  const states: readonly [SideState, SideState] = [createSide(), createSide()];
  /** Requests without a response so far, by the side that sent them. */
  const open: readonly [ReceivedHead[], ReceivedHead[]] = [[], []];
  const ended: [boolean, boolean] = [false, false];
  /** Nothing may wait for the other side. */
  let isForced = false;
  /** An unsupported protocol that both sides switched to; null: they did not switch. */
  let tunnel: { readonly name: string; start: number; end: number; bytes: number } | null = null;
  /** Reads the connection after an upgrade; null: there was no upgrade. */
  let upgraded: TransportReader | null = null;
  /** The connection in a tunnel; null: there is no tunnel. */
  let inner: NestedConnection | null = null;

  /** The start line and headers at the window's start; null: incomplete, or lost (then `isLost` is set). */
  function peekHead(side: ConnectionSide, window: StreamWindow): ReceivedHead | null {
    const state = states[side];
    const { bytes, start, end } = window;
    const found = state.blankLine.from(window, start);
    const blank = found + BLANK_LINE.length;
    if (found < 0 || blank - start > LONGEST_HEAD) {
      state.isInHead = true;
      if (end - start >= LONGEST_HEAD) lose(side, window, 1);
      return null;
    }
    const head = readHttp1Head(bytes, start, blank);
    if (head !== null) {
      const { request, status, headers } = head;
      const query = request === null ? null : findQueryMessage(request.path);
      return {
        request: request && { ...request, ...askedOf(request.method, request.path, headers, query) },
        status,
        headers,
        size: blank - start,
        time: window.time,
        at: window.captureOffset,
        followsHole: states[side].missed,
        query,
      };
    }
    lose(side, window, 1);
    return null;
  }

  function lose(side: ConnectionSide, window: StreamWindow, count: number): void {
    const state = states[side];
    state.isLost = true;
    state.isInHead = false;
    if (count === 0) return;
    state.lost ??= context.lose(side, LOST, window.captureOffset);
    window.lose(state.lost, count);
  }

  /**
   * Whether the body continues behind the hole: no other one has begun before, because the next request was sent later,
   * or the request was answered later.
   */
  function goesOn(side: ConnectionSide, { time }: StreamWindow, { head }: Http1Body): boolean {
    const asker = side === 0 ? 1 : 0;
    if (head.request === null && hidesRequest(asker, 0)) return false;
    const next = head.request === null ? open[asker][0]?.time : head.answered;
    return next === undefined || (next !== null && time !== null && next > time);
  }

  function findNext(side: ConnectionSide, window: StreamWindow): boolean {
    const state = states[side];
    const body = state.cut;
    const verdict = body !== null && goesOn(side, window, body) ? body.matchChunk(window) : 'no';
    if (verdict === 'more') return false;
    state.cut = null;
    if (verdict === 'no') return findHead(side, window);
    body!.restart();
    state.body = body;
    state.isLost = false;
    state.lost = null;
    state.missed = false;
    return true;
  }

  function findHead(side: ConnectionSide, window: StreamWindow): boolean {
    const { bytes, start, end } = window;
    let at = start;
    let verdict: ProtocolMatch = 'no';
    const lineFeedAt = (from: number): number => states[side].lineFeed.from(window, from);
    for (; at < end; at++) {
      verdict = sniff(bytes, at, end, lineFeedAt);
      if (verdict !== 'no') break;
    }
    lose(side, window, at - start);
    if (verdict !== 'yes' || at === end) return false;
    states[side].isLost = false;
    states[side].lost = null;
    return true;
  }

  /** Whether a hole before the open request of that index, or after the last one, may have hidden a request. */
  const hidesRequest = (asker: ConnectionSide, index: number): boolean =>
    open[asker][index]?.followsHole ?? states[asker].missed;

  /** Whether the last request's answer, which may be captured later, decides how the bytes are read. */
  function mayChange(side: ConnectionSide, window: StreamWindow, asks: (request: ReceivedHead) => boolean): boolean {
    const last = open[side].at(-1);
    const isAsked = last !== undefined && asks(last);
    return isAsked && !ended[side === 0 ? 1 : 0] && !isForced && window.length <= LONGEST_WAIT;
  }

  /** The request that a response answers; null: it is not in the capture, or unknown. `wait`: it may be captured later. */
  function askedBy(side: ConnectionSide, head: ReceivedHead, window: StreamWindow): ReceivedHead | null | 'wait' {
    const asker: ConnectionSide = side === 0 ? 1 : 0;
    const request = open[asker][0];
    const isOver = ended[0] || ended[1];
    const mayWait = !isOver && !isForced && window.length <= LONGEST_WAIT;
    if (request === undefined && mayWait) return 'wait';
    // The response answers a request from before the capture.
    if (request === undefined || isLater(request, head)) return null;
    const { answeredAt, missed } = states[side];
    const isPipelined = answeredAt !== null && request.time !== null && request.time < answeredAt;
    const isInDoubt = request.followsHole && isPipelined;
    if (!missed && !isInDoubt) return request;
    // It is unknown which requests were answered. Only one that was sent alone before the response is surely its own.
    const later = open[asker].findIndex((one) => isLater(one, head));
    if (later < 0 && mayWait) return 'wait';
    const sent = later < 0 ? open[asker].length : later;
    if (sent === 1 && !isInDoubt && !hidesRequest(asker, 1) && (later > 0 || isOver)) return request;
    open[asker].splice(0, sent);
    return null;
  }

  function begin(side: ConnectionSide, window: StreamWindow, state: SideState): boolean {
    const head = peekHead(side, window);
    if (head === null) return state.isLost;
    let asked: AskedHttp | null = null;
    const asker: ConnectionSide = side === 0 ? 1 : 0;
    if (head.request === null) {
      const found = askedBy(side, head, window);
      if (found === 'wait') return false;
      asked = found?.request ?? null;
      if (head.status >= 200) state.answeredAt = head.time;
      if (found !== null && head.status >= 200) found.answered = head.time;
      if (head.status >= 200 && found !== null) open[asker].shift();
      if (found !== null && (asksForUpgrade(found) || asksForTunnel(found))) context.wake(asker);
    } else open[side].push(head);
    state.missed = false;
    if (head.query !== null) emitQuery(side, head, head.query, window);
    else layers.http1 += head.size;
    state.isInHead = false;
    const fault = faultOfLength(head, window);
    window.consume(head.size);
    const request = open[asker][0];
    if (head.status === 101 && request !== undefined && namesH2c(request) && namesH2c(head)) {
      upgraded = openHttp2(context, { side: asker, headers: h2Headers(request) });
      context.wake(asker);
      return true;
    }
    const deflate = isWebSocket(head) ? agreedDeflate(head.headers.get('sec-websocket-extensions')) : 'unknown';
    if (deflate !== 'unknown') {
      const method = asked === null ? null : `${asked.method} ${asked.path}`;
      upgraded = openWebSocket(context, { client: asker, method, deflate });
      context.wake(asker);
      return true;
    }
    const changed = nameTunnel(head, asked);
    if (changed !== null) {
      if (changed === TUNNEL) inner = context.tunnel();
      if (ended[asker]) inner?.end(asker);
      if (inner === null) tunnel = { name: changed, start: window.captureOffset, end: 0, bytes: 0 };
      context.wake(asker);
      return true;
    }
    if (fault === null) state.body = new Http1Body(context, side, head, asked);
    else {
      state.isLost = true;
      state.lost = context.lose(side, fault, fault.at);
    }
    if (head.request !== null) context.wake(asker);
    return true;
  }

  function emitQuery(side: ConnectionSide, head: ReceivedHead, query: QueryMessage, window: StreamWindow): void {
    const { method, path, pathAt } = head.request!;
    const [from, to] = [pathAt + query.start, pathAt + query.end];
    layers.http1 += head.size - (to - from);
    layers[isCompressed(query.steps) ? 'compressed' : 'message'] += to - from;
    context.emit(
      {
        transport: 'connect',
        side,
        time: head.time,
        direction: 'request',
        method: `${method} ${path}`,
        status: null,
        typeHint: null,
        format: query.format,
        headerBytes: head.size - (to - from),
        context: {},
        pieces: window.pieces(from, to),
        steps: query.steps,
      },
      window.peek(to).subarray(from),
    );
  }

  function deliver(side: ConnectionSide, window: StreamWindow, into: NestedConnection): void {
    const { bytes, time } = window;
    let from = window.start;
    for (const { start, end } of window.pieces(0, window.length)) {
      into.data(side, bytes, from, from + end - start, start, time);
      from += end - start;
    }
    window.consume(window.length);
  }

  /** @param final no bytes follow, or a hole */
  function read(side: ConnectionSide, window: StreamWindow, final = false): void {
    const state = states[side];
    while (window.length > 0 || state.body !== null) {
      if (tunnel !== null && state.body === null) {
        for (const { start, end } of window.pieces(0, window.length)) {
          tunnel.bytes += end - start;
          tunnel.end = Math.max(tunnel.end, end);
        }
        window.consume(window.length);
        return;
      }
      if (inner !== null && state.body === null) {
        deliver(side, window, inner);
        return;
      }
      if (upgraded !== null && state.body === null) {
        upgraded.read(side, window);
        return;
      }
      if (state.isLost) {
        if (!findNext(side, window)) return;
      } else if (state.body !== null) {
        const next = state.body.mayBeNone ? sniff(window.bytes, window.start, window.end) : 'no';
        if (next === 'more' && !final) return;
        if (next === 'yes') {
          state.body = null;
          continue;
        }
        const progress = state.body.read(window);
        if (progress === 'more') return;
        if (progress !== 'within') state.body = null;
        if (progress === 'broken') lose(side, window, 1);
      } else if (mayChange(side, window, asksForTunnel)) return;
      else if (!state.isInHead && sniff(window.bytes, window.start, window.end) === 'no') {
        if (mayChange(side, window, asksForUpgrade)) return;
        lose(side, window, 1);
      } else if (!begin(side, window, state)) return;
    }
  }

  /** Reads responses that wait for a request, without waiting any longer. */
  function readWithoutWaiting(side: ConnectionSide, window: StreamWindow): void {
    isForced = true;
    read(side, window, true);
    isForced = false;
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
      if (inner !== null && state.body === null) {
        inner.hole(side, size, window.captureOffset, window.time, false);
        window.gap(size);
        return;
      }
      if (upgraded !== null && state.body === null) {
        upgraded.hole(side, window, size);
        return;
      }
      const { body } = state;
      if (body?.hole(size, window.captureOffset)) {
        window.gap(size);
        read(side, window);
        return;
      }
      state.body = null;
      state.missed = true;
      // The rest of a chunked body follows the hole.
      if (body?.isChunked) state.lost ??= body.lost;
      state.cut = body?.isChunked && body.isStreamed ? body : null;
      lose(side, window, window.length);
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
      if (inner !== null && state.body === null) {
        inner.end(side);
        return;
      }
      state.body?.end(window.captureOffset);
      if (window.length > 0) {
        state.lost ??= context.lose(side, ENDS_IN_HEAD, window.captureOffset);
        lose(side, window, window.length);
      }
      if (tunnel !== null && tunnel.bytes > 0 && ended[0] && ended[1]) {
        const stream = printStream(context.facts);
        context.traffic.add({ ...tunnel, unit: 'connection', isEncrypted: false, stream });
      }
    },
  };
}

const LOST: StreamLoss = {
  code: 'http1/resynchronised',
  severity: 'warning',
  layer: 'unattributed',
  reason: 'No HTTP message can be read here; reading continues at the next one.',
};

const ENDS_IN_HEAD: StreamLoss = {
  code: 'http1/incomplete',
  severity: 'warning',
  layer: 'unattributed',
  reason: 'The stream ends within the header of an HTTP message.',
};

/**
 * The fault of an invalid length. The end of the body is then unknown (RFC 9112 §6.3). `at`: captureOffset of the
 * header line.
 */
function faultOfLength(head: ReceivedHead, window: StreamWindow): (StreamLoss & { readonly at: number }) | null {
  const value = head.headers.get('content-length');
  if (value === undefined || head.headers.has('transfer-encoding') || contentLength(head) !== null) return null;
  const { start, bytes } = window;
  const line = latin1(bytes, start, start + head.size).search(/\r\ncontent-length[ \t]*:/i) + 2;
  const reason = `Content-Length “${value.slice(0, 40)}” is not a length: the end of the body is unknown.`;
  const at = window.pieces(line, line + 1)[0]!.start;
  return { code: 'http1/bad-length', severity: 'error', layer: 'unattributed', reason, at };
}

const TUNNEL = 'an HTTP tunnel';

/** Names the protocol that both sides use after this message (RFC 9110 §7.8, §9.3.6); null: HTTP continues. */
function nameTunnel({ status, headers }: ReceivedHead, asked: AskedHttp | null): string | null {
  if (status === 101) return isWebSocket({ status, headers }) ? 'WebSocket' : 'an HTTP upgrade';
  return asked?.method === 'CONNECT' && status >= 200 && status < 300 ? TUNNEL : null;
}

const asksForUpgrade = ({ headers }: ReceivedHead): boolean => headers.has('upgrade');

const asksForTunnel = ({ request }: ReceivedHead): boolean => request?.method === 'CONNECT';

const isLater = (one: ReceivedHead, other: ReceivedHead): boolean =>
  one.time !== null && other.time !== null && one.time > other.time;

const isWebSocket = ({ status, headers }: Pick<ReceivedHead, 'status' | 'headers'>): boolean =>
  status === 101 && /websocket/i.test(headers.get('upgrade') ?? '');

const namesH2c = ({ headers }: ReceivedHead): boolean => /(^|[\s,])h2c($|[\s,])/i.test(headers.get('upgrade') ?? '');

function h2Headers({ request, headers }: ReceivedHead): readonly HeaderField[] {
  const pseudo = [
    { name: ':method', value: request?.method ?? null },
    { name: ':path', value: request?.path ?? null },
  ];
  return [...pseudo, ...headers.lines];
}

/** The head ends with a blank line. */
const BLANK_LINE = '\r\n\r\n';

function indexOfBlankLine(bytes: Uint8Array, from: number, end: number): number {
  for (let at = bytes.indexOf(13, from); at >= 0 && at + 3 < end; at = bytes.indexOf(13, at + 1)) {
    if (bytes[at + 1] === 10 && bytes[at + 2] === 13 && bytes[at + 3] === 10) return at;
  }
  return -1;
}

const createSide = (): SideState => ({
  body: null,
  isLost: false,
  lost: null,
  isInHead: false,
  blankLine: new MarkSearch(BLANK_LINE.length, indexOfBlankLine),
  lineFeed: new MarkSearch(1, (bytes, from) => bytes.indexOf(10, from)),
  missed: false,
  answeredAt: null,
  cut: null,
});
