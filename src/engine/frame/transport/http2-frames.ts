/**
 * The frames of HTTP/2 (RFC 9113 §4.1), and how they are recognised where the connection does not announce them: by
 * the form of several that follow one another.
 *
 *   preface  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
 *   frame    length×3 │ type×1 │ flags×1 │ 0 + stream id×4 │ payload
 */
import { uint16be } from '../../bytes/integers.ts';
import type { FramePlace, ProtocolMatch } from './transport.ts';

export const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
export const HEAD = 9;
export const Type = {
  DATA: 0,
  HEADERS: 1,
  RST_STREAM: 3,
  SETTINGS: 4,
  PUSH_PROMISE: 5,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
} as const;
export const H2Flag = { END_STREAM: 1, END_HEADERS: 4, PADDED: 8, PRIORITY: 32 } as const;
/** By type: flags that are defined; payload length; whether the stream id is 0, not 0, or either. */
const SHAPES: readonly {
  readonly flags: number;
  readonly fits: (length: number) => boolean;
  readonly stream: 'zero' | 'some' | 'any';
}[] = [
  { flags: 0x09, fits: () => true, stream: 'some' },
  { flags: 0x2d, fits: () => true, stream: 'some' },
  { flags: 0, fits: (length) => length === 5, stream: 'some' },
  { flags: 0, fits: (length) => length === 4, stream: 'some' },
  { flags: 1, fits: (length) => length % 6 === 0, stream: 'zero' },
  { flags: 0x0c, fits: (length) => length >= 4, stream: 'some' },
  { flags: 1, fits: (length) => length === 8, stream: 'zero' },
  { flags: 0, fits: (length) => length >= 8, stream: 'zero' },
  { flags: 0, fits: (length) => length === 4, stream: 'any' },
  { flags: 4, fits: () => true, stream: 'some' },
];
/** Maximum length of a frame if there is no other evidence of HTTP/2. Without negotiation, 16 KiB is the maximum. */
const LONGEST_GUESSED = 1024 * 1024;
/** SETTINGS_TLS_RENEG_PERMITTED, of the ids in https://www.iana.org/assignments/http2-parameters. */
const HIGHEST_SETTING = 16;
/** Maximum bytes that are kept from a place where frames may begin. */
const LONGEST_DOUBT = 256 * 1024;

export function shapeAt(bytes: Uint8Array, at: number, strict: boolean): boolean {
  const length = lengthAt(bytes, at);
  const shape = SHAPES[bytes[at + 3]!];
  if (bytes[at + 5]! & 0x80) return false;
  if (shape === undefined) return !strict;
  const zero = streamAt(bytes, at) === 0;
  if (strict && (bytes[at + 4]! & ~shape.flags || length > LONGEST_GUESSED)) return false;
  return shape.fits(length) && (shape.stream === 'any' || zero === (shape.stream === 'zero'));
}

export const lengthAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;

export const streamAt = (bytes: Uint8Array, at: number): number =>
  ((bytes[at + 5]! & 0x7f) << 24) | (bytes[at + 6]! << 16) | (bytes[at + 7]! << 8) | bytes[at + 8]!;

export function sniffPreface(bytes: Uint8Array, start: number, end: number): ProtocolMatch {
  for (let i = 0; i < PREFACE.length; i++) {
    if (start + i === end) return 'more';
    if (bytes[start + i] !== PREFACE.charCodeAt(i)) return 'no';
  }
  return 'yes';
}

/** Frames of these types have the client's odd stream ids, unless the server pushes. */
const OF_REQUESTS = new Set<number>([Type.DATA, Type.HEADERS, Type.RST_STREAM, Type.CONTINUATION]);
/**
 * Stream ids increase by two from request to request, so few connections reach this one. From here on, an id is a guess
 * only if another frame has one near it, and where a segment begins: periodic bytes have such ids, too.
 */
const HIGH_STREAM = 2 ** 24;
const NEAR_STREAM = 2 ** 12;

/**
 * Whether the frame header has the right form, but values that do not occur in real frames. Zeros and counters look
 * like it.
 */
function isDoubtful(bytes: Uint8Array, at: number, end: number): boolean {
  const type = bytes[at + 3]!;
  const flags = bytes[at + 4]!;
  const id = streamAt(bytes, at);
  const length = lengthAt(bytes, at);
  if (OF_REQUESTS.has(type) && id % 2 === 0) return true;
  if (type === Type.DATA && length === 0) return (flags & H2Flag.END_STREAM) === 0;
  if (type === Type.HEADERS) return length === 0;
  if (type === Type.SETTINGS) return (flags & 1) !== 0 && length > 0;
  if (type === Type.WINDOW_UPDATE && at + HEAD + 4 <= end) {
    return bytes.subarray(at + HEAD, at + HEAD + 4).every((byte) => byte === 0);
  }
  return false;
}

/** Settings with a registered id: their header has no free byte but the length, so they count as two frames. */
function isTelling(bytes: Uint8Array, at: number, end: number): boolean {
  if (bytes[at + 3] !== Type.SETTINGS || at + HEAD + 2 > end || lengthAt(bytes, at) === 0) return false;
  const setting = uint16be(bytes, at + HEAD);
  return setting > 0 && setting <= HIGHEST_SETTING;
}

