/**
 * One HTTP/2 stream: headers and data of both sides → messages. gRPC (https://github.com/grpc/grpc, PROTOCOL-HTTP2.md)
 * frames them:
 *
 *   (compressed flag×1 │ length×4, big-endian │ message)*      across DATA frames as it comes
 *
 * Any other content is one body. If the headers were not captured, gRPC is assumed if the prefixes fit. If the h2
 * stream has a hole or its beginning was not captured, messages are searched for (`grpc-search.ts`).
 */

import type { LossLayer } from '../../capture/containers/packets-layers.ts';
import type { LossRun } from '../../capture/containers/packets-log.ts';
import { huffmanBits } from '../../compression/hpack-huffman.ts';
import { sliceStep } from '../../compression/registry.ts';
import { sniffCodec } from '../../compression/signatures.ts';
import { countText } from '../../model/count-text.ts';
import type { ConnectionSide } from '../../stream/connections.ts';
import { GrpcSearch } from '../framing/grpc-search.ts';
import type { Piece } from '../message.ts';
import { bodySteps } from './body-steps.ts';
import { wholeParts } from './envelope.ts';
import type { HeaderField } from './hpack.ts';
import {
  type AskedHttp,
  explainHttpBody,
  formatOf,
  grpcCodec,
  type HttpBody,
  namesConnect,
  parseMediaType,
} from './http-types.ts';
import { BodyParts, pieceSlicer, reportLostPieces, slicePieces as slice } from './parts.ts';
import { findQueryMessage } from './query-message.ts';
import type { EmittedMessage, TransportContext } from './transport.ts';

const PREFIX = 5;
/** Without headers, a longer message is evidence that this is not gRPC. */
const LONGEST_GUESSED = 16 * 1024 * 1024;
/**
 * The last message of a response waits for the trailers, which contain the status, unless it is larger than this. It is
 * not the last one if the client sends more.
 */
const LONGEST_HELD = 4 * 1024 * 1024;

type Kind = 'undecided' | 'grpc' | 'plain' | 'searching' | 'lost';

interface Half {
  /** Its first header block was captured, readable or not, so the next data are its beginning. */
  begun: boolean;
  headers: ReadonlyMap<string, string> | null;
  /** Whether all headers are known. */
  complete: boolean;
  headerBytes: number;
  kind: Kind;
  /** gRPC: the current message with its prefix. Otherwise: the body. */
  parts: BodyParts;
  time: number | null;
  /** gRPC: total bytes of the current message with its prefix; 0: unknown so far. */
  needed: number;
  /** Bytes of the current message are missing, so it is counted and not given; null: no byte is missing so far. */
  damaged: LossRun | null;
  /** Bytes of the current message that were received or are missing. */
  passed: number;
  /** The message that waits for the trailers. */
  held: { readonly draft: EmittedMessage; readonly parts: BodyParts } | null;
  readonly search: GrpcSearch;
  /** Bytes outside of messages that were skipped since the last message; null: there were none. */
  lost: LossRun | null;
}

const createHalf = (search: GrpcSearch): Half => ({
  begun: false,
  headers: null,
  complete: false,
  headerBytes: 0,
  kind: 'undecided',
  parts: new BodyParts(),
  time: null,
  needed: 0,
  damaged: null,
  lost: null,
  passed: 0,
  held: null,
  search,
});

export interface H2Stream {
  /** A header block of this side, possibly trailers. @param headers null: not captured, or not decodable */
  headers(side: ConnectionSide, headers: readonly HeaderField[] | null, bytes: number, time: number | null): void;
  /** @param bytes borrowed @param pieces the places of these bytes */
  data(
    side: ConnectionSide,
    bytes: Uint8Array,
    pieces: readonly Piece[],
    time: number | null,
    isWholeFrame: boolean,
  ): void;
  hole(side: ConnectionSide, size: number, captureOffset: number): void;
  /**
   * An unknown number of bytes was missed. gRPC continues at the next message that can be found; any other body is
   * lost.
   */
  lose(side: ConnectionSide): void;
  end(side: ConnectionSide): void;
  /** The incomplete message of this side stays incomplete, and there will be no status. */
  abandon(side: ConnectionSide): void;
}

