/**
 * HTTP/2 without TLS (RFC 9113): frames of interleaved h2 streams → headers and data of each.
 *
 *   client  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", then frames
 *   frame   length×3 │ type×1 │ flags×1 │ 0 + stream id×4 │ payload
 *   DATA    (pad length×1) │ data │ padding            HEADERS  (pad length×1) │ (priority×5) │ fragment │ padding
 *
 * A capture may begin in the middle of a connection. Frames are then recognised by their form, and headers are decoded
 * as far as HPACK's table is known.
 */

import { uint32be } from '../../bytes/integers.ts';
import type { LossRun } from '../../capture/containers/packets-log.ts';
import type { ConnectionSide } from '../../stream/connection-sink.ts';
import type { Piece } from '../message.ts';
import { type HeaderField, HpackDecoder } from './hpack.ts';
import {
  areFrames,
  FRAMES_HERE,
  FrameSearch,
  H2Flag,
  HEAD,
  lengthAt,
  PREFACE,
  seekFrames,
  shapeAt,
  sniffFrames,
  sniffPreface,
  streamAt,
  Type,
} from './http2-frames.ts';
import { createH2Stream, type H2Stream } from './http2-stream.ts';
import type { StreamLoss, Transport, TransportContext, TransportReader } from './transport.ts';
import type { StreamWindow } from './window.ts';

const MAX_STREAMS = 4096;
/** Maximum number of remembered streams that one side has reset. The other side may still send data on them. */
const MAX_RESET = 64;
const LONGEST_BLOCK = 1024 * 1024;
/** Maximum bytes of a side that wait for the other side's headers, which may explain them. */
const LONGEST_WAIT = 1024 * 1024;

/** A header block, as far as its fragments were read. */
interface HeaderBlock {
  /** Its h2 stream: the promised one if it is that of a PUSH_PROMISE. */
  readonly stream: number;
  readonly isPromise: boolean;
  bytes: Uint8Array;
  pieces: readonly Piece[];
  readonly ends: boolean;
  sound: boolean;
}

const NO_FRAGMENTS = { isPromise: false, bytes: new Uint8Array(0), pieces: [], ends: false, sound: true };

interface SideState {
  readonly hpack: HpackDecoder;
  /** The current header block; null: no block is open. */
  block: HeaderBlock | null;
  /** A frame with a hole: its remaining payload bytes, and the h2 stream of its DATA; 0: another type of frame. */
  rest: { left: number; readonly stream: number; readonly ends: boolean; readonly lost: LossRun | null } | null;
  /** Whether the next byte is known to begin a frame. If not, frames are searched for. */
  place: 'known' | 'beginning' | 'lost';
  search: FrameSearch;
  /** The bytes that were passed over in this search; null: there are none. */
  lost: LossRun | null;
}

const createSide = (): SideState => ({
  hpack: new HpackDecoder(),
  block: null,
  rest: null,
  place: 'beginning',
  search: new FrameSearch(FRAMES_HERE),
  lost: null,
});

export const http2: Transport = {
  id: 'http2',
  label: 'HTTP/2 and gRPC',
  sniff: sniffFrames,
  seek: seekFrames,
  open: (context) => openReader(context),
};

const LOST: StreamLoss = {
  code: 'http2/resynchronised',
  severity: 'warning',
  layer: 'unattributed',
  reason: 'No h2 frame can be read here; reading continues at the next one.',
};
const CUT: StreamLoss = {
  code: 'http2/incomplete',
  severity: 'warning',
  layer: 'incomplete',
  reason: 'An h2 frame was not captured whole.',
};
const ENDS_EARLY: StreamLoss = { ...CUT, reason: 'The capture ends within this h2 frame.' };

/** The first RST_STREAM of an h2 stream: its error, and captureOffset. */
interface Reset {
  readonly code: number;
  readonly at: number;
}

interface OpenStream {
  readonly stream: H2Stream;
  readonly ended: [boolean, boolean];
  /** null: it was not reset. */
  reset: Reset | null;
}

function abandon({ stream, reset }: OpenStream): void {
  const why = reset === null ? 'nothing more of it was captured' : WAS_RESET;
  stream.abandon(0, why);
  stream.abandon(1, why);
  if (reset !== null) stream.reset(reset.code, reset.at);
}

