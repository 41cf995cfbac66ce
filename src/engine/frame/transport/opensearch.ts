/**
 * OpenSearch transport frames → messages. Numbers are big-endian unless they are VInts.
 *
 *   45 53 │ length×4 │ request id×8 │ status×1 │ version×4 │ header length×4 │ header │ body
 *   45 53 ff ff ff ff   ping
 *
 * The length excludes itself and the marker. Status: 1 response, 2 error, 4 compressed, 8 handshake. The header holds
 * the thread context and, in a request, the action; it is never compressed. A response names no action; the request
 * with the same id in the other direction does. Before 7.6.0 there is no header length, and everything after byte 19 is
 * the body.
 */
import { int32be, uint32be } from '../../bytes/integers.ts';
import { isDfl } from '../../compression/signatures.ts';
import type { ConnectionSide } from '../../stream/connection-sink.ts';
import { Exchanges } from './exchanges.ts';
import { openFramed } from './framed.ts';
import { NO_HEADERS, type OpenSearchHeader, readOpenSearchHeader } from './opensearch-header.ts';
import type {
  EmittedMessage,
  ProtocolMatch,
  StreamLoss,
  Transport,
  TransportContext,
  TransportReader,
} from './transport.ts';
import type { StreamWindow } from './window.ts';

const PING = 6;
const FIXED = 23;
const FIXED_BEFORE_7_6 = 19;
/** Minimum of a frame's length field: id, status, version. */
const SHORTEST = 13;
/** Nodes reject frames above 90 % of their heap, which is less than 1 GiB in practice. */
const LONGEST = 2 ** 30;
const Status = { RESPONSE: 1, ERROR: 2, COMPRESSED: 4, HANDSHAKE: 8 } as const;
const MASK = 0x08000000;
/** First stream version with a separate header, and the oldest and newest supported major versions. */
const SPLIT_HEADER = 7_060_000;

const PLAIN: readonly string[] = [];
const COMPRESSED: readonly string[] = ['dfl'];
const LOST: StreamLoss = {
  code: 'opensearch/resynchronised',
  severity: 'warning',
  layer: 'unattributed',
  reason: 'The frames are out of step here; reading continues at the next readable one.',
};
/** The header of versions that do not write one. */
const NO_HEADER: OpenSearchHeader = { bytes: new Uint8Array(0), headers: NO_HEADERS, action: null };

/** 2.19.2 is 136407 … XOR the mask. Elasticsearch's ids are not masked. */
const isVersion = (id: number): boolean => {
  const plain = id >= MASK ? (id ^ MASK) >>> 0 : id;
  return plain >= 1_000_000 && plain < 10_000_000;
};

/** Masked ids are above all others. */
const hasHeader = (version: number): boolean => version >= SPLIT_HEADER;

/** `2.19.2`, from the version id in a frame. */
export function printWireVersion(id: number): string {
  const plain = id >= MASK ? (id ^ MASK) >>> 0 : id;
  return `${Math.floor(plain / 1_000_000)}.${Math.floor(plain / 10_000) % 100}.${Math.floor(plain / 100) % 100}`;
}

/** @param at index of the frame's first byte @param end of the bytes that may be read */
function sniffAt(bytes: Uint8Array, at: number, end: number): ProtocolMatch {
  const has = end - at;
  if (has < 1) return 'more';
  if (bytes[at] !== 0x45 || (has > 1 && bytes[at + 1] !== 0x53)) return 'no';
  if (has < PING) return 'more';
  const length = int32be(bytes, at + 2);
  if (length === -1) return 'yes';
  if (length < SHORTEST || length > LONGEST) return 'no';
  if (has < FIXED_BEFORE_7_6) return 'more';
  if (bytes[at + 14]! > 15 || !isVersion(uint32be(bytes, at + 15))) return 'no';
  if (!hasHeader(uint32be(bytes, at + 15))) return 'yes';
  if (has < FIXED) return 'more';
  const header = int32be(bytes, at + 19);
  return header >= 0 && header <= length - 17 ? 'yes' : 'no';
}

/**
 * Requires two signs. First, the fixed header is valid. Second, the variable header is valid to its last byte, or
 * another frame follows. An executable may contain the first sign by chance.
 */
function believeAt(bytes: Uint8Array, at: number, end: number, final: boolean): ProtocolMatch {
  const first = sniffAt(bytes, at, end);
  if (first !== 'yes') return first;
  const length = int32be(bytes, at + 2);
  const size = length === -1 ? PING : length + 6;
  if (length !== -1 && hasHeader(uint32be(bytes, at + 15))) {
    const headerEnd = at + FIXED + int32be(bytes, at + 19);
    if (headerEnd > end) return final ? 'no' : 'more';
    const isRequest = (bytes[at + 14]! & Status.RESPONSE) === 0;
    if (readOpenSearchHeader(bytes, at + FIXED, headerEnd, isRequest) !== null) return 'yes';
  }
  if (at + size >= end) return final && at + size === end ? 'yes' : final ? 'no' : 'more';
  return sniffAt(bytes, at + size, end);
}

