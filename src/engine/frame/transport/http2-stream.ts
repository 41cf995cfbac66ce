/**
 * One HTTP/2 stream: headers and data of both sides → messages. gRPC (https://github.com/grpc/grpc, PROTOCOL-HTTP2.md)
 * frames them:
 *
 *   (compressed flag×1 │ length×4, big-endian │ message)*      across DATA frames as it comes
 *
 * gRPC-web and Connect frame them in the same way. Any other content is one body (`http2-bodies.ts`), or messages in
 * another envelope. If the headers were not captured, gRPC is assumed if the prefixes fit. If the h2 stream has a hole
 * or its beginning was not captured, messages are searched for (`grpc-search.ts`).
 */

import { countText } from '../../model/count-text.ts';
import type { ConnectionSide } from '../../stream/connection-sink.ts';
import { GrpcSearch } from '../framing/grpc-search.ts';
import type { Piece } from '../message.ts';
import { codeIn, streamedEnvelope } from './envelope.ts';
import { EnvelopeReader, type GiveMessage } from './envelope-reader.ts';
import { endError, unansweredBy, unansweredCall, unansweredReset } from './grpc-status.ts';
import type { HeaderField } from './hpack.ts';
import { formatOfCodec, isGrpcType } from './http-types.ts';
import { StreamBodies, startOf } from './http2-bodies.ts';
import { createHalf, grpcOf, type Half, type Kind } from './http2-half.ts';
import { otherOf, StreamHeaders } from './http2-stream-headers.ts';
import { LastMessage } from './last-message.ts';
import { reportLostPieces, slicePieces } from './parts.ts';
import type { TransportContext } from './transport.ts';

/** Without headers, a longer message is evidence that this is not gRPC. */
const LONGEST_GUESSED = 16 * 1024 * 1024;

export interface H2Stream {
  /**
   * A header block of this side, possibly trailers.
   *
   * @param headers null: not captured, or not decodable
   * @param bytes of the block
   * @param captureOffset where it begins
   */
  headers(
    side: ConnectionSide,
    headers: readonly HeaderField[] | null,
    bytes: number,
    time: number | null,
    captureOffset: number,
  ): void;
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
  /** A call that was reset without a response is reported. @param code of RST_STREAM @param at its captureOffset */
  reset(code: number, at: number): void;
  /**
   * The incomplete message of this side stays incomplete, and there will be no status.
   * @param why as the end of a sentence
   */
  abandon(side: ConnectionSide, why: string): void;
}

