/**
 * Kafka's protocol → messages. Numbers are big-endian (https://kafka.apache.org/protocol.html#protocol_messages).
 *
 *   request   size×4 │ API×2 │ version×2 │ correlation id×4 │ client id: length×2, text │ tagged fields │ body
 *   response  size×4 │ correlation id×4 │ tagged fields │ body
 *
 * The size excludes itself. Tagged fields exist from the API's first flexible version on; responses of ApiVersions have
 * none, so that every client can read them. A response names neither API nor version; the request with the same
 * correlation id does. An unknown version becomes a part of the method's name, so that no layout is used for it.
 */
import { int32be, uint16be } from '../../bytes/integers.ts';
import { latin1 } from '../../bytes/latin1.ts';
import { varintEnd, varintNumber } from '../../bytes/varint.ts';
import type { ConnectionSide } from '../../stream/connection-sink.ts';
import { Exchanges } from './exchanges.ts';
import { openFramed } from './framed.ts';
import { KAFKA_APIS } from './kafka-apis.ts';
import { slicePieces } from './parts.ts';
import type {
  EmittedMessage,
  ProtocolMatch,
  StreamLoss,
  Transport,
  TransportContext,
  TransportReader,
} from './transport.ts';
import type { StreamWindow } from './window.ts';

/**
 * Bytes of a request: size, API, version, correlation id, length of the client id. Bytes of a response: size and
 * correlation id.
 */
const FIXED = 14;
const RESPONSE = 8;
/** Default of a broker's `socket.request.max.bytes`. */
const LONGEST = 100 * 1024 * 1024;
/** Maximum size of a response that is read before a request is. */
const LONGEST_GUESSED = 64 * 1024;
/** Client ids are not longer: brokers use them as names of metrics. */
const LONGEST_CLIENT = 255;
/** Minimum length of a client id that is evidence by itself if the frame is incomplete. */
const TELLING_CLIENT = 3;
const API_VERSIONS = 18;
/**
 * A client first sends the newest version of ApiVersions that it has, whichever ones the broker has. In the first request,
 * up to this many versions above the last known one are accepted.
 */
const NEWER_VERSIONS = 4;
/** A response to a version that the broker does not support has version 0. */
const UNSUPPORTED_VERSION = 35;

const LOST: StreamLoss = {
  code: 'kafka/resynchronised',
  severity: 'warning',
  layer: 'unattributed',
  reason: 'The frames are out of step here; reading continues at the next readable one.',
};

interface Api {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  /** First flexible version. */
  readonly flexible: number;
}

const APIS: readonly (Api | undefined)[] = KAFKA_APIS.map((line) => {
  const [name, first, last, flexible] = line.split(' ');
  return last === undefined
    ? undefined
    : { name: name!, first: Number(first), last: Number(last), flexible: Number(flexible ?? Number.NaN) };
});

/** The facts of a request that its response does not repeat. */
interface Asked {
  readonly key: number;
  readonly version: number;
}

interface RequestHead extends Asked {
  readonly size: number;
  readonly id: number;
  /** Offset of the body in the frame. */
  readonly bodyAt: number;
  readonly client: string | null;
}

/** In APIs that this file does not know, all versions are flexible. */
const isFlexible = ({ key, version }: Asked): boolean => version >= (APIS[key]?.flexible ?? (APIS[key] ? 1e9 : 0));

function methodOf({ key, version }: Asked): string {
  const api = APIS[key];
  if (api === undefined) return `API ${key} v${version}`;
  return version < api.first || version > api.last ? `${api.name} v${version}` : api.name;
}

/** Index after the tagged fields; −1: they are incomplete or invalid. */
function tagsEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = varintEnd(bytes, start, end);
  if (at < 0) return -1;
  for (let left = varintNumber(bytes, start, at); left > 0; left--) {
    const tag = varintEnd(bytes, at, end);
    const size = tag < 0 ? -1 : varintEnd(bytes, tag, end);
    if (size < 0) return -1;
    at = size + varintNumber(bytes, tag, size);
    if (at > end) return -1;
  }
  return at;
}

