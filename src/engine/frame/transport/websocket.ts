/**
 * WebSocket (RFC 6455 §5.2) → messages, after the handshake. Big-endian.
 *
 *   FIN×1 bit │ RSV×3 │ opcode×4 │ masked×1 │ length×7, or 126 and ×2 bytes, or 127 and ×8 │ key×4 if masked │ payload
 *   opcode      0 continuation │ 1 text │ 2 binary │ 8 close │ 9 ping │ 10 pong
 *   a message   a text or binary frame, and continuations up to the one with FIN; 8 to 10 may stand between them
 *
 * With permessage-deflate (RFC 7692), RSV1 marks a compressed message. The client masks, the server does not.
 */
import { uint16be, uint32be } from '../../bytes/integers.ts';
import { isCompressed } from '../../compression/registry.ts';
import { unmask, unmaskStep } from '../../compression/unmask.ts';
import { countText } from '../../model/count-text.ts';
import type { ConnectionSide } from '../../stream/connection-sink.ts';
import { openFramed } from './framed.ts';
import { BodyParts } from './parts.ts';
import { Takeover } from './takeover.ts';
import type { ProtocolMatch, StreamLoss, TransportContext, TransportReader } from './transport.ts';
import type { StreamWindow } from './window.ts';

const [CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG] = [0, 1, 2, 8, 9, 10];
const OPCODES: ReadonlySet<number> = new Set([CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG]);
const [FIN, RSV1, OTHER_RSV, OPCODE, MASKED] = [0x80, 0x40, 0x30, 0x0f, 0x80];
const LONGEST_CONTROL = 125;
const KEY = 4;
/** After a loss, a longer frame is not evidence. */
const LONGEST_SOUGHT = 0xffff;
/**
 * Consecutive headers that show, after a loss, where frames begin: in random bytes they fit once in 10 MB. If the first
 * frame is UTF-8, two are enough.
 */
const HEADERS = 4;
/** Bytes are all searched again when they have grown by this part: at each segment, it would take quadratic time. */
const GROWTH = 1 / 8;
/** A shorter text may be UTF-8 by chance. */
const MIN_TEXT = 8;

/** The agreements of the handshake. */
export interface WebSocketHandshake {
  readonly client: ConnectionSide;
  /** Method and path of the request; null: unknown. */
  readonly method: string | null;
  /** null: messages are not compressed. */
  readonly deflate: Deflate | null;
}

/** Parameters of permessage-deflate, by the side that compresses. */
interface Deflate {
  readonly client: { readonly takesOver: boolean };
  readonly server: { readonly takesOver: boolean };
}

/**
 * @param extensions Sec-WebSocket-Extensions of the answer
 * @returns null: none; `unknown`: an extension that is not permessage-deflate may change the frames
 */