export function createH2Stream(id: number, context: TransportContext, client: () => ConnectionSide | null): H2Stream {
  const { layers } = context;
  const halves: readonly [Half, Half] = [createHalf(createSearch(0)), createHalf(createSearch(1))];

  function createSearch(side: ConnectionSide): GrpcSearch {
    return new GrpcSearch({
      limit: context.limit,
      codec: () => grpcCodec(halves[side].headers?.get('grpc-encoding')),
      onDropped: (pieces) => pass(side, pieces),
    });
  }

  /** @param message the text of a new loss */
  function pass(side: ConnectionSide, pieces: readonly Piece[], reason = OUT_OF_STEP): void {
    const half = halves[side];
    if (pieces.length === 0) return;
    half.lost ??= lose(side, 'unattributed', 'grpc/lost', reason, pieces[0]!.start);
    reportLostPieces(half.lost, pieces);
  }

  const lose = (side: ConnectionSide, layer: LossLayer, code: string, reason: string, at: number): LossRun =>
    context.lose(
      side,
      { code, severity: 'warning', layer, reason: `${reason} It is ${printTitle(directionOf(side))}.` },
      at,
    );

  const directionOf = (side: ConnectionSide): EmittedMessage['direction'] => {
    const asker = client();
    return asker === null ? null : asker === side ? 'request' : 'response';
  };

  const requestHeaders = (): ReadonlyMap<string, string> | null =>
    halves.map((half) => half.headers).find((headers) => headers?.has(':path')) ?? null;

  function askedHttp(): AskedHttp | null {
    const request = requestHeaders();
    const path = request?.get(':path');
    if (path === undefined) return null;
    const query = findQueryMessage(path);
    return {
      method: request?.get(':method') ?? '',
      path: query?.path ?? path,
      isConnect: query !== null || namesConnect(request),
    };
  }

  function printTitle(direction: EmittedMessage['direction']): string {
    const request = requestHeaders();
    const path = request?.get(':path');
    if (path === undefined) return `h2 stream ${id}`;
    const name = `${request?.get(':method') ?? ''} ${path}`.trim();
    return direction === 'response' ? `the response to ${name}` : name;
  }

  /** The media type of this side, else that of the other one; null: both are unknown. */
  function typeOf(side: ConnectionSide): string | null {
    const [own, other] = [side, side === 0 ? 1 : 0].map((each) => halves[each]!.headers?.get('content-type'));
    return own === undefined && other === undefined ? null : parseMediaType(own ?? other).type;
  }

  function decide(side: ConnectionSide): Kind {
    const type = typeOf(side);
    const { begun, complete } = halves[side];
    if (type === null) return complete ? 'plain' : begun ? 'undecided' : 'searching';
    const isGrpc = type === 'application/grpc' || type.startsWith('application/grpc+');
    // A partial body is not a message.
    return isGrpc ? (begun ? 'grpc' : 'searching') : begun ? 'plain' : 'lost';
  }

  /** Reads the prefix when it is complete. */
  function readPrefix(side: ConnectionSide, half: Half): void {
    if (half.needed !== 0 || half.passed < PREFIX) return;
    const prefix = half.parts.whole();
    const length = ((prefix[1]! << 24) | (prefix[2]! << 16) | (prefix[3]! << 8) | prefix[4]!) >>> 0;
    const guessed = half.kind === 'undecided';
    if (prefix[0]! > 1 || (guessed && length > LONGEST_GUESSED)) {
      const { pieces } = half.parts;
      half.lost = lose(
        side,
        'unattributed',
        guessed ? 'grpc/unknown' : 'grpc/prefix',
        guessed ? NO_HEADERS : BAD_PREFIX,
        startOf(pieces),
      );
      half.parts.lose(half.lost);
      half.passed = 0;
      half.kind = 'lost';
      return;
    }
    half.kind = 'grpc';
    half.needed = PREFIX + length;
    if (length > context.limit) {
      const reason = `A message of ${countText(length)} bytes is passed over: at most ${countText(context.limit)} are held.`;
      damage(side, half, 'grpc/too-large', reason);
    }
  }

  /** @param at captureOffset to report if no byte of the message was received */
  function damage(
    side: ConnectionSide,
    half: Half,
    code: string,
    reason: string,
    at = startOf(half.parts.pieces),
  ): void {
    if (half.kind === 'plain' && half.damaged === null) finishPlain(side, half, true);
    half.damaged ??= lose(side, 'incomplete', code, reason, half.parts.size === 0 ? at : startOf(half.parts.pieces));
    half.parts.lose(half.damaged);
  }

  function finishMessage(side: ConnectionSide, half: Half): void {
    if (half.damaged === null) emitMessage(side, half);
    half.parts.clear();
    half.needed = 0;
    half.passed = 0;
    half.damaged = null;
    half.lost = null;
  }

  function emitMessage(side: ConnectionSide, half: Half): void {
    const whole = half.parts.whole();
    const wire = whole.subarray(PREFIX);
    const compressed = whole[0] === 1;
    layers.grpc += PREFIX;
    layers[compressed ? 'compressed' : 'message'] += wire.length;
    const named = grpcCodec(half.headers?.get('grpc-encoding'));
    const codec = compressed ? (named ?? sniffCodec(wire) ?? 'unknown') : null;
    release(half, null);
    const draft = {
      ...compose(side, half, 'grpc', piecesBehindPrefix(half.parts.pieces), codec === null ? [] : [codec]),
      format: formatOf(typeOf(side) ?? ''),
    };
    if (draft.direction !== 'response' || wire.length > LONGEST_HELD) context.emit(draft, wire);
    else {
      half.held = { draft, parts: half.parts };
      half.parts = new BodyParts();
    }
  }

  function release(half: Half, status: string | null): void {
    if (half.held === null) return;
    const { draft, parts } = half.held;
    half.held = null;
    context.emit(status === null ? draft : { ...draft, status }, parts.whole().subarray(PREFIX));
    parts.clear();
  }

  function readMessages(
    side: ConnectionSide,
    half: Half,
    bytes: Uint8Array,
    pieces: readonly Piece[],
    time: number | null,
  ): void {
    const piecesOf = pieceSlicer(pieces);
    let at = 0;
    while (at < bytes.length && half.kind !== 'lost') {
      if (half.passed === 0) half.time = time;
      const goal = half.needed === 0 ? PREFIX : half.needed;
      const count = Math.min(goal - half.passed, bytes.length - at);
      const places = piecesOf(at, at + count);
      if (half.damaged !== null) reportLostPieces(half.damaged, places);
      else half.parts.add(bytes.subarray(at, at + count), places);
      half.passed += count;
      at += count;
      readPrefix(side, half);
      if (half.needed !== 0 && half.passed === half.needed) finishMessage(side, half);
    }
    if (at < bytes.length) pass(side, piecesOf(at, bytes.length));
  }

  function search(
    side: ConnectionSide,
    half: Half,
    bytes: Uint8Array,
    pieces: readonly Piece[],
    time: number | null,
  ): void {
    const found = half.search.add(bytes, pieces, time);
    if (found === null) return;
    half.kind = 'grpc';
    for (const frame of found) readMessages(side, half, frame.bytes, frame.pieces, frame.time);
    half.search.clear();
  }

  function compose(
    side: ConnectionSide,
    half: Half,
    transport: string,
    pieces: readonly Piece[],
    steps: readonly string[],
    typeHint: string | null = null,
  ): EmittedMessage {
    const asked = askedHttp();
    const direction = directionOf(side);
    return {
      transport,
      side,
      time: half.time,
      direction,
      method: asked === null ? null : transport === 'grpc' ? asked.path : `${asked.method} ${asked.path}`,
      status: direction === 'response' && transport !== 'grpc' ? (half.headers?.get(':status') ?? null) : null,
      typeHint,
      headerBytes: transport === 'grpc' ? PREFIX : half.headerBytes,
      context: { stream: String(id) },
      pieces,
      steps,
    };
  }

  /** The headers that describe a body; null: unknown. In streams of messages, both sides have the same content type. */
  function knownHeaders(side: ConnectionSide): ReadonlyMap<string, string> | null {
    const { headers, complete } = halves[side];
    if (headers !== null && (complete || headers.has('content-type'))) return headers;
    const other = halves[side === 0 ? 1 : 0].headers?.get('content-type') ?? '';
    if (!/^application\/(connect\+|grpc-web)/.test(other)) return null;
    return new Map([...(headers ?? []), ['content-type', other]]);
  }

  /** null: the headers are unknown. */
  function explain(side: ConnectionSide): { readonly body: HttpBody | null } | null {
    const headers = knownHeaders(side);
    if (headers === null) return null;
    const body = explainHttpBody({
      direction: directionOf(side) ?? 'request',
      asked: askedHttp(),
      headers,
      status: headers.has(':status') ? Number(headers.get(':status')) : undefined,
      transport: 'http2',
    });
    return { body };
  }

  /** Gives the whole messages of an envelope at once: a stream may be open for hours. */
  function giveWhole(side: ConnectionSide, half: Half, time: number | null): void {
    const explained = explain(side)?.body ?? null;
    if (explained?.envelope === undefined || explained.steps.length > 0) return;
    const whole = wholeParts(half.parts.whole(), explained.envelope);
    if (whole === 0) return;
    giveBody(side, half, explained, whole);
    half.time = time;
  }

  /** @param isCut the body is incomplete: the rest of an envelope is given, any other body is kept */
  function finishPlain(side: ConnectionSide, half: Half, isCut = false): void {
    const { parts } = half;
    const known = explain(side);
    if (known === null) {
      parts.lose(lose(side, 'unattributed', 'http2/no-headers', NO_HEADERS, startOf(parts.pieces)));
      return;
    }
    const { body } = known;
    if (isCut && body !== null && body.envelope === undefined) return;
    if (body === null || (parts.size === 0 && !body.emptyCounts)) {
      layers['other-bodies'] += parts.size;
      parts.clear();
    } else giveBody(side, half, body, parts.size);
  }

  /** Gives the first `count` bytes of the body. */
  function giveBody(side: ConnectionSide, half: Half, explained: HttpBody, count: number): void {
    const { parts } = half;
    const { envelope, transport, typeHint, format, undeclared } = explained;
    const captured = parts.whole().subarray(0, count);
    const { steps, otherCoding } = bodySteps(explained, captured);
    if (envelope === undefined) layers[steps.length > 0 ? 'compressed' : 'message'] += count;
    const pieces = slice(parts.pieces, 0, count);
    const draft = {
      ...compose(side, half, transport, pieces, steps, typeHint),
      format,
      // The coding may be among the unknown headers.
      ...(half.complete && otherCoding !== undefined ? { otherCoding } : {}),
      ...(undeclared ? { undeclared: printTitle(directionOf(side)) } : {}),
    };
    context.emit(envelope === undefined ? draft : { ...draft, envelope }, captured);
    parts.drop(count);
  }

  /**
   * The message of a Connect GET is in the path, and so in the header block. With Huffman coding, it takes part of the
   * block's bits.
   */
  function emitQuery(side: ConnectionSide, { value, place }: HeaderField, time: number | null): void {
    const query = findQueryMessage(value!);
    if (query === null) return;
    const { start, end, format, steps } = query;
    const { octets, coded, pieces, repeated } = place!;
    const octetsTo = (at: number): number => (coded ? Math.round(huffmanBits(value!, 0, at) / 8) : at);
    const capturedBytes = repeated ? 0 : octetsTo(end) - octetsTo(start);
    layers.hpack -= capturedBytes;
    layers.compressed += capturedBytes;
    const half = halves[side];
    half.time = time;
    const draft = compose(side, half, 'connect', coded ? pieces : slice(pieces, start, end), [
      ...(coded ? ['hpack-huffman', sliceStep(start, end)] : []),
      ...steps,
    ]);
    const wire = coded ? octets : octets.subarray(start, end);
    context.emit(
      { ...draft, format, direction: 'request', capturedBytes, headerBytes: half.headerBytes - capturedBytes },
      wire,
    );
  }

  return {
    headers(side, headers, bytes, time) {
      const half = halves[side];
      half.headerBytes += bytes;
      half.begun = true;
      const map = headers === null ? null : headerMap(headers);
      const leads = headers?.some(({ name }) => name?.startsWith(':')) ?? false;
      const isTrailer =
        half.headers !== null || map?.has('grpc-status') === true || (!leads && half.kind !== 'undecided');
      if (!isTrailer) {
        half.headers = map?.get(':status')?.startsWith('1') ? null : map;
        half.time = time;
        half.complete = headers?.every(({ name, value }) => name !== null && value !== null) ?? false;
        const target = headers?.find(({ place }) => place !== undefined);
        if (target !== undefined) emitQuery(side, target, time);
        return;
      }
      release(half, map?.get('grpc-status') ?? null);
    },

    data(side, bytes, pieces, time, isWholeFrame) {
      const half = halves[side];
      release(halves[side === 0 ? 1 : 0], null);
      if (half.kind === 'undecided') half.kind = decide(side);
      if (half.kind === 'plain') {
        if (half.parts.size === 0) half.time = time;
        if (half.damaged === null && half.parts.size + bytes.length > context.limit) {
          damage(
            side,
            half,
            'http2/too-large',
            `The body is too large: at most ${countText(context.limit)} bytes are held.`,
          );
        }
        if (half.damaged !== null) reportLostPieces(half.damaged, pieces);
        else {
          half.parts.add(bytes, pieces);
          giveWhole(side, half, time);
        }
      } else if (half.kind === 'searching') {
        if (isWholeFrame) search(side, half, bytes, pieces, time);
        else {
          half.search.drop();
          pass(side, pieces);
        }
      } else readMessages(side, half, bytes, pieces, time);
    },

    hole(side, size, captureOffset) {
      const half = halves[side];
      if (half.kind === 'undecided') half.kind = decide(side);
      if (half.kind === 'lost') return;
      const left = half.needed - half.passed;
      if (half.kind !== 'searching') {
        damage(
          side,
          half,
          'grpc/incomplete',
          `A message misses ${countText(size)} bytes that were not captured.`,
          captureOffset,
        );
      }
      if (half.kind !== 'plain' && (half.needed === 0 || size > left)) return this.lose(side);
      half.passed += size;
      if (half.kind === 'grpc' && half.passed === half.needed) finishMessage(side, half);
    },

    lose(side) {
      const half = halves[side];
      if (half.kind === 'undecided') half.kind = decide(side);
      release(half, null);
      half.search.drop();
      if (half.parts.size > 0) damage(side, half, 'grpc/incomplete', 'A message is not whole.');
      half.needed = 0;
      half.passed = 0;
      half.damaged = null;
      half.kind = half.kind === 'plain' || half.kind === 'lost' ? 'lost' : 'searching';
    },

    end(side) {
      const half = halves[side];
      if (half.kind === 'undecided' && half.headers !== null) half.kind = decide(side);
      if (half.kind === 'plain' && half.damaged === null) finishPlain(side, half);
      if (half.kind !== 'plain' && half.passed > 0) {
        damage(side, half, 'grpc/incomplete', 'The h2 stream ends within this message.');
      }
      half.search.drop();
      release(half, null);
      half.kind = 'lost';
    },

    abandon(side) {
      for (const half of halves) release(half, null);
      const half = halves[side];
      if (half.kind === 'plain' && half.damaged === null && half.parts.size > 0) finishPlain(side, half, true);
      if (half.parts.size > 0) {
        damage(side, half, 'http2/incomplete', 'A message is not whole: nothing more of it was captured.');
      }
      half.search.drop();
      half.passed = 0;
      half.kind = 'lost';
    },
  };
}

const OUT_OF_STEP = 'Where the next message of this h2 stream begins is not known.';
const BAD_PREFIX = 'A message begins with neither 0 nor 1; the rest of its h2 stream is not read.';
const NO_HEADERS = 'The headers that name the type of this body were not captured.';

const startOf = (pieces: readonly Piece[]): number => pieces[0]?.start ?? 0;

const piecesBehindPrefix = (pieces: readonly Piece[]): readonly Piece[] =>
  slice(pieces, PREFIX, Number.MAX_SAFE_INTEGER);

function headerMap(headers: readonly HeaderField[]): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const { name, value } of headers) if (name !== null && value !== null) map.set(name, value);
  return map;
}