/** @param at index of the frame's first byte */
function requestAt(bytes: Uint8Array, at: number, end: number): RequestHead | 'more' | 'no' {
  const has = end - at;
  const isBegun = has < 5 || bytes[at + 4] === 0;
  if (!isBegun || (has > 0 && bytes[at]! > LONGEST >> 24)) return 'no';
  if (has < FIXED) return 'more';
  const size = int32be(bytes, at) + 4;
  const key = uint16be(bytes, at + 4);
  const version = uint16be(bytes, at + 6);
  const id = int32be(bytes, at + 8);
  const units = (uint16be(bytes, at + 12) << 16) >> 16;
  if (size < FIXED || size > LONGEST + 4 || version > 255 || id < 0) return 'no';
  const clientEnd = FIXED + Math.max(0, units);
  if (units < -1 || units > LONGEST_CLIENT || clientEnd > size) return 'no';
  const isTagged = isFlexible({ key, version });
  if (has < clientEnd + (isTagged ? 1 : 0)) return has >= size ? 'no' : 'more';
  const client = units < 0 ? null : latin1(bytes.subarray(at + FIXED, at + clientEnd));
  if (client !== null && !PRINTED.test(client)) return 'no';
  const bodyEnd = isTagged ? tagsEnd(bytes, at + clientEnd, Math.min(end, at + size)) : at + clientEnd;
  if (bodyEnd < 0) return has >= size ? 'no' : 'more';
  return { size, key, version, id, client, bodyAt: bodyEnd - at };
}

/** Text without control characters. */
const PRINTED = /^\P{Cc}*$/u;

/**
 * Requires two signs. First, the header of a request is valid, and its API and version are known; of ApiVersions, the
 * version may be newer. Second, the client has a name, or the frame ends at the end of the bytes or before another frame.
 * An empty name and API 0 are zeros, as in the requests of ZooKeeper.
 */
function believeAt(bytes: Uint8Array, at: number, end: number, final: boolean): ProtocolMatch {
  const request = requestAt(bytes, at, end);
  if (request === 'no') return 'no';
  if (request === 'more') return final ? 'no' : 'more';
  const api = APIS[request.key];
  const areZeros = request.client === '' && request.key === 0;
  if (api === undefined || areZeros) return 'no';
  if (request.version > api.last + (request.key === API_VERSIONS ? NEWER_VERSIONS : 0)) return 'no';
  const behind = at + request.size;
  if (behind <= end) {
    const next = behind === end ? 'more' : requestAt(bytes, behind, end);
    return next === 'no' ? 'no' : 'yes';
  }
  if ((request.client?.length ?? 0) >= TELLING_CLIENT) return 'yes';
  return final ? 'no' : 'more';
}

/** Whether bytes from the middle of a connection may be responses: the last one ends where they end. */
function areResponses(bytes: Uint8Array, start: number, end: number): ProtocolMatch {
  let at = start;
  while (at < end) {
    if (end - at < RESPONSE) return 'more';
    const size = int32be(bytes, at) + 4;
    if (size < RESPONSE || size > LONGEST_GUESSED || int32be(bytes, at + 4) < 0) return 'no';
    at += size;
  }
  return at === end ? 'yes' : 'more';
}

export const kafka: Transport = {
  id: 'kafka',
  label: 'Kafka',
  sniff(bytes, final, isBegun) {
    const { length } = bytes;
    const verdict = believeAt(bytes, 0, length, final);
    // The other side shows whether they are.
    const mayAnswer = !final && !isBegun && verdict === 'no' && areResponses(bytes, 0, length) !== 'no';
    return mayAnswer ? 'more' : verdict;
  },
  open: openReader,
};

const other = (side: ConnectionSide): ConnectionSide => (side === 0 ? 1 : 0);