const WAS_RESET = 'its h2 stream was reset';

/** The request that upgraded the connection from HTTP/1.1 (RFC 7540 §3.2). It is stream 1, half-closed. */
export interface UpgradeRequest {
  readonly side: ConnectionSide;
  readonly headers: readonly HeaderField[];
}

export function openReader(context: TransportContext, upgrade?: UpgradeRequest): TransportReader {
  const { layers, log } = context;
  const states: readonly [SideState, SideState] = [createSide(), createSide()];
  const streams = new Map<number, OpenStream>();
  /** Oldest first. */
  const resets: number[] = [];
  let client: ConnectionSide | null = null;
  /** The client's side was captured from its first byte, so the request of each h2 stream will be seen. */
  let waits = context.facts.whole;
  /** Highest h2 stream id among the client's headers. */
  let opened = 0;
  let headersLost = false;
  const ended: boolean[] = [];

  function streamOf(id: number): OpenStream {
    let entry = streams.get(id);
    if (entry === undefined) {
      entry = { stream: createH2Stream(id, context, () => client), ended: [false, false], reset: null };
      streams.set(id, entry);
      if (streams.size > MAX_STREAMS) {
        const [oldest, left] = streams.entries().next().value!;
        streams.delete(oldest);
        abandon(left);
      }
    }
    return entry;
  }

  function endStream(id: number, side: ConnectionSide): void {
    const entry = streams.get(id);
    if (entry === undefined) return;
    entry.stream.end(side);
    entry.ended[side] = true;
    if (entry.ended[0] && entry.ended[1]) streams.delete(id);
  }

  /** Data that the other side sent before it received the reset may still follow, and may be complete. */
  function reset(id: number, side: ConnectionSide, by: Reset): void {
    const entry = streams.get(id);
    if (entry === undefined) return;
    entry.reset ??= by;
    entry.stream.abandon(side, WAS_RESET);
    entry.ended[side] = true;
    if (entry.ended[0] && entry.ended[1]) {
      streams.delete(id);
      entry.stream.reset(entry.reset.code, entry.reset.at);
    } else resets.push(id);
    if (resets.length <= MAX_RESET) return;
    const oldest = resets.shift()!;
    const left = streams.get(oldest);
    if (left !== undefined) abandon(left);
    streams.delete(oldest);
  }

  function finishBlock(side: ConnectionSide, captureOffset: number, time: number | null): void {
    const state = states[side];
    const { stream, isPromise, bytes, pieces, ends, sound } = state.block!;
    // A promise has the headers of the request, as if the client had sent them (RFC 9113 §8.4.1).
    const sender = isPromise ? (side === 0 ? 1 : 0) : side;
    state.block = null;
    if (!sound) state.hpack.forget();
    const decoded = sound ? state.hpack.decode(bytes, pieces) : null;
    const headers = decoded?.headers ?? null;
    learnClient(sender, headers);
    if ((decoded === null || !decoded.sound) && !headersLost) {
      headersLost = true;
      log.add(
        'http2/headers-unknown',
        'info',
        'Headers here refer to earlier headers that are not in the capture: paths and types may be unknown.',
        captureOffset,
      );
    }
    if (side === client && stream > opened) opened = stream;
    const entry = streamOf(stream);
    entry.stream.headers(sender, headers, bytes.length, time, captureOffset);
    if (isPromise) entry.ended[sender] = true;
    if (ends) endStream(stream, side);
  }

  function learnClient(side: ConnectionSide, headers: readonly HeaderField[] | null): void {
    if (client !== null || headers === null) return;
    if (headers.some(({ name }) => name === ':method' || name === ':path')) client = side;
    else if (headers.some(({ name }) => name === ':status')) client = side === 0 ? 1 : 0;
  }

  function addFragment(side: ConnectionSide, fragment: Uint8Array, pieces: readonly Piece[]): void {
    const { block } = states[side];
    layers.hpack += fragment.length;
    if (block === null) return;
    if (block.bytes.length + fragment.length > LONGEST_BLOCK) block.sound = false;
    if (!block.sound) return;
    const joined = new Uint8Array(block.bytes.length + fragment.length);
    joined.set(block.bytes);
    joined.set(fragment, block.bytes.length);
    block.bytes = joined;
    block.pieces = block.pieces.length === 0 ? pieces : [...block.pieces, ...pieces];
  }

  /** @returns false: the frame contradicts itself, so synchronisation is lost */
  function readFrame(side: ConnectionSide, window: StreamWindow, length: number): boolean {
    const state = states[side];
    const frame = window.peek(HEAD + length);
    const type = frame[3]!;
    const flags = frame[4]!;
    const id = streamAt(frame, 0);
    const padded = (type === Type.DATA || type === Type.HEADERS || type === Type.PUSH_PROMISE) && flags & H2Flag.PADDED;
    const padding = padded ? (frame[HEAD] ?? 0) : 0;
    let from = HEAD + (padded ? 1 : 0);
    if (type === Type.HEADERS && flags & H2Flag.PRIORITY) from += 5;
    if (type === Type.PUSH_PROMISE) from += 4;
    const to = HEAD + length - padding;
    const carries =
      type === Type.DATA || type === Type.HEADERS || type === Type.PUSH_PROMISE || type === Type.CONTINUATION;
    if (carries && from > to) return false;
    layers.http2 += carries ? frame.length - (to - from) : frame.length;
    if (type === Type.DATA) {
      const { stream } = streamOf(id);
      if (to > from) stream.data(side, frame.subarray(from, to), window.pieces(from, to), window.time, true);
      if (flags & H2Flag.END_STREAM) endStream(id, side);
    } else if (type === Type.HEADERS || type === Type.PUSH_PROMISE) {
      const ends = type === Type.HEADERS && (flags & H2Flag.END_STREAM) !== 0;
      const isPromise = type === Type.PUSH_PROMISE;
      state.block = { ...NO_FRAGMENTS, stream: isPromise ? streamAt(frame, from - HEAD) : id, isPromise, ends };
      addFragment(side, frame.subarray(from, to), window.pieces(from, to));
    } else if (type === Type.CONTINUATION) {
      if (state.block === null) {
        state.hpack.forget();
        state.block = { ...NO_FRAGMENTS, stream: id, sound: false };
      }
      addFragment(side, frame.subarray(from, to), window.pieces(from, to));
    } else if (type === Type.RST_STREAM) {
      reset(id, side, { code: uint32be(frame, HEAD), at: window.captureOffset });
    }
    if (state.block !== null && flags & H2Flag.END_HEADERS && type !== Type.DATA)
      finishBlock(side, window.captureOffset, window.time);
    window.consume(HEAD + length);
    return true;
  }

  /** Whether a response has to wait: the other side's headers, which explain its h2 stream, may be captured later. */
  function mustWait(side: ConnectionSide, window: StreamWindow): boolean {
    if (!waits || side === client || window.length > LONGEST_WAIT) return false;
    const type = window.bytes[window.start + 3]!;
    const id = streamAt(window.bytes, window.start);
    const isPushed = id % 2 === 0;
    return (type === Type.DATA || type === Type.HEADERS) && !isPushed && id > opened;
  }

  function lose(side: ConnectionSide): void {
    const state = states[side];
    if (state.place === 'lost') return;
    state.place = 'lost';
    state.search = new FrameSearch(FRAMES_HERE);
    state.block = null;
    state.rest = null;
    state.hpack.forget();
    for (const { stream } of streams.values()) stream.lose(side);
    waits = false;
  }

  /** Passes over bytes up to the next frame. */
  function pass(side: ConnectionSide, window: StreamWindow, count: number): void {
    if (count === 0) return;
    const state = states[side];
    if (client === null) waits = false;
    state.lost ??= context.lose(side, LOST, window.captureOffset);
    window.lose(state.lost, count);
  }

  function findFrame(side: ConnectionSide, window: StreamWindow, final: boolean): boolean {
    const state = states[side];
    const { bytes, start, end, position } = window;
    if (state.place === 'lost' || !areFrames(bytes, start, end)) {
      const { at, isSure } = state.search.find(bytes, start, end, position, final);
      pass(side, window, at - start);
      if (!isSure) return false;
    }
    state.place = 'known';
    state.lost = null;
    return true;
  }

  /** Continues to read a frame with a hole; false: more bytes are needed. */
  function readRest(side: ConnectionSide, window: StreamWindow): boolean {
    const state = states[side];
    const rest = state.rest!;
    const count = Math.min(rest.left, window.length);
    if (rest.lost !== null) window.lose(rest.lost, count);
    else {
      streamOf(rest.stream).stream.data(side, window.peek(count), window.pieces(0, count), window.time, false);
      window.consume(count);
    }
    rest.left -= count;
    if (rest.left > 0) return false;
    state.rest = null;
    if (rest.ends) endStream(rest.stream, side);
    return true;
  }

  function read(side: ConnectionSide, window: StreamWindow, final = false): void {
    const state = states[side];
    for (;;) {
      if (state.rest !== null && !readRest(side, window)) return;
      if (window.length === 0) return;
      if (state.place !== 'known' && !findFrame(side, window, final)) return;
      const preface = sniffPreface(window.bytes, window.start, window.end);
      if (preface === 'more') return;
      if (preface === 'yes') {
        client = side;
        waits = true;
        layers.http2 += PREFACE.length;
        window.consume(PREFACE.length);
        continue;
      }
      if (window.length < HEAD) return;
      if (!shapeAt(window.bytes, window.start, false)) {
        lose(side);
        pass(side, window, 1);
        continue;
      }
      const length = lengthAt(window.bytes, window.start);
      if (window.length < HEAD + length || mustWait(side, window)) return;
      const had = opened;
      if (!readFrame(side, window, length)) {
        lose(side);
        pass(side, window, 1);
      } else if (opened !== had) context.wake(side === 0 ? 1 : 0);
    }
  }

  /** No more bytes follow those of the window. */
  function readLast(side: ConnectionSide, window: StreamWindow): void {
    const did = waits;
    waits = false;
    read(side, window, true);
    waits = did;
  }

  /**
   * A frame that begins before a hole: its available part is given, and its length shows where the next frame begins.
   */
  function breakFrame(side: ConnectionSide, window: StreamWindow, size: number): boolean {
    const state = states[side];
    if (state.rest === null) {
      if (window.length < HEAD || !shapeAt(window.bytes, window.start, false)) return false;
      const type = window.bytes[window.start + 3]!;
      const flags = window.bytes[window.start + 4]!;
      const id = streamAt(window.bytes, window.start);
      const left = lengthAt(window.bytes, window.start);
      const isData = type === Type.DATA && (flags & H2Flag.PADDED) === 0;
      if (type === Type.DATA && !isData) streamOf(id).stream.lose(side);
      if (type === Type.HEADERS || type === Type.CONTINUATION || type === Type.PUSH_PROMISE) {
        state.hpack.forget();
        state.block = null;
        waits = false;
        headersLost = true;
        log.add(
          'http2/headers-unknown',
          'warning',
          'A header block was not captured whole; headers that refer to it are unknown.',
          window.captureOffset,
        );
      }
      const lost = isData ? null : context.lose(side, CUT, window.captureOffset);
      layers.http2 += HEAD;
      window.consume(HEAD);
      state.rest = { left, stream: isData ? id : 0, ends: isData && (flags & H2Flag.END_STREAM) !== 0, lost };
      if (window.length > 0) readRest(side, window);
    }
    const rest = state.rest;
    if (rest === null || rest.left < size) return false;
    if (rest.stream !== 0) streamOf(rest.stream).stream.hole(side, size, window.captureOffset);
    rest.left -= size;
    if (rest.left === 0) {
      state.rest = null;
      if (rest.ends) endStream(rest.stream, side);
    }
    return true;
  }

  if (upgrade !== undefined) {
    client = upgrade.side;
    opened = 1;
    const first = streamOf(1);
    first.stream.headers(client, upgrade.headers, 0, null, 0);
    // The body of the request was sent with HTTP/1.1.
    first.ended[client] = true;
  }

  return {
    read,

    hole(side, window, size) {
      readLast(side, window);
      if (states[side].place !== 'known' || !breakFrame(side, window, size) || window.length > 0) lose(side);
      pass(side, window, window.length);
      window.gap(size);
    },

    end(side, window) {
      if (client === side || client === null) waits = false;
      readLast(side, window);
      if (window.length > 0) {
        const run = states[side].lost ?? context.lose(side, ENDS_EARLY, window.captureOffset);
        window.lose(run, window.length);
      }
      ended[side] = true;
      if (ended[0] && ended[1]) for (const open of streams.values()) abandon(open);
    },
  };
}