export const opensearch: Transport = {
  id: 'opensearch',
  label: 'OpenSearch transport',
  sniff: (bytes, final) => believeAt(bytes, 0, bytes.length, final),
  seek(bytes, from, final) {
    for (let at = bytes.indexOf(0x45, from); at >= 0; at = bytes.indexOf(0x45, at + 1)) {
      const verdict = believeAt(bytes, at, bytes.length, final);
      if (verdict !== 'no') return { at, isSure: verdict === 'yes' };
    }
    return null;
  },
  open: openReader,
};

function openReader(context: TransportContext): TransportReader {
  const { layers, log } = context;
  /** Actions by request id. */
  const actions = new Exchanges<string>();

  function readFrame(side: ConnectionSide, window: StreamWindow, size: number): void {
    const { bytes, start } = window;
    const version = uint32be(bytes, start + 15);
    const status = bytes[start + 14]!;
    const split = hasHeader(version);
    const headerEnd = split ? FIXED + int32be(bytes, start + 19) : FIXED_BEFORE_7_6;
    const isRequest = (status & Status.RESPONSE) === 0;
    const header: OpenSearchHeader | null = split
      ? readOpenSearchHeader(bytes, start + FIXED, start + headerEnd, isRequest)
      : NO_HEADER;
    if (header === null) {
      log.add(
        'opensearch/header',
        'warning',
        'The variable header of this frame cannot be read; its action and thread context are not known.',
        window.captureOffset,
        window.captureOffset + headerEnd,
      );
    }
    const id = requestId(bytes, start);
    const wire = bytes.subarray(start + headerEnd, start + size);
    const compressed = (status & Status.COMPRESSED) !== 0;
    const marked = compressed && isDfl(wire);
    layers.opensearch += headerEnd;
    const body = size - headerEnd;
    if (marked) {
      layers.compression += 4;
      layers.compressed += body - 4;
    } else layers[compressed ? 'compressed' : 'message'] += body;
    const facts: Record<string, string> = { requestId: id, version: printWireVersion(version) };
    if ((status & Status.HANDSHAKE) !== 0) facts['handshake'] = 'true';
    if (header !== null && header.headers !== NO_HEADERS) Object.assign(facts, header.headers);
    const asker: ConnectionSide = side === 0 ? 1 : 0;
    const asked = isRequest ? undefined : actions.answer(asker, id);
    const draft: EmittedMessage = {
      transport: 'opensearch',
      side,
      time: window.time,
      direction: isRequest ? 'request' : 'response',
      method: header?.action ?? asked ?? null,
      status: isRequest ? null : (status & Status.ERROR) === 0 ? 'ok' : 'error',
      typeHint: null,
      headerBytes: headerEnd,
      ...(header === null || header === NO_HEADER
        ? {}
        : { header: { bytes: header.bytes, pieces: window.pieces(FIXED, headerEnd) } }),
      context: facts,
      pieces: window.pieces(headerEnd, size),
      steps: compressed ? COMPRESSED : PLAIN,
    };
    if (isRequest) {
      context.emit(draft, wire);
      if (draft.method !== null) actions.ask(side, id, draft.method);
    } else if (asked !== undefined) context.emit(draft, wire);
    else {
      const held = wire.slice();
      actions.wait(asker, id, held.length, (action) => context.emit({ ...draft, method: action }, held));
    }
    window.consume(size);
  }

  function sizeAt(_: ConnectionSide, bytes: Uint8Array, at: number, end: number): number | 'more' | 'no' {
    const verdict = sniffAt(bytes, at, end);
    if (verdict !== 'yes') return verdict;
    const length = int32be(bytes, at + 2);
    return length === -1 ? PING : length + 6;
  }

  return openFramed(context, {
    id: 'opensearch',
    lost: LOST,
    sizeAt,
    next(_, bytes, at, end) {
      const found = bytes.indexOf(0x45, at);
      return found < 0 || found > end ? end : found;
    },
    believeAt: (_, bytes, at, end) => believeAt(bytes, at, end, false),
    read(side, window, size) {
      if (size !== PING) {
        readFrame(side, window, size);
        return;
      }
      layers.opensearch += PING;
      window.consume(PING);
    },
    incomplete: rememberIncomplete,
    end: (side) => actions.end(side),
  });

  /** Keeps the action of a request with an incomplete body, if its header is complete, for the response. */
  function rememberIncomplete(side: ConnectionSide, window: StreamWindow): void {
    if (window.length < FIXED) return;
    const { bytes, start, end } = window;
    if (!hasHeader(uint32be(bytes, start + 15)) || (bytes[start + 14]! & Status.RESPONSE) !== 0) return;
    const headerEnd = start + FIXED + int32be(bytes, start + 19);
    const header = headerEnd <= end ? readOpenSearchHeader(bytes, start + FIXED, headerEnd, true) : null;
    if (header?.action != null) actions.ask(side, requestId(bytes, start), header.action);
  }
}

/** @param at index of the frame's first byte */
function requestId(bytes: Uint8Array, at: number): string {
  const high = int32be(bytes, at + 6);
  const low = uint32be(bytes, at + 10);
  return high === 0 ? String(low) : ((BigInt(high) << 32n) | BigInt(low)).toString();
}