export function createH2Stream(id: number, context: TransportContext, client: () => ConnectionSide | null): H2Stream {
  const { layers } = context;
  const halves: readonly [Half, Half] = [
    createHalf(createReader(0), createSearch(0), new LastMessage(context)),
    createHalf(createReader(1), createSearch(1), new LastMessage(context)),
  ];

  const said = new StreamHeaders(id, halves, client);
  const bodies = new StreamBodies(id, context, halves, said);

  function createReader(side: ConnectionSide): EnvelopeReader {
    return new EnvelopeReader({
      limit: context.limit,
      layers,
      envelope: () => halves[side].envelope,
      give: giverOf(side),
      giveEnd: (end, isAlone, at) => {
        if (said.directionOf(side) !== 'response') return;
        const error = endError(end, halves[side].envelope);
        if (isAlone) bodies.addUnanswered(unansweredBy(said.asked?.path ?? null, error), at);
        halves[side].last.release(error);
      },
      lose: (layer, code, reason, at) => bodies.lose(side, layer, code, reason, at),
    });
  }

  function createSearch(side: ConnectionSide): GrpcSearch {
    return new GrpcSearch({
      limit: context.limit,
      envelope: () => {
        const { envelope } = halves[side];
        return envelope.layer === 'grpc' ? envelope : grpcOf(null);
      },
      onDropped: (pieces) => pass(side, pieces),
    });
  }

  function pass(side: ConnectionSide, pieces: readonly Piece[]): void {
    const half = halves[side];
    if (pieces.length === 0) return;
    half.lost ??= bodies.lose(side, 'unattributed', 'grpc/lost', OUT_OF_STEP, pieces[0]!.start);
    reportLostPieces(half.lost, pieces);
  }

  function decide(side: ConnectionSide): Kind {
    const half = halves[side];
    const type = said.typeOf(side);
    half.envelope = grpcOf(half.headers);
    if (type === null) {
      if (half.begun) half.envelope = { ...half.envelope, longest: LONGEST_GUESSED };
      return half.complete ? 'plain' : half.begun ? 'undecided' : 'searching';
    }
    const isGrpc = isGrpcType(type);
    const body = isGrpc ? null : (said.explain(side)?.body ?? null);
    const envelope = isGrpc ? half.envelope : streamedEnvelope(body);
    half.explained = body;
    if (envelope !== null) half.envelope = envelope;
    // The rest of a body is not a message.
    if (!half.begun) return envelope?.layer === 'grpc' ? 'searching' : 'lost';
    return envelope === null ? 'plain' : 'messages';
  }

  function giverOf(side: ConnectionSide): GiveMessage {
    return (message, wire, type) => {
      const half = halves[side];
      const { explained } = half;
      half.lost = null;
      const { transport, typeHint, format } = explained ?? {
        transport: 'grpc',
        typeHint: null,
        format: formatOfCodec(said.typeOf(side) ?? ''),
      };
      const draft = bodies.compose(side, transport, message, type ?? typeHint, format);
      if (draft.direction === 'response' && half.envelope.layer === 'grpc') half.last.hold(draft, wire);
      else halves[otherOf(side)].last.follow(draft, wire);
    };
  }

  function readMessages(
    side: ConnectionSide,
    half: Half,
    bytes: Uint8Array,
    pieces: readonly Piece[],
    time: number | null,
  ): void {
    const { kind, messages } = half;
    if (kind === 'lost') {
      pass(side, pieces);
      return;
    }
    const read = messages.add(bytes, pieces, time);
    if (read === null) {
      if (messages.isSure) {
        half.kind = 'messages';
        if (kind === 'undecided') half.envelope = grpcOf(half.headers);
      }
      return;
    }
    const rest = slicePieces(pieces, read, bytes.length);
    if (half.explained !== null || kind === 'undecided') {
      // It may be compressed as a whole, or one message.
      half.kind = 'plain';
      messages.parts.add(bytes.subarray(read), rest);
      return;
    }
    half.lost = messages.refuse('grpc/prefix');
    messages.restart();
    half.kind = 'lost';
    pass(side, rest);
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
    half.kind = 'messages';
    for (const frame of found) readMessages(side, half, frame.bytes, frame.pieces, frame.time);
    half.search.clear();
  }

  return {
    headers(side, headers, bytes, time, captureOffset) {
      const half = halves[side];
      half.headerBytes += bytes;
      const hasBegun = half.begun;
      half.begun = true;
      const map = headers === null ? null : headerMap(headers);
      const leads = headers?.some(({ name }) => name?.startsWith(':')) ?? false;
      const isTrailer =
        half.headers !== null || map?.has('grpc-status') === true || (!leads && half.kind !== 'undecided');
      if (!isTrailer) {
        half.headers = map?.get(':status')?.startsWith('1') ? null : map;
        half.headersAt = captureOffset;
        half.time = time;
        if (said.callFrom(otherOf(side)).call !== 'connect' && bodies.reportRefused(side)) half.mayHaveMessages = true;
        half.complete = headers?.every(({ name, value }) => name !== null && value !== null) ?? false;
        const target = headers?.find(({ place }) => place !== undefined);
        if (target !== undefined) bodies.emitQuery(side, target, time);
        return;
      }
      const status = map?.get('grpc-status') ?? null;
      // Before trailers that are the first captured headers of their side there may have been messages.
      if (status !== null && half.kind === 'undecided' && (hasBegun || leads)) {
        bodies.addUnanswered(
          unansweredCall(halves[otherOf(side)].headers?.get(':path') ?? null, status),
          captureOffset,
        );
      }
      half.last.release(status);
    },

    data(side, bytes, pieces, time, isWholeFrame) {
      const half = halves[side];
      half.mayHaveMessages = true;
      // Packets may be captured out of order: a first message, or the rest of one, may be what was answered.
      if (!half.messages.isUnread && !half.messages.isWithin) halves[otherOf(side)].last.line();
      if (half.kind === 'undecided') half.kind = decide(side);
      const { mayBeOne, parts } = half.messages;
      if (mayBeOne && parts.size + bytes.length > context.limit) half.kind = 'plain';
      if (half.kind === 'plain') {
        const { messages } = half;
        if (messages.parts.size === 0) half.time = time;
        const isTooLarge = messages.damaged === null && messages.parts.size + bytes.length > context.limit;
        if (isTooLarge && !bodies.enterOther(side)) {
          const reason = `The body is too large: at most ${countText(context.limit)} bytes are held.`;
          messages.damage('http2/too-large', reason, startOf(pieces));
        }
        if (messages.damaged !== null) reportLostPieces(messages.damaged, pieces);
        else messages.parts.add(bytes, pieces);
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
      half.mayHaveMessages = true;
      if (half.kind === 'undecided') half.kind = decide(side);
      if (half.kind === 'lost') return;
      if (bodies.enterOther(side)) return;
      if (half.kind === 'messages') half.messages.cut();
      if (half.messages.mayBeOne) half.kind = 'plain';
      if (half.kind === 'searching' || (!half.messages.hole(size, captureOffset) && half.kind !== 'plain'))
        this.lose(side);
    },

    lose(side) {
      const half = halves[side];
      half.mayHaveMessages = true;
      // It may begin behind the missed bytes.
      if (!half.begun && half.kind === 'undecided') return;
      if (half.kind === 'undecided') half.kind = decide(side);
      half.last.release(null);
      half.search.drop();
      const { messages, kind } = half;
      if (kind === 'messages') messages.cut();
      if (kind === 'messages' && messages.skip()) return;
      if (!bodies.enterOther(side) && messages.parts.size > 0) {
        messages.damage(codeIn(half.envelope, 'incomplete'), 'A message is not whole.');
      }
      const mayBeFound = kind !== 'plain' && kind !== 'lost' && half.envelope.layer === 'grpc';
      half.kind = mayBeFound ? 'searching' : 'lost';
      // The bytes up to the next message are of the same loss.
      half.lost ??= messages.damaged;
      messages.restart();
    },

    end(side) {
      const half = halves[side];
      half.mayHaveMessages = true;
      const { messages } = half;
      if (half.kind === 'undecided' && half.headers !== null) half.kind = decide(side);
      if ((half.explained !== null || half.kind === 'undecided') && messages.isUnread) half.kind = 'plain';
      if (half.kind === 'plain' && messages.damaged === null) bodies.finish(side);
      if (half.kind === 'messages') messages.finish();
      if (half.kind !== 'plain' && messages.isWithin) {
        messages.damage(codeIn(half.envelope, 'incomplete'), 'The h2 stream ends within this message.');
      }
      half.search.drop();
      half.last.release(null);
      half.kind = 'lost';
    },

    reset(code, at) {
      const asker = client();
      if (asker === null || halves[asker === 0 ? 1 : 0].mayHaveMessages) return;
      const { call, path } = said.callFrom(asker);
      if (call !== null) bodies.addUnanswered(unansweredReset(path, code), at);
    },

    abandon(side, why) {
      for (const { last } of halves) last.release(null);
      const half = halves[side];
      if (half.kind === 'messages') half.messages.cut();
      if (!bodies.enterOther(side) && half.messages.parts.size > 0) {
        half.messages.damage('http2/incomplete', `A message is not whole: ${why}.`);
      }
      half.search.drop();
      half.messages.restart();
      half.kind = 'lost';
    },
  };
}

const OUT_OF_STEP = 'Where the next message of this h2 stream begins is not known.';
function headerMap(headers: readonly HeaderField[]): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const { name, value } of headers) if (name !== null && value !== null) map.set(name, value);
  return map;
}