/**
 * Whether `frames` consecutive frames have the right form; one less is enough if the stream ends with them, and one more
 * is needed to confirm a high stream id. Random bytes form a valid header once in 80,000 cases.
 */
function chainAt(bytes: Uint8Array, start: number, end: number, frames: number, final: boolean): ProtocolMatch {
  let at = start;
  let high = 0;
  let isAlone = false;
  for (let count = 0; count < frames || (isAlone && count === frames); ) {
    if (at === end && final && count === frames - 1 && !isAlone) return 'yes';
    if (at + HEAD > end) return final ? 'no' : 'more';
    if (!shapeAt(bytes, at, true) || isDoubtful(bytes, at, end)) return 'no';
    const id = streamAt(bytes, at);
    if (id >= HIGH_STREAM) {
      isAlone = high === 0;
      if (frames > FRAMES_HERE || (!isAlone && Math.abs(id - high) > NEAR_STREAM)) return 'no';
      high = id;
    }
    count += isTelling(bytes, at, end) ? 2 : 1;
    at += HEAD + lengthAt(bytes, at);
  }
  return isAlone ? 'no' : 'yes';
}

/**
 * Number of consecutive frames that are evidence: where a segment begins or the connection is known to be HTTP/2; and
 * anywhere in unknown bytes.
 */
export const FRAMES_HERE = 2;
export const FRAMES_ANYWHERE = 3;

/** Whether a frame may be the first one of a side: settings that are not an acknowledgement (RFC 9113 §3.4). */
const mayBeFirst = (bytes: Uint8Array, at: number, end: number): boolean =>
  (at + 3 >= end || bytes[at + 3] === Type.SETTINGS) && (at + 4 >= end || bytes[at + 4] === 0);

interface Evidence {
  /** Number of consecutive frames. */
  readonly frames: number;
  readonly final: boolean;
  /** Whether the connection was captured from its beginning: its first frames are settings. */
  readonly isBegun: boolean;
}

/** Recognises the preface, or consecutive frames. */
function framesAt(bytes: Uint8Array, at: number, end: number, { frames, final, isBegun }: Evidence): ProtocolMatch {
  const preface = sniffPreface(bytes, at, end);
  if (preface === 'yes' || (preface === 'more' && !final)) return preface;
  return isBegun && !mayBeFirst(bytes, at, end) ? 'no' : chainAt(bytes, at, end, frames, final);
}

/** Whether bytes begin with consecutive frames, or are one. */
export const areFrames = (bytes: Uint8Array, start: number, end: number): boolean =>
  chainAt(bytes, start, end, FRAMES_HERE, true) === 'yes';

export const sniffFrames = (bytes: Uint8Array, final: boolean, isBegun: boolean): ProtocolMatch =>
  framesAt(bytes, 0, bytes.length, { frames: FRAMES_HERE, final, isBegun });

/** The first place where frames begin, or may begin. */
export function seekFrames(bytes: Uint8Array, from: number, final: boolean, isBegun: boolean): FramePlace | null {
  const found = new FrameSearch(FRAMES_ANYWHERE, isBegun).find(bytes, from, bytes.length, 0, final);
  return found.at === bytes.length ? null : found;
}

/** Searches for consecutive frames in bytes that grow. A place that was excluded is not looked at again. */
export class FrameSearch {
  readonly #frames: number;
  readonly #isBegun: boolean;
  /** streamOffsets of the places where more bytes may show frames. */
  #doubts: number[] = [];
  /** streamOffset after the last place that was looked at. */
  #seen = 0;

  /** @param frames how many are evidence @param isBegun whether the first ones are sought */
  constructor(frames: number, isBegun = false) {
    this.#frames = frames;
    this.#isBegun = isBegun;
  }

  /**
   * The first place with frames; else the first place where more bytes may show them; else `end`.
   * @param position streamOffset of bytes[start]
   */
  find(bytes: Uint8Array, start: number, end: number, position: number, final: boolean): FramePlace {
    const shift = start - position;
    const before = this.#doubts;
    const evidence = { frames: this.#frames, final, isBegun: this.#isBegun };
    this.#doubts = [];
    for (const offset of before) {
      const at = offset + shift;
      if (at >= start && this.#look(bytes, at, end, offset, evidence)) return { at, isSure: true };
    }
    for (let at = Math.max(start, this.#seen + shift); at < end; at++) {
      if (this.#look(bytes, at, end, at - shift, evidence)) return { at, isSure: true };
    }
    this.#seen = end - shift;
    const [first] = this.#doubts;
    return { at: first === undefined ? end : first + shift, isSure: false };
  }

  /** Whether frames begin at a place. One where more bytes may show them is noted. */
  #look(bytes: Uint8Array, at: number, end: number, offset: number, evidence: Evidence): boolean {
    const verdict = framesAt(bytes, at, end, evidence);
    if (verdict === 'more' && end - at < LONGEST_DOUBT) this.#doubts.push(offset);
    return verdict === 'yes';
  }
}