export function agreedDeflate(extensions: string | undefined): Deflate | null | 'unknown' {
  const agreed = (extensions ?? '').split(',').filter((one) => one.trim() !== '');
  const [name, ...parameters] = (agreed[0] ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (agreed.length === 0) return null;
  if (agreed.length > 1 || name !== 'permessage-deflate') return 'unknown';
  const takesOver = (side: string) => !parameters.includes(`${side}_no_context_takeover`);
  return { client: { takesOver: takesOver('client') }, server: { takesOver: takesOver('server') } };
}

interface Frame {
  readonly opcode: number;
  readonly isFinal: boolean;
  /** RSV1 */
  readonly isMarked: boolean;
  /** Bytes before the payload, with the key. */
  readonly head: number;
  readonly length: number;
}

/** A message whose last frame did not come so far. */
interface Begun {
  readonly opcode: number;
  readonly isPacked: boolean;
  readonly time: number | null;
  headerBytes: number;
  /** Payload bytes of each frame. */
  readonly sizes: number[];
  /** Payloads; before each is its key, if frames are masked. */
  readonly parts: BodyParts;
}

interface SideState {
  begun: Begun | null;
  /** streamOffset of the next frame, unless something is lost; null: no bytes came so far. */
  next: number | null;
  readonly takeover: Takeover | null;
  /** Bytes that may begin with a frame when they were last searched, after a loss. */
  searched: number;
}

export function openWebSocket(
  context: TransportContext,
  { client, method, deflate }: WebSocketHandshake,
): TransportReader {
  const { layers } = context;
  const stateOf = (side: ConnectionSide): SideState => {
    const takesOver = deflate?.[side === client ? 'client' : 'server'].takesOver ?? false;
    return { begun: null, next: null, takeover: takesOver ? new Takeover() : null, searched: 0 };
  };
  const states: readonly [SideState, SideState] = [stateOf(0), stateOf(1)];

  /** The frame's header at an index of `bytes`. */
  function frameAt(side: ConnectionSide, bytes: Uint8Array, at: number, end: number): Frame | 'more' | 'no' {
    if (end - at < 1) return 'more';
    const first = bytes[at]!;
    const opcode = first & OPCODE;
    const isFinal = (first & FIN) !== 0;
    const isMarked = (first & RSV1) !== 0;
    const isControl = opcode >= CLOSE;
    if (!OPCODES.has(opcode) || (first & OTHER_RSV) !== 0) return 'no';
    if (isMarked && (deflate === null || isControl || opcode === CONTINUATION)) return 'no';
    if (isControl && !isFinal) return 'no';
    if (end - at < 2) return 'more';
    const second = bytes[at + 1]!;
    const isMasked = (second & MASKED) !== 0;
    if (isMasked !== (side === client)) return 'no';
    const short = second & ~MASKED;
    if (isControl && short > LONGEST_CONTROL) return 'no';
    const head = 2 + (short < 126 ? 0 : short === 126 ? 2 : 8) + (isMasked ? KEY : 0);
    if (end - at < head) return 'more';
    const length =
      short < 126
        ? short
        : short === 126
          ? uint16be(bytes, at + 2)
          : uint32be(bytes, at + 2) * 2 ** 32 + uint32be(bytes, at + 6);
    if (length >= 2 ** 53) return 'no';
    return { opcode, isFinal, isMarked, head, length };
  }

  /**
   * As `frameAt`, for a place that is not known to begin a frame: its length is written as short as possible, and data
   * are not empty.
   */
  function soughtAt(side: ConnectionSide, bytes: Uint8Array, at: number, end: number): Frame | 'more' | 'no' {
    const frame = frameAt(side, bytes, at, end);
    if (typeof frame === 'string') return frame;
    const { opcode, head, length } = frame;
    const written = head - 2 - (side === client ? KEY : 0);
    const isShort = written === (length < 126 ? 0 : 2) && length <= LONGEST_SOUGHT;
    return isShort && (length > 0 || opcode >= CLOSE) ? frame : 'no';
  }

  function isUtf8(side: ConnectionSide, bytes: Uint8Array, at: number, frame: Frame): boolean {
    const { opcode, isFinal, isMarked, head, length } = frame;
    if (opcode !== TEXT || !isFinal || isMarked || length < MIN_TEXT) return false;
    const from = at + head - (side === client ? KEY : 0);
    const payload = bytes.subarray(from, at + head + length);
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(side === client ? unmask(payload, []) : payload);
      return true;
    } catch {
      return false;
    }
  }

  /** Whether frames begin there: a header, others after it, and continuations where they belong. */
  function believeAt(side: ConnectionSide, bytes: Uint8Array, start: number, end: number): ProtocolMatch {
    let at = start;
    let needed = HEADERS;
    let isInside = false;
    for (let headers = 1; ; headers++) {
      const frame = soughtAt(side, bytes, at, end);
      if (typeof frame === 'string') return frame;
      const { opcode, isFinal, head, length } = frame;
      // A first continuation belongs to a lost message.
      if (opcode < CLOSE && (opcode === CONTINUATION) !== isInside) return 'no';
      if (opcode < CLOSE) isInside = !isFinal;
      at += head + length;
      if (headers === 1 && at <= end && isUtf8(side, bytes, start, frame)) needed = 2;
      if (headers === needed) return 'yes';
      if (at > end) return 'more';
    }
  }

  /** The first place where frames begin, else the first one that more bytes may show. */
  function nextAt(side: ConnectionSide, bytes: Uint8Array, from: number, end: number): number {
    const state = states[side];
    const isLittleMore = end - from < state.searched * (1 + GROWTH);
    if (isLittleMore && believeAt(side, bytes, from, end) === 'more') return from;
    let open = end;
    for (let at = from; at < end; at++) {
      const verdict = believeAt(side, bytes, at, end);
      if (verdict === 'yes') return at;
      if (verdict === 'more') open = Math.min(open, at);
    }
    state.searched = end - open;
    return open;
  }

  const lose = (side: ConnectionSide, what: string, reason: string, at: number) =>
    context.lose(
      side,
      { code: `websocket/${what}`, severity: 'warning', layer: 'incomplete', reason: `${reason}${ofMethod(method)}.` },
      at,
    );

  /** The current message cannot become whole. */
  function drop(side: ConnectionSide, what: string, reason: string): void {
    const state = states[side];
    const { begun } = state;
    state.begun = null;
    if (begun === null) return;
    if (begun.isPacked) state.takeover?.lose();
    if (begun.parts.size > 0) begun.parts.lose(lose(side, what, reason, begun.parts.pieces[0]!.start));
  }

  function readFrame(side: ConnectionSide, window: StreamWindow, frame: Frame): void {
    const state = states[side];
    const size = frame.head + frame.length;
    if (state.next !== window.position) {
      drop(side, 'incomplete', 'Frames between those of this message were not read');
      state.takeover?.lose();
    }
    state.next = window.position + size;
    if (frame.opcode >= CLOSE) {
      layers.websocket += size;
      window.consume(size);
      return;
    }
    if (frame.opcode !== CONTINUATION) {
      drop(side, 'incomplete', 'Another message begins before the last frame of this one');
      const { opcode, isMarked: isPacked } = frame;
      state.begun = { opcode, isPacked, time: window.time, headerBytes: 0, sizes: [], parts: new BodyParts() };
    }
    const { begun } = state;
    if (begun === null) {
      state.takeover?.lose();
      window.lose(lose(side, 'no-beginning', NO_BEGINNING, window.captureOffset), size);
      return;
    }
    if (begun.parts.size + size > context.limit) {
      drop(side, 'too-large', `A message is too large: at most ${countText(context.limit)} bytes are held`);
      window.lose(lose(side, 'no-beginning', NO_BEGINNING, window.captureOffset), size);
      return;
    }
    const from = frame.head - (side === client ? KEY : 0);
    begun.headerBytes += frame.head;
    begun.sizes.push(frame.length);
    begun.parts.add(window.peek(size).subarray(from), window.pieces(from, size));
    layers.websocket += from;
    window.consume(size);
    if (!frame.isFinal) return;
    state.begun = null;
    emit(side, begun);
  }

  function emit(side: ConnectionSide, { opcode, isPacked, time, headerBytes, sizes, parts }: Begun): void {
    const isMasked = side === client;
    const keys = isMasked ? KEY * sizes.length : 0;
    const capturedBytes = parts.size - keys;
    layers.websocket += keys;
    const steps = [...(isMasked ? [unmaskStep(sizes.slice(0, -1))] : []), ...(isPacked ? ['message-deflate'] : [])];
    layers[isCompressed(steps) ? 'compressed' : 'message'] += capturedBytes;
    const { takeover } = states[side];
    if (capturedBytes > 0) {
      context.emit(
        {
          transport: 'websocket',
          side,
          time,
          direction: side === client ? 'request' : 'response',
          method,
          status: null,
          typeHint: null,
          ...(opcode === TEXT ? { format: 'json' } : {}),
          headerBytes,
          context: {},
          pieces: parts.pieces,
          capturedBytes,
          undeclared: `a WebSocket message${ofMethod(method)}`,
          steps,
          ...(isPacked && takeover !== null ? { takeover } : {}),
        },
        parts.whole(),
      );
    }
    parts.clear();
  }

  const framed = openFramed(context, {
    id: 'websocket',
    lost: LOST,
    sizeAt(side, bytes, at, end) {
      const frame = frameAt(side, bytes, at, end);
      return typeof frame === 'string' ? frame : frame.head + frame.length;
    },
    next: nextAt,
    believeAt,
    read(side, window, size) {
      const frame = frameAt(side, window.bytes, window.start, window.start + size);
      readFrame(side, window, frame as Frame);
    },
    incomplete() {},
    end(side) {
      drop(side, 'incomplete', 'Nothing was captured after the first frames of a message');
    },
  });

  function read(side: ConnectionSide, window: StreamWindow): void {
    states[side].next ??= window.position;
    framed.read(side, window);
  }

  /** Reads what can be read before the unread bytes are given up. */
  function readLast(side: ConnectionSide, window: StreamWindow): void {
    states[side].searched = 0;
    read(side, window);
  }

  return {
    read,
    hole(side, window, size) {
      readLast(side, window);
      framed.hole(side, window, size);
    },
    end(side, window) {
      readLast(side, window);
      framed.end(side, window);
    },
  };
}

const ofMethod = (method: string | null): string => (method === null ? '' : ` of ${method}`);

const NO_BEGINNING = 'A frame continues a message whose beginning was not read';

const LOST: StreamLoss = {
  code: 'websocket/resynchronised',
  severity: 'warning',
  layer: 'unattributed',
  reason: 'No WebSocket frame can be read here; reading continues where several frames follow one another.',
};