function openReader(context: TransportContext): TransportReader {
  const { layers } = context;
  const exchanges = new Exchanges<Asked>();
  /** The side that sends requests: the first side with a request. */
  let asker: ConnectionSide | null = null;
  /** Whether the next byte of the responses begins one. */
  let isInStep = false;

  function emit(
    side: ConnectionSide,
    asked: Asked | null,
    id: number,
    bodyAt: number,
    window: { readonly time: number | null; readonly pieces: EmittedMessage['pieces'] },
    frame: Uint8Array,
    client?: string | null,
  ): void {
    layers.kafka += bodyAt;
    layers.message += frame.length - bodyAt;
    context.emit(
      {
        transport: 'kafka',
        side,
        time: window.time,
        direction: side === asker ? 'request' : 'response',
        method: asked && methodOf(asked),
        status: null,
        typeHint: null,
        headerBytes: bodyAt,
        context: {
          requestId: String(id),
          ...(asked && { version: String(asked.version) }),
          ...(client != null && { clientId: client }),
        },
        pieces: window.pieces,
        steps: [],
      },
      frame.subarray(bodyAt),
    );
  }

  function readRequest(side: ConnectionSide, window: StreamWindow, size: number): void {
    const { bytes, start } = window;
    const request = requestAt(bytes, start, start + size);
    if (typeof request === 'string') return;
    const { id, bodyAt, client } = request;
    const place = { time: window.time, pieces: window.pieces(bodyAt, size) };
    emit(side, request, id, bodyAt, place, bytes.subarray(start, start + size), client);
    exchanges.ask(side, String(id), request);
    window.consume(size);
  }

  function readResponse(side: ConnectionSide, window: StreamWindow, size: number): void {
    const frame = window.peek(size);
    const id = int32be(frame, 4);
    const { time } = window;
    const give = (
      asked: Asked | null,
      bytes: Uint8Array,
      piecesFrom: (at: number) => EmittedMessage['pieces'],
    ): void => {
      const isTagged = asked !== null && asked.key !== API_VERSIONS && isFlexible(asked);
      const bodyAt = Math.max(RESPONSE, isTagged ? tagsEnd(bytes, RESPONSE, size) : RESPONSE);
      const isRefused = asked?.key === API_VERSIONS && uint16be(bytes, bodyAt) === UNSUPPORTED_VERSION;
      const meant = asked && isRefused ? { ...asked, version: 0 } : asked;
      emit(side, meant, id, bodyAt, { time, pieces: piecesFrom(bodyAt) }, bytes);
    };
    const asked = exchanges.answer(other(side), String(id));
    if (asked !== undefined) give(asked, frame, (at) => window.pieces(at, size));
    else {
      const held = frame.slice();
      const whole = window.pieces(0, size);
      exchanges.wait(other(side), String(id), size, (late) => give(late, held, (at) => slicePieces(whole, at, size)));
    }
    window.consume(size);
  }

  /** Whether a response begins there to a request that has none. */
  function isAsked(bytes: Uint8Array, at: number): boolean {
    const size = int32be(bytes, at) + 4;
    const isOpen = asker !== null && exchanges.isOpen(asker, String(int32be(bytes, at + 4)));
    return isOpen && size >= RESPONSE && size <= LONGEST;
  }

  return openFramed(context, {
    id: 'kafka',
    lost: LOST,
    sizeAt(side, bytes, at, end) {
      if (asker === null) {
        if (believeAt(bytes, at, end, false) !== 'yes') return 'more';
        asker = side;
        isInStep = context.isFromStart[other(side)];
        context.wake(other(side));
      }
      if (side === asker) {
        const request = requestAt(bytes, at, end);
        return typeof request === 'string' ? request : request.size;
      }
      if (end - at < RESPONSE) return 'more';
      if (!isInStep && !isAsked(bytes, at)) {
        const verdict = areResponses(bytes, at, end);
        if (verdict !== 'yes') return verdict;
      }
      isInStep = true;
      const size = int32be(bytes, at) + 4;
      return size < RESPONSE || size > 2 ** 30 ? 'no' : size;
    },
    /** A frame begins with the most significant byte of its size. */
    next(_, bytes, at, end) {
      for (let from = at; from < end; from++) if (bytes[from]! <= LONGEST >> 24) return from;
      return end;
    },
    believeAt(side, bytes, at, end) {
      if (side === asker) return believeAt(bytes, at, end, false);
      if (end - at < RESPONSE) return 'more';
      return isAsked(bytes, at) ? 'yes' : 'no';
    },
    read(side, window, size) {
      if (side === asker) readRequest(side, window, size);
      else readResponse(side, window, size);
    },
    incomplete(side, window) {
      const request = side === asker ? requestAt(window.bytes, window.start, window.end) : 'no';
      if (typeof request !== 'string') exchanges.ask(side, String(request.id), request);
    },
    end(side) {
      exchanges.end(side);
    },
  });
}
